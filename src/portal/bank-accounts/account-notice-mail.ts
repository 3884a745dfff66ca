import { maskAccount } from '../../common/mask.js';
import { formatMoment } from '../../common/time/time-format.js';
import type { DueNotice } from '../../database/payouts/bank-accounts/bank-account-notice.repository.js';
import type { SystemMail } from '../../notifications/mail/mail.model.js';
import { pathOf } from '../../people/portal-context.js';

/**
 * Notifies an owner about a new bank account while there is time to object. The mail contains no text chosen by the
 * merchant's users, so that none of them can make a mail server reject it.
 * @param earliest when the account can receive payouts if an owner has already confirmed it
 */
export function accountNoticeMail(
  notice: DueNotice,
  earliest: Date,
  publicUrl: string,
): SystemMail {
  const { merchantId: merchant, mode } = notice;
  const from = formatMoment(earliest, notice.timeZone, 'en');
  return {
    // A resent mail to the same owner has the same ID.
    id: `${notice.bankAccountId}.${notice.userId}`,
    to: notice.email,
    isTest: mode === 'test',
    subject: { text: 'New bank account for payouts' },
    title: 'A bank account was added',
    paragraphs: [
      { text: 'A bank account was added to the merchant {merchant}.', values: { merchant } },
      {
        text: 'It can receive payouts from {from} at the earliest, and one day after an owner has confirmed it.',
        values: { from },
      },
      { text: 'If you expected this, no action is needed.' },
    ],
    warning:
      'If you did not expect this, remove the account before that time. The audit log shows who added it: ask that person, and both of you should change your passwords.',
    rows: [
      { label: 'Merchant', value: merchant },
      { label: 'IBAN', value: maskAccount(notice.iban, 'iban') },
      { label: 'Not used before', value: from },
    ],
    button: {
      label: 'See the bank accounts',
      url: `${publicUrl}${pathOf(notice)}/bank-accounts`,
    },
    why: 'This was sent to {email} because it belongs to an owner of the merchant, or did within the last seven days.',
  };
}
