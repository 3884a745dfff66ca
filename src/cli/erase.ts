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
    'Erases a payer, found by e-mail address or account: name, address, account, texts, fields\n' +
    '      and notes are removed from ended orders. Money and its proof stay. Cannot be undone.',
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
  // The audit log has counts only, since it is kept longer than payer data.
  const { erased, waiting, messages } = await services.erasure.erase(
    merchantId,
    payer,
    (tx, data) => services.accounts.note(tx, { action: 'payer.erased', merchantId, data }),
  );
  if (erased.length + waiting.length + messages.erased + messages.waiting === 0) {
    throw new CommandError('The merchant has no order or message of this payer.');
  }
  const open = waiting.length === 0 ? '' : ` Not erased, since not ended: ${waiting.join(', ')}.`;
  const unseen =
    messages.waiting === 0
      ? ''
      : ` ${messages.waiting} more messages need attention first, and are not erased yet.`;
  const gone = `${erased.length} orders and ${messages.erased} messages without a known payment`;
  return {
    text: `The payer is erased from ${gone}.${open}${unseen}`,
    json: { erased, waiting, messages },
  };
}
