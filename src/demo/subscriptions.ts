import { Mailbox } from './mail.js';
import { Browser } from './browser.js';
import { Receiver, type Verified } from './receiver.js';
import { block, Difference, expectSame, step } from './report.js';
import type { Service } from './service.js';
import type { Shop } from './shop.js';
import { until } from './wait.js';

const ADDRESS = 'orders@nordlicht.example';

/** Where the shop and its staff receive notifications of paid orders. */
export interface Subscriptions {
  readonly receiver: Receiver;
  readonly mailbox: Mailbox;
}

export async function subscribe(shop: Shop, { mailFolder }: Service): Promise<Subscriptions> {
  const receiver = await Receiver.start();
  await step(
    'Webhook endpoint created',
    async () => {
      const { body } = await shop.createEndpoint(receiver.url, 'order.paid');
      receiver.secret = body.secret;
    },
    () => `${receiver.url}, for order.paid`,
  );
  const mailbox = new Mailbox(mailFolder);
  await confirm(shop, mailbox);
  return { receiver, mailbox };
}

/** Mails require consent: a first mail leads to a page with a button. */
async function confirm(shop: Shop, mailbox: Mailbox): Promise<void> {
  const { body } = await step(
    'E-mail recipient added',
    () => shop.addRecipient(ADDRESS),
    ({ body: { email, status } }) => `${email}, ${status}`,
  );
  const mail = await step('Mail asks for confirmation', () => nextMail(mailbox), titleOf);
  const link = /http\S+\/notification-recipient\/\S+/.exec(mail)?.[0];
  if (link === undefined) throw new Difference('the mail has no link');
  await step(
    'Confirmed on the linked page',
    async () => {
      const browser = new Browser();
      await browser.submit(await browser.open(link), '/confirm');
      return shop.recipient(body.id);
    },
    ({ body: { status } }) => status,
  ).then((reply) => expectSame('the recipient', reply.body.status, 'confirmed'));
}

/** Notifications received. */
export async function showNews({ receiver, mailbox }: Subscriptions, txid: string): Promise<void> {
  const webhook = await step(
    'Webhook received',
    () => nextWebhook(receiver),
    ({ type, id }) => `${type}, webhook-id ${id}, verified`,
  );
  expectSame('the webhook’s order', webhook.order.txid, txid);
  expectSame('the webhook’s status', webhook.order.status, 'paid');
  const mail = await step(
    'Mail received',
    () => nextMail(mailbox),
    () => `to ${ADDRESS}`,
  );
  if (!mail.includes(txid)) throw new Difference('the mail does not name the order');
  block(mail);
}

const nextMail = (mailbox: Mailbox): Promise<string> =>
  until('no mail was written', () => mailbox.open());

const nextWebhook = ({ verified, refused }: Receiver): Promise<Verified> =>
  until('no webhook came', () => {
    if (refused[0] !== undefined) throw new Difference(`a webhook was refused: ${refused[0]}`);
    return verified.shift();
  });

/** Below the test mode notice and the merchant's name. */
const titleOf = (mail: string): string => mail.split('\n\n')[2] ?? '';
