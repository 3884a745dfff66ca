import { formatMoment } from '../../common/time-format.js';
import type { DueUserNotice } from '../../database/people/user-notice.repository.js';
import { type SystemMail, SERVICE } from '../../notifications/mail/system-mail.js';

/**
 * What a mail about the safety of an account or of a merchant says. Nothing in it is chosen by anybody of
 * the merchant, no name, address or host: whoever chose it could make a mail server refuse the mail.
 */
export const noticeMail = (notice: DueUserNotice, publicUrl: string): SystemMail =>
  WRITERS[notice.kind](notice, publicUrl);

const whenOf = ({ createdAt, timeZone }: DueUserNotice): string =>
  formatMoment(createdAt, timeZone, 'en');

const codesGuessed = (notice: DueUserNotice, publicUrl: string): SystemMail => ({
  id: notice.id,
  to: notice.email,
  sender: SERVICE,
  contents: {
    subject: { text: 'Wrong codes for your account' },
    title: 'Somebody typed wrong codes',
    paragraphs: [
      { text: 'Somebody typed five wrong codes for your account.' },
      { text: 'If it was you, you need do nothing: wait a minute, then sign in again.' },
    ],
    warning:
      'If it was not you, somebody may know your password. Choose a new one now: that signs everybody out.',
    rows: [
      { label: 'When', value: whenOf(notice) },
      { label: 'From', value: notice.data['address'] ?? '' },
    ],
    button: { label: 'Choose a password', url: `${publicUrl}/portal/reset` },
    why: 'This was sent to {email} because the account has this address.',
  },
});

/** What everybody gets who can sign in, about the account and nothing else. */
const ofAccount = (
  notice: DueUserNotice,
  publicUrl: string,
  words: { readonly subject: string; readonly title: string; readonly text: string },
): SystemMail => ({
  id: notice.id,
  to: notice.email,
  sender: SERVICE,
  contents: {
    subject: { text: words.subject },
    title: words.title,
    paragraphs: [{ text: words.text }, { text: 'If it was you, you need do nothing.' }],
    warning:
      'If it was not you, somebody can sign in as you. Choose a new password now, which signs everybody out, and tell an operator.',
    rows: [
      { label: 'When', value: whenOf(notice) },
      { label: 'From', value: notice.data['address'] ?? '' },
      ...('browser' in notice.data
        ? [{ label: 'Browser', value: notice.data['browser'] ?? '' }]
        : []),
    ],
    button: { label: 'Choose a password', url: `${publicUrl}/portal/reset` },
    why: 'This was sent to {email} because the account has this address.',
  },
});

const accountChanged = (notice: DueUserNotice, publicUrl: string): SystemMail =>
  ofAccount(notice, publicUrl, {
    subject: 'Your account was changed',
    title: 'The way to sign in was changed',
    text: notice.data['text'] ?? '',
  });

const signedIn = (notice: DueUserNotice, publicUrl: string): SystemMail =>
  ofAccount(notice, publicUrl, {
    subject: 'A new browser signed in to your account',
    title: 'Somebody signed in',
    text: 'It was in a browser that your account does not know, or not since its password or second step changed.',
  });

const endpointByKey = (notice: DueUserNotice, publicUrl: string): SystemMail => ({
  id: notice.id,
  to: notice.email,
  sender: SERVICE,
  contents: {
    subject: { text: 'New address for your webhooks' },
    title: 'Live events go to a new address',
    paragraphs: [
      { text: notice.data['text'] ?? '' },
      { text: 'If you know about it, you need do nothing.' },
    ],
    warning:
      'If you do not know about it, somebody has one of your keys: delete the endpoint and revoke the key now. Live events name your customers.',
    rows: [
      { label: 'When', value: whenOf(notice) },
      { label: 'Merchant', value: notice.merchantId ?? '' },
    ],
    button: {
      label: 'Look at the webhooks',
      url: `${publicUrl}/portal/m/${notice.merchantId}/live/webhooks`,
    },
    why: 'This was sent to {email} because it belongs to an owner of the merchant, or did until now.',
  },
});

const teamChanges = (notice: DueUserNotice, publicUrl: string): SystemMail => ({
  id: notice.id,
  to: notice.email,
  sender: SERVICE,
  contents: {
    subject: { text: 'The team changes' },
    title: 'The team changes',
    paragraphs: [
      { text: notice.data['text'] ?? '' },
      { text: 'If you know about it, you need do nothing.' },
    ],
    warning:
      'If you do not know about it, look at the team and the audit log now, and ask the other owners. An owner can remove others and decide where payouts go, finance sees who pays, and developers make API keys.',
    rows: [
      { label: 'When', value: whenOf(notice) },
      { label: 'Merchant', value: notice.merchantId ?? '' },
    ],
    button: { label: 'Open the portal', url: `${publicUrl}/portal` },
    why: 'This was sent to {email} because it belongs to an owner of the merchant, or did until now.',
  },
});

const WRITERS = {
  'codes-guessed': codesGuessed,
  'owners-changed': teamChanges,
  'endpoint-by-key': endpointByKey,
  'account-changed': accountChanged,
  'signed-in': signedIn,
} as const satisfies Record<DueUserNotice['kind'], typeof teamChanges>;
