import { readFile, writeFile } from 'node:fs/promises';
import { paymentOrders } from 'payment-order-client';

const shop = paymentOrders({
  baseUrl: process.env['BASE'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['KEY'] ?? '',
});

// The place in the feed is kept beside what was done with its events: after a crash it goes on from there.
const after = await readFile('place.txt', 'utf8').catch(() => undefined);
for await (const { data, next } of shop.pages('listEvents', after === undefined ? {} : { after }, {
  followMs: 5_000,
})) {
  for (const event of data) console.log(event.type, event.data.status);
  if (next !== null) await writeFile('place.txt', next);
}
