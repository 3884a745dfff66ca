import { matchLocale, LOCALES } from '../common/locale.js';
import { AMOUNT_MAX, isAmount } from '../common/money/money.js';
import { isTimeZone } from '../common/time/time-format.js';
import { parse } from '../contract/parse.js';
import { CreateRecipientRequest } from '../notifications/recipients/dto/recipient.request.js';
import type { RecipientResponse } from '../contract/recipient.response.js';
import { type Command, type Output, rethrowAsCommandError } from './command.js';
import * as inputs from './inputs.js';
import type { Input, Options } from './options.js';
import { type Services, withMerchant } from './services.js';
import { day, table } from './text.js';

const LOCALE: Input<string> = {
  expects: `a language: ${LOCALES.join(', ')}`,
  parse: matchLocale,
};

const TIME_ZONE: Input<string> = {
  expects: 'an IANA time zone such as Europe/Berlin',
  parse: (text) => (isTimeZone(text) ? text : undefined),
};

const AMOUNT: Input<number> = {
  expects: `a whole number of minor units from 1 to ${AMOUNT_MAX}`,
  parse: (text) => (/^\d+$/.test(text) && isAmount(Number(text)) ? Number(text) : undefined),
};

const OWNER = '--merchant ID --mode test|live';

const ownerOf = (options: Options) => ({
  merchantId: options.required('merchant', inputs.ID),
  mode: options.required('mode', inputs.MODE),
});

const add: Command = {
  name: 'recipient add',
  usage: `${OWNER} --email ADDRESS [--locale de] [--time-zone Europe/Berlin]\n      [--minimum-amount 5000]`,
  help: 'Asks a mailbox for consent to an e-mail about each paid order.',
  options: ['merchant', 'mode', 'email', 'locale', 'time-zone', 'minimum-amount'],
  prepare: (options) => {
    const owner = ownerOf(options);
    const body = {
      email: options.required('email', inputs.EMAIL_INPUT),
      locale: options.optional('locale', LOCALE),
      timeZone: options.optional('time-zone', TIME_ZONE),
      minimumAmount: options.optional('minimum-amount', AMOUNT),
    };
    return () =>
      withRecipients(owner.merchantId, async ({ recipients }) => {
        const { recipient } = await recipients.add(owner, parse(CreateRecipientRequest, body));
        return { text: `${stateOf(recipient)}\nIts id is ${recipient.id}.`, json: recipient };
      });
  },
};

const list: Command = {
  name: 'recipient list',
  usage: OWNER,
  help: 'Lists the mailboxes of a merchant, with the status of the newest mail to each.',
  options: ['merchant', 'mode'],
  prepare: (options) => {
    const owner = ownerOf(options);
    return () =>
      withRecipients(owner.merchantId, async ({ recipients }) => {
        const { data } = await recipients.list(owner);
        return { text: table(COLUMNS, data.map(rowOf)), json: { recipients: data } };
      });
  },
};

const remove: Command = {
  name: 'recipient remove',
  usage: `${OWNER} --recipient ID`,
  help: 'Erases a mailbox; no more mails are sent to it.',
  options: ['merchant', 'mode', 'recipient'],
  prepare: (options) =>
    toRecipient(options, async (recipients, owner, id) => {
      await recipients.remove(owner, id);
      return { text: `Recipient ${id} is removed.`, json: { id, removed: true } };
    }),
};

const test: Command = {
  name: 'recipient test',
  usage: `${OWNER} --recipient ID`,
  help: 'Has the running service send a test mail.',
  options: ['merchant', 'mode', 'recipient'],
  prepare: (options) =>
    toRecipient(options, async (recipients, owner, id) => {
      const recipient = await recipients.test(owner, id);
      const mail = recipient.status === 'confirmed' ? 'A test mail' : 'The question to confirm';
      const text = `${mail} to ${recipient.email} is queued; recipient list shows its status.`;
      return { text, json: recipient };
    }),
};

const readmit: Command = {
  name: 'recipient readmit',
  usage: '--merchant ID --email ADDRESS',
  help: 'Lets a merchant request consent again from a mailbox that unsubscribed by mistake.',
  options: ['merchant', 'email'],
  prepare: (options) => {
    const merchantId = options.required('merchant', inputs.ID);
    const email = options.required('email', inputs.EMAIL_INPUT);
    return () =>
      withRecipients(merchantId, async ({ recipients }) => {
        await recipients.readmit({ merchantId }, email);
        return { text: `${email} may be asked again.`, json: { email, readmitted: true } };
      });
  },
};

export const RECIPIENT_COMMANDS: readonly Command[] = [add, list, remove, test, readmit];

const withRecipients = (merchantId: string, work: (services: Services) => Promise<Output>) =>
  withMerchant(merchantId, work).catch(rethrowAsCommandError);

type OnRecipient = (
  recipients: Services['recipients'],
  owner: ReturnType<typeof ownerOf>,
  id: string,
) => Promise<Output>;

function toRecipient(options: Options, work: OnRecipient) {
  const owner = ownerOf(options);
  const id = options.required('recipient', inputs.ID);
  return () => withRecipients(owner.merchantId, ({ recipients }) => work(recipients, owner, id));
}

const STATES: Record<RecipientResponse['status'], (email: string) => string> = {
  unconfirmed: (email) => `${email} receives a mail that asks for consent.`,
  confirmed: (email) => `${email} receives a mail for each paid order.`,
  unsubscribed: (email) => `${email} has unsubscribed.`,
};

const stateOf = ({ status, email }: RecipientResponse): string => STATES[status](email ?? '');

const COLUMNS = ['id', 'since', 'status', 'language', 'from amount', 'last mail', 'address'];

function rowOf(recipient: RecipientResponse): string[] {
  const { id, createdAt, status, locale, minimumAmount, lastDelivery, email } = recipient;
  const last = lastDelivery ? `${lastDelivery.type} ${lastDelivery.status}` : 'none';
  const since = day(new Date(createdAt));
  return [id, since, status, locale, String(minimumAmount ?? 'all'), last, email ?? ''];
}
