import { maskAccount } from '../../common/mask.js';
import { formatMoment } from '../../common/time-format.js';
import type { DueNotice } from '../../database/payouts/bank-account-notice.repository.js';
import type { SystemMail } from '../../notifications/mail/mail.model.js';
import { pathOf } from '../../people/portal-context.js';

/**
 * Tells an owner of a new bank account while there is time to object. Nothing in it is chosen by anybody
 * of the merchant, so that nobody makes a mail server refuse it.
 * @param earliest when money can go there, should an owner have confirmed it already
 */
export function accountNoticeMail(
  notice: DueNotice,
  earliest: Date,
  publicUrl: string,
): SystemMail {
  const { merchantId: merchant, mode } = notice;
  const from = formatMoment(earliest, notice.timeZone, 'en');
  return {
    // A repeat to the same owner is the same mail.
    id: `${notice.bankAccountId}.${notice.userId}`,
    to: notice.email,
    isTest: mode === 'test',
    subject: { text: 'New bank account for payouts' },
    title: 'A bank account was added',
    paragraphs: [
      { text: 'A bank account was added to the merchant {merchant}.', values: { merchant } },
      {
        text: 'Payouts can go there from {from} at the earliest, and a day after an owner has confirmed it.',
        values: { from },
      },
      { text: 'If you know about it, you need do nothing.' },
    ],
    warning:
      'If you do not know about it, remove the account before that time, ask whoever added it, whom the audit log names, and have both of you choose a new password.',
    rows: [
      { label: 'Merchant', value: merchant },
      { label: 'IBAN', value: maskAccount(notice.iban, 'iban') },
      { label: 'Not used before', value: from },
    ],
    button: {
      label: 'See the bank accounts',
      url: `${publicUrl}${pathOf(notice)}/bank-accounts`,
    },
    why: 'This was sent to {email} because it belongs to an owner of the merchant, or did in the last seven days.',
  };
}
