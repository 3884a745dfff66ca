import { FRESH_FOR } from '../../common/second-factor.js';
import { error } from './error-definition.js';

/** Errors about payouts; a part of `ERRORS`. */
export const PAYOUT_ERRORS = {
  second_person_required: error(
    403,
    'A second person has to approve',
    'Nobody approves a payout in which they had a hand: who asked for it, changed it, made its schedule, added or confirmed its bank account, or decided that its money is an order’s, such as by importing the bank statement, matching a line or accepting late money.',
    'Let another operator approve it. Where the service runs with SINGLE_OPERATOR, wait for the time that the page names.',
  ),
  approver_of_merchant: error(
    403,
    'Somebody outside the merchant has to approve',
    'Nobody approves a payout of a merchant to which they belong, or ever belonged.',
    'Let another operator approve it.',
  ),
  second_factor_too_old: error(
    403,
    'A fresh code is needed',
    `A payout is approved with a second factor that is at most ${FRESH_FOR} old.`,
    'Type a code from your authenticator app and approve again.',
  ),
  payout_not_found: error(
    404,
    'There is no such payout',
    'No payout of this merchant and mode has the id; test and live data never meet.',
    'Check the id, and that the key is of the right mode.',
  ),
  payout_file_not_found: error(
    404,
    'There is no such bank file',
    'No file for the bank has the id.',
    'Open the file from the list of files.',
  ),
  bank_account_not_found: error(
    404,
    'There is no such bank account',
    'The merchant has no such account in this mode, or it was confirmed or removed before.',
    'Look at the list of bank accounts.',
  ),
  payout_not_possible: error(
    409,
    'The payout cannot do that now',
    'The payout is in a status from which this is not possible; somebody else may have changed it.',
    'Look at the payout again.',
  ),
  payout_changed: error(
    409,
    'The payout has changed',
    'Its amount, account or lines are not those that were looked at or approved.',
    'Look at the payout again before you decide.',
  ),
  payout_too_large: error(
    409,
    'The payout is too large',
    'One payout pays at most 100,000 entries of the ledger and 99,999,999,999 minor units, and more would be needed.',
    'Ask for a smaller amount first, then for the rest.',
  ),
  insufficient_balance: error(
    422,
    'The available balance is too low',
    'The amount is higher than what the merchant has available now; payouts and refunds may have reserved it.',
    'Ask for at most what is available, or again when more orders have been paid.',
  ),
  bank_account_not_usable: error(
    409,
    'Nothing can be paid out to this bank account yet',
    'A new account has to be confirmed, waits for 24 hours and for a mail about it to leave; a removed one is not paid to at all.',
    'Confirm the account, wait until it can be used, or choose another one.',
  ),
  bank_account_in_use: error(
    409,
    'Payouts to this bank account are under way',
    'An account cannot be removed while a payout to it waits for approval or is on its way.',
    'Cancel the payout, or wait until it has ended.',
  ),
  payout_file_withheld: error(
    409,
    'The bank file is not handed out any more',
    'It was not sent after all, or a payout of it failed or came back: a bank that is given it now pays twice.',
    'Delete the copies that there are, and make another file.',
  ),
  payout_file_changed: error(
    409,
    'The bank file is not what its payouts say',
    'Its bytes, or an amount, an account, an id or a sum in it, are not those of the payouts that were approved.',
    'Give no copy of it to the bank. Run the doctor, and find out who changes the database.',
  ),
  nothing_to_export: error(
    409,
    'There is nothing to export',
    'No payout of this mode and currency is approved; somebody else may have exported them.',
    'Look at the newest file before you make another.',
  ),
  payout_account_missing: error(
    409,
    'The account that pays is not set',
    'A bank file names the account that payouts are paid from, and the service was not told which.',
    'Set `PAYOUT_NAME` and `PAYOUT_IBAN` and start the service again.',
  ),
} as const;
