import { readIban } from '../common/money/iban.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import { CommandError } from './command.js';
import type { Input } from './options.js';
import type { Services } from './services.js';

export const BANK_ACCOUNT: Input<string> = {
  expects: 'an IBAN, or the account as its bank writes it',
  parse: (text) => readIban(text) ?? (text.trim() || undefined),
};

/** @throws CommandError for an unknown account: an empty result for a typo would look like no problem */
export async function refuseUnknownAccount(
  { accountLooks }: Services,
  mode: Mode,
  account: string | undefined,
): Promise<void> {
  if (account === undefined || (await accountLooks.isKnown(mode, account))) return;
  throw new CommandError(
    `${account} is no collection account in ${mode} mode, and no statement is of it.`,
  );
}
