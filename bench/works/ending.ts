import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxSignature } from '../../src/providers/sandbox/sandbox-signature.js';
import {
  SANDBOX_SIGNATURE,
  SANDBOX_TIMESTAMP,
} from '../../src/providers/sandbox/sandbox.provider.js';
import { Client } from '../../test/support/client.js';
import { bytesOf } from '../load/request.js';
import type { Copy, Supplies } from '../sides/supplies.js';
import type { Furnished, Work } from './work.js';

/** Of the order of which they are copies. */
const AMOUNT = 8_990;

function callback({ shop, account }: Supplies, { txid, payment }: Copy): string {
  const body = JSON.stringify({
    id: randomUUID(),
    merchant: shop.merchantId,
    order: txid,
    payment,
    result: 'booked',
    amount: AMOUNT,
    currency: 'EUR',
    debtorAccount: 'DE89370400440532013000',
    debtorName: 'Erika Mustermann',
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    [SANDBOX_TIMESTAMP]: timestamp,
    [SANDBOX_SIGNATURE]: sandboxSignature(account.secret, timestamp, Buffer.from(body)),
  };
  const path = `/provider-callback/sandbox/${account.id}`;
  return bytesOf({ method: 'POST', path, headers, body });
}

/** Orders in a row that were paid in about their order: when these are paid, all are. */
const LAST = 64;
const PAID_LIMIT_MS = 60_000;

/** A callback is answered once it is stored; an order is paid only when it is applied. */
async function untilPaid({ side, supplies }: Furnished, told: readonly Copy[]): Promise<void> {
  const { shop } = supplies;
  const client = new Client(side.url, shop.apiKey, shop.merchantId, '');
  const end = Date.now() + PAID_LIMIT_MS;
  for (const { txid } of told.slice(-LAST).toReversed()) {
    while ((await client.read(txid)).body.status !== 'paid') {
      if (Date.now() > end) throw new Error(`the order ${txid} is not paid`);
      await sleep(2);
    }
  }
}

export const ENDING: readonly Work[] = [
  {
    name: 'cancel',
    expected: 200,
    errand: ({ supplies }, count) => {
      const { shop, cancelable } = supplies;
      const headers = { authorization: `Bearer ${shop.apiKey}` };
      const requests = cancelable
        .next(count)
        .map(({ txid }) => bytesOf({ method: 'DELETE', path: `/api/order/${txid}`, headers }));
      return { requests, circular: false, finish: async (done) => cancelable.used(done) };
    },
  },
  {
    name: 'paid by callback',
    expected: 200,
    isMain: true,
    errand: (furnished, count) => {
      const { payable } = furnished.supplies;
      const copies = payable.next(count);
      return {
        requests: copies.map((copy) => callback(furnished.supplies, copy)),
        circular: false,
        finish: async (answered) => {
          payable.used(answered);
          await untilPaid(furnished, copies.slice(0, answered));
        },
      };
    },
  },
];
