import { formatMoment } from '../../common/time/time-format.js';
import type { DueUserNotice } from '../../database/people/user-notice.repository.js';
import type { SystemMail } from '../../notifications/mail/mail.model.js';

/**
 * Security notices about accounts and merchants. They contain no text that a merchant's users can choose, such as
 * names, addresses or hosts: it could make mail servers reject the mail.
 */
export const noticeMail = (notice: DueUserNotice, publicUrl: string): SystemMail =>
  WRITERS[notice.kind](notice, publicUrl);

const whenOf = ({ createdAt, timeZone }: DueUserNotice): string =>
  formatMoment(createdAt, timeZone, 'en');

type Words = Required<Pick<SystemMail, 'title' | 'warning'>> & {
  readonly subject: string;
  readonly texts: readonly string[];
};

const mailOf = (notice: DueUserNotice, { subject, texts, ...words }: Words) => ({
  id: notice.id,
  to: notice.email,
  subject: { text: subject },
  ...words,
  paragraphs: texts.map((text) => ({ text })),
});

/** Notice to a user about their own account. */
const ofAccount = (notice: DueUserNotice, publicUrl: string, words: Words): SystemMail => ({
  ...mailOf(notice, words),
  rows: [
    { label: 'When', value: whenOf(notice) },
    { label: 'From', value: notice.data['address'] ?? '' },
    ...('browser' in notice.data
      ? [{ label: 'Browser', value: notice.data['browser'] ?? '' }]
      : []),
  ],
  button: { label: 'Choose a password', url: `${publicUrl}/portal/reset` },
  why: 'This was sent to {email} because the account has this address.',
});

/** Notice to the owners of a merchant. */
const ofMerchant = (
  notice: DueUserNotice,
  button: NonNullable<SystemMail['button']>,
  words: Omit<Words, 'texts'>,
): SystemMail => ({
  ...mailOf(notice, {
    ...words,
    texts: [notice.data['text'] ?? '', IF_EXPECTED],
  }),
  rows: [
    { label: 'When', value: whenOf(notice) },
    { label: 'Merchant', value: notice.merchantId ?? '' },
  ],
  button,
  why: 'This was sent to {email} because it belongs to an owner of the merchant, or did until now.',
});

const IF_EXPECTED = 'If you expected this, you need not do anything.';
const IF_YOU = 'If it was you, you need not do anything.';
const IF_NOT_YOU =
  'If it was not you, your account is at risk. Choose a new password now, which ends all sessions, and contact an operator.';

type Write = (notice: DueUserNotice, publicUrl: string) => SystemMail;

/** Notice to all operators about a proposed or confirmed change of a live collection account. */
function collectionAccount(notice: DueUserNotice, publicUrl: string): SystemMail {
  const { what = '', account = '', currency = '', proposer = '', ...rest } = notice.data;
  const { confirmer = '', effective = '' } = rest;
  const isConfirmed = effective !== '';
  return {
    ...mailOf(notice, {
      subject: isConfirmed ? 'An account for payers changes' : 'An account for payers is to change',
      title: isConfirmed ? 'A change was confirmed' : 'A change was proposed',
      texts: [
        `The change ${isConfirmed ? 'was confirmed' : 'was proposed'}: ${what}.`,
        isConfirmed
          ? 'Any operator can withdraw it until it takes effect.'
          : 'It takes effect only after an operator confirms it. Any operator can withdraw it.',
      ],
      warning:
        'Payers send their money where this says. If you do not know about it, withdraw it now and ask the others.',
    }),
    rows: [
      { label: 'Account', value: account },
      { label: 'Currency', value: currency },
      { label: 'Proposed by', value: proposer },
      ...(isConfirmed ? [{ label: 'Confirmed by', value: confirmer }] : []),
      ...(isConfirmed ? [{ label: 'Takes effect', value: effective }] : []),
      { label: 'When', value: whenOf(notice) },
    ],
    button: {
      label: 'Look at the accounts',
      url: `${publicUrl}/portal/platform/collection-accounts/live`,
    },
    why: 'This was sent to {email} because it belongs to an operator, or did until now.',
  };
}

/** Mails about the operators themselves. */
const toOperators = (publicUrl: string) => ({
  button: { label: 'View people', url: `${publicUrl}/portal/platform/people` },
  why: 'This was sent to {email} because it belongs to an operator, or did until now.',
});

const WRITERS: Readonly<Record<DueUserNotice['kind'], Write>> = {
  'codes-guessed': (notice, publicUrl) =>
    ofAccount(notice, publicUrl, {
      subject: 'Wrong codes for your account',
      title: 'Wrong codes were entered',
      texts: [
        'Five wrong codes were entered for your account.',
        'If it was you, you need not do anything: wait a minute, then sign in again.',
      ],
      warning:
        'If it was not you, your password may be known to others. Choose a new one now: that ends all sessions.',
    }),
  'account-changed': (notice, publicUrl) =>
    ofAccount(notice, publicUrl, {
      subject: 'Your account was changed',
      title: 'The way to sign in was changed',
      texts: [notice.data['text'] ?? '', IF_YOU],
      warning: IF_NOT_YOU,
    }),
  'signed-in': (notice, publicUrl) =>
    ofAccount(notice, publicUrl, {
      subject: 'A new browser signed in to your account',
      title: 'New sign-in',
      texts: [
        'A browser signed in that your account does not know, or not since its password or two-factor authentication changed.',
        IF_YOU,
      ],
      warning: IF_NOT_YOU,
    }),
  'endpoint-by-key': (notice, publicUrl) => {
    const url = `${publicUrl}/portal/m/${notice.merchantId}/live/webhooks`;
    return ofMerchant(
      notice,
      { label: 'Look at the webhooks', url },
      {
        subject: 'New address for your webhooks',
        title: 'Live events go to a new address',
        warning:
          'If you did not expect this, one of your keys is compromised: delete the endpoint and revoke the key now. Live events contain data of your customers.',
      },
    );
  },
  'statements-missing': (notice, publicUrl) => ({
    ...mailOf(notice, {
      subject: 'No statement of a bank account',
      title: 'A bank statement is missing',
      texts: [
        'No statement has arrived for two bank days. Orders that were paid by transfer since then still wait.',
        'Check whether the bank has created one, and whether the import works.',
      ],
      warning:
        'Orders that wait for a transfer expire 3 bank days after their last day, even without a statement. Transfers booked in time are still matched, but count as late then.',
    }),
    rows: [
      { label: 'Account', value: notice.data['account'] ?? '' },
      { label: 'Currency', value: notice.data['currency'] ?? '' },
      { label: 'Last day with a statement', value: notice.data['lastDay'] ?? '' },
    ],
    button: {
      label: 'Look at the accounts',
      url: `${publicUrl}/portal/platform/bank/balance/live`,
    },
    why: 'This was sent to {email} because it belongs to an operator. It is sent once each time that statements stop.',
  }),
  'collection-account': collectionAccount,
  'operator-closed': (notice, publicUrl) => ({
    ...mailOf(notice, {
      subject: 'The account of an operator was closed',
      title: 'An operator cannot sign in any more',
      texts: [
        'The account of an operator was closed.',
        'If a single operator is left and may approve alone, the waiting time restarts.',
      ],
      warning:
        'A remaining operator may be the only one who reviews payouts. If you did not expect this, contact the other operators now.',
    }),
    rows: [
      { label: 'Operator', value: notice.data['closed'] ?? '' },
      { label: 'Closed by', value: notice.data['by'] ?? '' },
      { label: 'When', value: whenOf(notice) },
    ],
    ...toOperators(publicUrl),
  }),
  'operator-access': (notice, publicUrl) => ({
    ...mailOf(notice, {
      subject: 'The access of an operator changed',
      title: 'An account can act as an operator',
      texts: [notice.data['text'] ?? '', IF_EXPECTED],
      warning:
        'Operators approve payouts and confirm collection accounts of each other. If you did not expect this, disable the account now and contact the other operators.',
    }),
    rows: [
      { label: 'Operator', value: notice.data['operator'] ?? '' },
      { label: 'Changed by', value: notice.data['by'] ?? '' },
      { label: 'When', value: whenOf(notice) },
    ],
    ...toOperators(publicUrl),
  }),
  'payout-waits': (notice, publicUrl) => ({
    ...mailOf(notice, {
      subject: 'A payout waits for a single operator',
      title: 'A payout can be approved by one person',
      texts: [
        'The business has a single operator, who took part in the money of this payout, for example by importing the bank statement with it.',
        `No second person has to approve it: instead the operator waits ${notice.data['hours'] ?? ''} hours after this e-mail.`,
        IF_EXPECTED,
      ],
      warning:
        'If you did not expect this, cancel the payout now, or ask the operator of the service to reject it.',
    }),
    rows: [
      { label: 'Amount', value: notice.data['amount'] ?? '' },
      { label: 'Merchant', value: notice.merchantId ?? '' },
      { label: 'Payout', value: notice.data['payout'] ?? '' },
      { label: 'Requested', value: notice.data['askedAt'] ?? '' },
    ],
    button: { label: 'Open the portal', url: `${publicUrl}/portal` },
    why: 'This was sent to {email} because it belongs to an operator, or to an owner of the merchant.',
  }),
  'refund-account': (notice, publicUrl) => ({
    ...mailOf(notice, {
      subject: 'A payer entered the account for a refund',
      title: 'A refund goes to an account that was entered by link',
      texts: [
        'The bank did not name the account from which the order was paid. Somebody with the link of the refund has now entered one.',
        'If the account is your customer’s, confirm it on the page of the order. An operator can approve the refund 24 hours later.',
      ],
      warning: 'If the account may be somebody else’s, cancel the refund there.',
    }),
    rows: [
      { label: 'Amount', value: notice.data['amount'] ?? '' },
      { label: 'Account', value: notice.data['account'] ?? '' },
      { label: 'Merchant', value: notice.merchantId ?? '' },
      { label: 'Refund', value: notice.data['refund'] ?? '' },
      { label: 'When', value: whenOf(notice) },
    ],
    button: {
      label: 'Open the order',
      url: `${publicUrl}/portal/m/${notice.merchantId ?? ''}/live/orders/${notice.data['order'] ?? ''}`,
    },
    why: 'This was sent to {email} because it belongs to an owner of the merchant, or did until now.',
  }),
  'owners-changed': (notice, publicUrl) =>
    ofMerchant(
      notice,
      { label: 'Open the portal', url: `${publicUrl}/portal` },
      {
        subject: 'The team changes',
        title: 'The team changes',
        warning:
          'If you did not expect this, check the team and the audit log now, and ask the other owners. An owner can remove others and decide where payouts go, finance sees who pays, and developers make API keys.',
      },
    ),
};
