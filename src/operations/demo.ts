import { Difference, heading, step } from './demo/report.js';
import type { Receiver } from './demo/receiver.js';
import { type Service, startService } from './demo/service.js';
import { openOrder, tour } from './demo/tour.js';

const KEEP = process.argv.includes('--keep');

async function demo(): Promise<void> {
  const start = performance.now();
  console.log('');
  const service = await step('Service started', startService, ({ url }) => `${url}, nothing kept`);
  try {
    const { receiver } = await tour(service);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    if (KEEP) await lookAround(service, receiver);
    else heading(`All as it should be, in ${seconds} s. To look around: npm run demo -- --keep`);
  } finally {
    await service.stop();
  }
}

async function lookAround(service: Service, receiver: Receiver): Promise<void> {
  const { url, apiKey, mailFolder, ended } = service;
  const { paymentPageUrl } = await openOrder(service);
  heading('The service is yours until Ctrl-C');
  console.log(`  Payment page   ${paymentPageUrl}   (it leads to the sandbox bank)
  Reference      ${url}/docs
  Metrics        ${url}/metrics
  Mails          ${mailFolder}
  Webhooks       order.paid to ${receiver.url}, shown below

  For the examples of README.md:

  export BASE=${url}
  export KEY=${apiKey}\n`);
  receiver.onVerified = ({ type, id, order }) =>
    console.log(`  ${type}  ${order.orderMerchantId}  webhook-id ${id}, verified`);
  await ended;
  throw new Difference('the service ended by itself');
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(KEEP ? 0 : 1));

await demo().catch((error: unknown) => {
  const { message, stack } = error as Error;
  console.error(`\n${error instanceof Difference ? `Not as it should be: ${message}` : stack}`);
  process.exitCode = 1;
});
