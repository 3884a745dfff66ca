import { formatMoment } from '../../common/time-format.js';
import type { DueUserNotice } from '../../database/people/user-notice.repository.js';
import type { SystemMail } from '../../notifications/mail/mail.model.js';

/**
 * What a mail about the safety of an account or of a merchant says. Nothing in it is chosen by anybody of
 * the merchant, no name, address or host: whoever chose it could make a mail server refuse the mail.
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

/** What everybody gets who can sign in, about the account and nothing else. */
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

/** What the owners of a merchant get. */
const ofMerchant = (
  notice: DueUserNotice,
  button: NonNullable<SystemMail['button']>,
  words: Omit<Words, 'texts'>,
): SystemMail => ({
  ...mailOf(notice, {
    ...words,
    texts: [notice.data['text'] ?? '', 'If you know about it, you need do nothing.'],
  }),
  rows: [
    { label: 'When', value: whenOf(notice) },
    { label: 'Merchant', value: notice.merchantId ?? '' },
  ],
  button,
  why: 'This was sent to {email} because it belongs to an owner of the merchant, or did until now.',
});

const IF_YOU = 'If it was you, you need do nothing.';
const SOMEBODY_CAN =
  'If it was not you, somebody can sign in as you. Choose a new password now, which signs everybody out, and tell an operator.';

type Write = (notice: DueUserNotice, publicUrl: string) => SystemMail;

/** What all operators get when a live account for payers is to change, and when that was confirmed. */
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

const WRITERS: Readonly<Record<DueUserNotice['kind'], Write>> = {
  'codes-guessed': (notice, publicUrl) =>
    ofAccount(notice, publicUrl, {
      subject: 'Wrong codes for your account',
      title: 'Somebody typed wrong codes',
      texts: [
        'Somebody typed five wrong codes for your account.',
        'If it was you, you need do nothing: wait a minute, then sign in again.',
      ],
      warning:
        'If it was not you, somebody may know your password. Choose a new one now: that signs everybody out.',
    }),
  'account-changed': (notice, publicUrl) =>
    ofAccount(notice, publicUrl, {
      subject: 'Your account was changed',
      title: 'The way to sign in was changed',
      texts: [notice.data['text'] ?? '', IF_YOU],
      warning: SOMEBODY_CAN,
    }),
  'signed-in': (notice, publicUrl) =>
    ofAccount(notice, publicUrl, {
      subject: 'A new browser signed in to your account',
      title: 'Somebody signed in',
      texts: [
        'It was in a browser that your account does not know, or not since its password or second step changed.',
        IF_YOU,
      ],
      warning: SOMEBODY_CAN,
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
          'If you do not know about it, somebody has one of your keys: delete the endpoint and revoke the key now. Live events name your customers.',
      },
    );
  },
  'statements-missing': (notice, publicUrl) => ({
    ...mailOf(notice, {
      subject: 'No statement of a bank account',
      title: 'A bank statement is missing',
      texts: [
        'Two bank days have passed of which no statement came in. Orders that were paid by transfer meanwhile still wait.',
        'Look whether the bank made one, and whether the way by which statements come in works.',
      ],
      warning:
        'Orders that wait for a transfer expire 3 bank days after their last day, whether a statement came or not. What is booked in time is matched all the same, but is late then.',
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
    why: 'This was sent to {email} because it belongs to an operator. It comes once for each time that statements stop.',
  }),
  'collection-account': collectionAccount,
  'operator-closed': (notice, publicUrl) => ({
    ...mailOf(notice, {
      subject: 'The account of an operator was closed',
      title: 'An operator cannot sign in any more',
      texts: [
        'The account of an operator was closed.',
        'Where a single operator is left and may approve alone, the waiting time begins anew.',
      ],
      warning:
        'Whoever is left may be the only one who looks at payouts. If you do not know about it, ask the others and whoever runs the service now.',
    }),
    rows: [
      { label: 'Operator', value: notice.data['closed'] ?? '' },
      { label: 'Closed by', value: notice.data['by'] ?? '' },
      { label: 'When', value: whenOf(notice) },
    ],
    button: { label: 'Look at the people', url: `${publicUrl}/portal/platform/people` },
    why: 'This was sent to {email} because it belongs to an operator, or did until now.',
  }),
  'payout-waits': (notice, publicUrl) => ({
    ...mailOf(notice, {
      subject: 'A payout waits for a single operator',
      title: 'A payout can be approved by one person',
      texts: [
        'The business has a single operator, who had a hand in the money of this payout, such as by importing the bank statement with it.',
        `Nobody else has to approve it: instead the operator waits ${notice.data['hours'] ?? ''} hours after this e-mail.`,
        'If you know about it, you need do nothing.',
      ],
      warning:
        'If you do not know about it, cancel the payout now, or ask whoever runs the service to reject it.',
    }),
    rows: [
      { label: 'Amount', value: notice.data['amount'] ?? '' },
      { label: 'Merchant', value: notice.merchantId ?? '' },
      { label: 'Payout', value: notice.data['payout'] ?? '' },
      { label: 'Asked for', value: notice.data['askedAt'] ?? '' },
    ],
    button: { label: 'Open the portal', url: `${publicUrl}/portal` },
    why: 'This was sent to {email} because it belongs to an operator, or to an owner of the merchant.',
  }),
  'owners-changed': (notice, publicUrl) =>
    ofMerchant(
      notice,
      { label: 'Open the portal', url: `${publicUrl}/portal` },
      {
        subject: 'The team changes',
        title: 'The team changes',
        warning:
          'If you do not know about it, look at the team and the audit log now, and ask the other owners. An owner can remove others and decide where payouts go, finance sees who pays, and developers make API keys.',
      },
    ),
};
