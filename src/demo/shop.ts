import { randomUUID } from 'node:crypto';
import { toMajorUnits } from '../common/money/money.js';
import { Difference } from './report.js';

/** Order fields that the tour uses. */
export interface DemoOrder {
  readonly txid: string;
  readonly orderMerchantId: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly paymentPageUrl: string;
  readonly payment: Readonly<Record<string, unknown>> | null;
}

/** Transfer details of an order for its payer. */
export interface DemoTransfer {
  readonly iban: string;
  readonly reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

export interface DemoEndpoint {
  readonly secret: string;
}

export interface DemoRecipient {
  readonly id: string;
  readonly email: string;
  readonly status: string;
}

export interface DemoBalance {
  readonly data: readonly { readonly currency: string; readonly available: number }[];
}

export interface DemoPayout {
  readonly status: string;
  readonly amount: number;
  readonly bankAccount: { readonly holder: string; readonly iban: string };
}

export interface Reply<T> {
  readonly body: T;
  readonly text: string;
  readonly headers: Headers;
}

export const createdText = ({ body }: Reply<DemoOrder>): string =>
  `${body.orderMerchantId}, ${toMajorUnits(body.amount, body.currency)} ${body.currency}, ${body.status}`;

/** Client of a shop that uses the service. */
export class Shop {
  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  create(orderMerchantId: string, key: string = randomUUID()): Promise<Reply<DemoOrder>> {
    const order = {
      orderMerchantId,
      amount: 8990,
      currency: 'EUR',
      description: 'Desk lamp “Halo”, brass',
      customer: { name: 'Erika Mustermann', email: 'erika@example.com' },
      optionalFields: { invoice: `R-${orderMerchantId}` },
    };
    return this.call('POST', '/api/order', order, { 'idempotency-key': key });
  }

  status(query: string): Promise<Reply<DemoOrder>> {
    return this.call('GET', `/api/order/status?${query}`);
  }

  read(txid: string): Promise<Reply<DemoOrder>> {
    return this.call('GET', `/api/order?txid=${txid}`);
  }

  cancel(txid: string): Promise<Reply<DemoOrder>> {
    return this.call('DELETE', `/api/order/${txid}`);
  }

  createEndpoint(url: string, type: string): Promise<Reply<DemoEndpoint>> {
    return this.call('POST', '/api/webhook-endpoint', { url, eventTypes: [type] });
  }

  addRecipient(email: string): Promise<Reply<DemoRecipient>> {
    return this.call('POST', '/api/notification-recipient', { email });
  }

  recipient(id: string): Promise<Reply<DemoRecipient>> {
    return this.call('GET', `/api/notification-recipient/${id}`);
  }

  balance(): Promise<Reply<DemoBalance>> {
    return this.call('GET', '/api/balance');
  }

  payout(id: string): Promise<Reply<DemoPayout>> {
    return this.call('GET', `/api/payout/${id}`);
  }

  private async call<T>(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply<T>> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...headers,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Difference(`${method} ${path} answered ${response.status}: ${text}`);
    return { body: JSON.parse(text) as T, text, headers: response.headers };
  }
}
