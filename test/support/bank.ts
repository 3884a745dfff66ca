import { randomUUID } from 'node:crypto';
import type { ProviderEvent } from '../../src/database/providers/provider-event.entity.js';
import { ProviderEventRepository } from '../../src/database/providers/provider-event.repository.js';
import { ProviderCallbacksService } from '../../src/payments/provider-callbacks.service.js';
import type { SandboxMessage } from '../../src/providers/sandbox/sandbox-message.js';
import { sandboxSignature } from '../../src/providers/sandbox/sandbox-signature.js';
import {
  SANDBOX_SIGNATURE,
  SANDBOX_TIMESTAMP,
} from '../../src/providers/sandbox/sandbox.provider.js';
import type { TestApp } from './app.js';
import type { Client, OrderJson } from './client.js';
import { select } from './facts.js';
import { until } from './race.js';

interface Account {
  readonly id: string;
  readonly secret: string;
}

/** The headers of a message that the bank signs, `ahead` seconds before the service's time. */
export function signed(
  app: TestApp,
  secret: string,
  body: string | Buffer,
  ahead = 0,
): Record<string, string> {
  const timestamp = String(Math.floor(app.clock.now().getTime() / 1000) + ahead);
  return {
    [SANDBOX_TIMESTAMP]: timestamp,
    [SANDBOX_SIGNATURE]: sandboxSignature(secret, timestamp, Buffer.from(body)),
  };
}

/** The sandbox bank seen from outside: it sends signed messages to the callback's address. */
export class Bank {
  private constructor(
    private readonly app: TestApp,
    private readonly shop: Client,
    readonly account: Account,
  ) {}

  static async of(app: TestApp, shop: Client): Promise<Bank> {
    const sql = `SELECT id, callback_secret AS secret FROM provider_accounts WHERE merchant_id = $1`;
    const [account] = await select<Account>(app, sql, [shop.merchantId]);
    return new Bank(app, shop, account!);
  }

  /** A message about the payment, under a new id unless `changes` name one. */
  message(
    order: Pick<OrderJson, 'txid' | 'amount'>,
    payment: string,
    result: SandboxMessage['result'],
    changes: Partial<SandboxMessage> = {},
  ): SandboxMessage {
    return {
      id: randomUUID(),
      merchant: this.shop.merchantId,
      order: order.txid,
      payment,
      result,
      ...(result === 'booked' ? { amount: order.amount, currency: 'EUR' } : {}),
      ...changes,
    };
  }

  post(message: SandboxMessage, app: TestApp = this.app): Promise<Response> {
    const body = JSON.stringify(message);
    return fetch(`${app.url}/provider-callback/sandbox/${this.account.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(app, this.account.secret, body) },
      body,
    });
  }

  /** @returns the HTTP status of the answer */
  async send(message: SandboxMessage, app: TestApp = this.app): Promise<number> {
    const response = await this.post(message, app);
    await response.text();
    return response.status;
  }

  /** Stores a message, and leaves it to the test when it is applied. */
  async receive(message: SandboxMessage): Promise<ProviderEvent> {
    const text = JSON.stringify(message);
    const headers = signed(this.app, this.account.secret, text);
    const callbacks = this.app.get(ProviderCallbacksService);
    const body = Buffer.from(text);
    const event = await callbacks.verify('sandbox', this.account.id, { headers, body });
    await this.app.get(ProviderEventRepository).store(event);
    return event;
  }

  /** Callbacks are applied after their sender was answered: this waits until all of them are. */
  async settled(): Promise<void> {
    const sql = 'SELECT id FROM provider_events WHERE merchant_id = $1 AND applied_at IS NULL';
    await until('every callback is applied', async () => {
      return (await select(this.app, sql, [this.shop.merchantId])).length === 0;
    });
  }
}

/** What a payer's browser does on the payment page. */
export async function startAtPage(order: OrderJson): Promise<Response> {
  const response = await fetch(`${order.paymentPageUrl}/start`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ method: 'sandbox' }),
  });
  await response.text();
  return response;
}

/** Starts a payment on the payment page and returns the payment's id. */
export async function startPayment(app: TestApp, order: OrderJson): Promise<string> {
  await startAtPage(order);
  const sql = `SELECT id FROM payments WHERE txid = $1 AND status = 'pending'`;
  const [payment] = await select<{ id: string }>(app, sql, [order.txid]);
  if (!payment) throw new Error('no payment was started');
  return payment.id;
}
