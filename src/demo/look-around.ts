import { generate } from 'otplib';
import { Difference, heading } from './report.js';
import type { DemoUser, Service } from './service.js';
import { openOrder, type Toured } from './tour.js';

/** Prints all addresses, and keeps the service running until it is stopped. */
export async function lookAround(service: Service, toured: Toured): Promise<void> {
  const { paymentPageUrl } = await openOrder(service);
  const { receiver } = toured.subscriptions;
  heading('The service is yours until Ctrl-C');
  console.log(placesOf(service, paymentPageUrl, receiver.url));
  heading('Sign in to the portal as');
  console.log(service.users.map(lineOf).join('\n'));
  console.log(`
  The operator has a second step already. An app for six-digit codes takes this key:
  ${toured.operatorSecret}
  Without an app press Enter here, and the code of the moment is shown. Others set up a second step
  of their own under "Your account", which live orders and the platform's pages ask them for.`);
  heading('For the examples of README.md, and for the command line');
  console.log(`  export BASE=${service.url}
  export KEY=${service.apiKey}
  export DATABASE_URL=${service.databaseUrl}\n`);
  receiver.onVerified = ({ type, id, order }) =>
    console.log(`  ${type}  ${order.orderMerchantId}  webhook-id ${id}, verified`);
  process.stdin.on('data', () => void tellCode(toured.operatorSecret));
  await service.ended;
  throw new Difference('the service ended by itself');
}

const placesOf = ({ url, mailFolder }: Service, paymentPageUrl: string, receiver: string): string =>
  `  Start          ${url}
  Portal         ${url}/portal
  Payment page   ${paymentPageUrl}   (it leads to the sandbox bank)
  Reference      ${url}/docs
  Metrics        ${url}/metrics
  Mails          ${mailFolder}
  Webhooks       order.paid to ${receiver}, shown below`;

const lineOf = ({ role, email, password }: DemoUser): string =>
  `  ${role.padEnd(12)}${email.padEnd(26)}${password}`;

const tellCode = async (secret: string): Promise<void> =>
  console.log(`  ${await generate({ secret })}  is the operator's code of the moment`);
