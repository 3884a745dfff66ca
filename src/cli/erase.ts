import { type Command, CommandError, type Output } from './command.js';
import * as inputs from './inputs.js';
import { type Input, UsageError } from './options.js';
import { type Services, withMerchant } from './services.js';

const ACCOUNT: Input<string> = {
  expects: 'an account number as the order page shows it, of 4 to 100 characters',
  parse: (text) => (/^\S.{2,98}\S$/.test(text) ? text : undefined),
};

const erase: Command = {
  name: 'erase',
  usage: '--merchant ID [--email MAILBOX] [--account NUMBER]',
  help:
    'Forgets a payer, found by e-mail address or account: name, address, account, texts, fields\n' +
    '      and notes leave the orders that have ended. Money and its proof stay. Cannot be undone.',
  options: ['merchant', 'email', 'account'],
  prepare: (options) => {
    const merchantId = options.required('merchant', inputs.ID);
    const email = options.optional('email', inputs.EMAIL_INPUT) ?? null;
    const account = options.optional('account', ACCOUNT) ?? null;
    if (email === null && account === null) {
      throw new UsageError('--email or --account is missing.');
    }
    return () =>
      withMerchant(merchantId, (services) => eraseFrom(services, merchantId, { email, account }));
  },
};

export const ERASE_COMMANDS: readonly Command[] = [erase];

async function eraseFrom(
  services: Services,
  merchantId: string,
  payer: { email: string | null; account: string | null },
): Promise<Output> {
  // The trace says how many, and not who: it is kept longer than anybody may be.
  const { erased, waiting, messages } = await services.erasure.erase(
    merchantId,
    payer,
    (tx, data) => services.accounts.note(tx, { action: 'payer.erased', merchantId, data }),
  );
  if (erased.length + waiting.length + messages.erased + messages.waiting === 0) {
    throw new CommandError('No order or message of the merchant is about this payer.');
  }
  const open = waiting.length === 0 ? '' : ` Not ended yet, so still there: ${waiting.join(', ')}.`;
  const unseen =
    messages.waiting === 0
      ? ''
      : ` Nobody has looked at ${messages.waiting} more messages yet, so they are still there.`;
  const gone = `${erased.length} orders and ${messages.erased} messages about no known payment`;
  return {
    text: `The payer is erased from ${gone}.${open}${unseen}`,
    json: { erased, waiting, messages },
  };
}
