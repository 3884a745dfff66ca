/** What the plug-in needs of the payment order service, over HTTP. */

/** An order as the service answers it; amounts are whole minor units. */
export interface PaymentOrder {
  readonly txid: string;
  readonly orderMerchantId: string;
  readonly status: 'open' | 'processing' | 'paid' | 'failed' | 'cancelled' | 'expired';
  readonly finished: boolean;
  /** `none`, or what is special about the money that came. More words may come. */
  readonly exception: string;
  readonly amount: number;
  readonly currency: string;
  readonly amountReceived: number;
  readonly amountRefunded: number;
  readonly optionalFields: Readonly<Record<string, string>> | null;
  readonly paymentPageUrl: string;
  readonly payment: { readonly id: string; readonly payerAccountName: string | null } | null;
}

export interface PaymentOrderEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly sequence: number;
  readonly data: PaymentOrder;
}

export interface NewPaymentOrder {
  readonly orderMerchantId: string;
  readonly amount: number;
  readonly currency: string;
  readonly description?: string;
  readonly customer?: { readonly name?: string; readonly email?: string };
  readonly locale?: string;
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
  readonly optionalFields?: Readonly<Record<string, string>>;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly next: string | null;
  readonly hasMore: boolean;
}

/** The contract this file was written for: what a later one brings does not change the answers. */
const API_VERSION = '1.2.2';
const TIMEOUT_MS = 8_000;

/** A refusal of the service, by its `code`; `unreachable` when it did not answer. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Of an order that stands in the way. */
    readonly txid?: string,
    readonly orderStatus?: PaymentOrder['status'],
  ) {
    super(message);
  }
}

export class PaymentOrdersClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** The same content again, as after a time-out, answers with the same order. */
  create(order: NewPaymentOrder): Promise<PaymentOrder> {
    return this.call('POST', '/api/order', order);
  }

  read(txid: string): Promise<PaymentOrder> {
    return this.call('GET', `/api/order?txid=${txid}`);
  }

  cancel(txid: string): Promise<PaymentOrder> {
    return this.call('DELETE', `/api/order/${txid}`);
  }

  /** At most 100 of them. */
  search(txids: readonly string[]): Promise<Page<PaymentOrder>> {
    return this.call('GET', `/api/order/search?txid=${txids.join(',')}&limit=100`);
  }

  /** @param after a page's `next`, `latest`, or empty for all there are */
  events(after: string): Promise<Page<PaymentOrderEvent>> {
    return this.call('GET', `/api/event?limit=100${after && `&after=${after}`}`);
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.apiKey}`,
      'Api-Version': API_VERSION,
      ...(body && { 'Content-Type': 'application/json' }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = { method, headers, signal, body: body && JSON.stringify(body) };
    try {
      const response = await fetch(new URL(path, this.baseUrl), request);
      const answer = (await response.json()) as T & Refusal & { detail?: string };
      if (response.ok) return answer;
      throw new Refusal(answer.code, answer.detail ?? '', answer.txid, answer.orderStatus);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal('unreachable', `${method} ${path}: ${String(error)}`);
    }
  }
}
