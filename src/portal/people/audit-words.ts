import type { ReadEntry } from '../../database/people/audit.repository.js';
import { ROLE_NAMES } from '../../people/roles.js';

type Data = Readonly<Record<string, unknown>>;
type Sentence = string | ((data: Data) => string);

/** A string of the entry, or the fallback. */
const text = (data: Data, name: string, otherwise: string): string => {
  const value = data[name];
  return typeof value === 'string' && value !== '' ? value : otherwise;
};

const role = (data: Data, name: string): string => {
  const known = text(data, name, '');
  return Object.hasOwn(ROLE_NAMES, known)
    ? ROLE_NAMES[known as keyof typeof ROLE_NAMES].toLowerCase()
    : 'another role';
};

const emailIn = (data: Data): string => text(data, 'email', 'a user');

const SENTENCES: Readonly<Record<string, Sentence>> = {
  'sign-in': 'Signed in.',
  'sign-in.refused': 'Failed sign-in: wrong password, at least once in this hour.',
  'code.refused': 'Entered a wrong code.',
  'password.refused': 'Entered a wrong password while signed in.',
  'password.changed': 'Changed the password.',
  'password.reset-asked': 'Requested a password reset link.',
  'password.reset': 'Reset the password with a link.',
  'second-factor.set-up': 'Set up two-factor authentication.',
  'second-factor.replaced': 'Changed the authenticator app.',
  'recovery-codes.renewed': 'Created new recovery codes.',
  'session.ended': 'Signed out another browser.',
  'sessions.ended': 'Signed out all other browsers.',
  'user.created': 'Created a user on the command line.',
  'user.disabled': 'Disabled a user on the command line.',
  'user.enabled': 'Enabled a user on the command line.',
  'second-factor.forgotten': 'Removed a user’s two-factor authentication on the command line.',
  'invitation.sent': (data) => `Invited ${emailIn(data)} as ${role(data, 'role')}.`,
  'invitation.sent-again': (data) => `Resent the invitation to ${emailIn(data)}.`,
  'invitation.revoked': (data) => `Revoked the invitation of ${emailIn(data)}.`,
  'invitation.withdrawn': (data) =>
    `Withdrew the invitation of ${emailIn(data)} because its sender left.`,
  'invitation.accepted': (data) => `Joined the team as ${role(data, 'role')}.`,
  'member.role-changed': (data) =>
    `Changed the role of ${emailIn(data)} from ${role(data, 'from')} to ${role(data, 'to')}.`,
  'member.removed': (data) => `Removed ${emailIn(data)} from the team.`,
  'page.opened': (data) => `Viewed a page as support: ${text(data, 'page', 'unknown')}.`,
  'orders.listed': 'Viewed the order list.',
  'orders.exported': 'Downloaded orders.',
  'export.cancelled': 'Cancelled an export.',
  'export.fetched': 'Downloaded an exported file.',
  'order.viewed': 'Viewed an order.',
  'refund.requested': 'Requested a refund of an order.',
  'refund.approved': 'Approved a refund of an order.',
  'refund.account-confirmed': 'Confirmed the account of a refund.',
  'refund.rejected': 'Rejected a refund of an order.',
  'refund.cancelled': 'Cancelled a refund of an order.',
  'order.cancel-asked': 'Requested the cancellation of an order.',
  'order.noted': 'Added a note to an order.',
  'payer.revealed': 'Viewed the payer of an order.',
  'delivery.resent': 'Resent a webhook.',
  'business.changed': 'Changed the business details.',
  'key.created': 'Created an API key.',
  'key.rolled': 'Rolled an API key.',
  'key.revoked': 'Revoked an API key.',
  'recipient.added': 'Added an email recipient.',
  'recipient.changed': 'Changed an email recipient.',
  'recipient.deleted': 'Deleted an email recipient.',
  'recipient.tested': 'Sent a test email.',
  'webhook.created': 'Created a webhook endpoint.',
  'webhook.created-by-key': 'Created a webhook endpoint with an API key.',
  'webhook.pointed-by-key': 'Changed the URL of a webhook endpoint with an API key.',
  'webhook.changed': 'Changed a webhook endpoint.',
  'webhook.deleted': 'Deleted a webhook endpoint.',
  'webhook.resent': 'Resent the events of a period.',
  'webhook.secret-rolled': 'Rolled the secret of a webhook endpoint.',
  'webhook.tested': 'Sent a test event.',
  'merchant.created': 'Added a merchant.',
  'payout.drafted': 'Saved a payout as a draft.',
  'payout.requested': 'Requested a payout.',
  'payout.changed': 'Changed a payout before its approval.',
  'payout.cancelled': 'Cancelled a payout.',
  'payout.approved': 'Approved a payout.',
  'payout.rejected': 'Rejected a payout.',
  'payout.paid': 'Marked a payout as paid.',
  'payout.failed': 'Marked a payout as failed.',
  'payout.returned': 'Marked a payout as returned.',
  'payouts.listed': 'Viewed the payout list.',
  'payout.viewed': 'Viewed a payout.',
  'payouts.downloaded': 'Downloaded payouts.',
  'refunds.listed': 'Viewed the refund list.',
  'refunds.downloaded': 'Downloaded refunds.',
  'payout-file.created': 'Created a bank file.',
  'payout-file.downloaded': 'Downloaded a bank file.',
  'payout-file.not-sent': 'Marked a bank file as not sent.',
  'payout-file.submitted': 'Marked a bank file as submitted.',
  'payout-file.paid': 'Marked the payouts of a bank file as paid.',
  'payout-schedule.changed': 'Changed the automatic payouts.',
  'payout-schedule.removed': 'Disabled automatic payouts.',
  'bank-account.added': 'Added a bank account.',
  'bank-account.confirmed': 'Confirmed a bank account.',
  'bank-account.removed': 'Removed a bank account.',
  'order.refunded': 'Recorded a refund.',
  'provider-report.handled': 'Resolved a disputed provider callback.',
  'order.money-accepted': 'Accepted a late payment of an order.',
  'bank-line.matched': 'Matched a bank line to orders.',
  'bank-line.ignored': 'Marked a bank line as not a payment.',
  'bank-line.reopened': 'Reopened a bank line.',
  'bank-line.payer-added': 'Added payer details to a bank payment.',
  'bank-line.returned': 'Booked a returned payment.',
  'bank-line.same-booking': 'Marked two bank bookings as the same.',
  'bank-line.same-booking-undone': 'Undid marking two bank bookings as the same.',
  'bank-line.return-undone': 'Undid a returned payment.',
  'bank-line.another-booking': 'Marked a bank booking as not a duplicate.',
  'bank-line.another-booking-undone': 'Undid marking a bank booking as not a duplicate.',
  'bank-line.undone': 'Undid a match of a bank line.',
  'bank-line.noted': 'Added a note to a bank line.',
  'csv-profile.added': 'Added a CSV profile.',
  'csv-profile.removed': 'Removed a CSV profile.',
  'merchant.transfers-allowed': 'Enabled bank transfers for live orders.',
  'merchant.transfers-stopped': 'Disabled bank transfers for live orders.',
  'bank-file.imported': 'Imported a bank statement.',
  'fee.changed': 'Changed a fee.',
  'collection-account.added': 'Added a collection account.',
  'collection-account.preferred': 'Chose the collection account shown to payers.',
  'collection-account.disabled': 'Disabled a collection account.',
  'collection-account.proposed': 'Proposed a change to a live collection account.',
  'collection-account.confirmed': 'Confirmed a change to a live collection account.',
  'collection-account.withdrawn': 'Withdrew a change to a live collection account.',
  'transfers.changed': 'Changed the bank transfer settings.',
  'transfer.reversed': 'Reversed a ledger entry.',
  'operating-rules.changed': ({ singleOperator, waitingHours }) =>
    singleOperator === true
      ? `The service started with a single operator; approvals take effect after ${Number(waitingHours)} hours.`
      : `The service started with two operators for approvals; waiting times are ${Number(waitingHours)} hours.`,
  'person.disabled': 'Disabled a user.',
  'person.enabled': 'Enabled a user.',
};

/** Describes an audit entry in one sentence. */
export function sentenceOf({ action, data }: Pick<ReadEntry, 'action' | 'data'>): string {
  const known = Object.hasOwn(SENTENCES, action) ? SENTENCES[action] : undefined;
  if (known === undefined) return plainly(action);
  return typeof known === 'string' ? known : known(data);
}

/** Fallback for unknown actions: `endpoint.switched-off` becomes "Endpoint switched off." */
function plainly(action: string): string {
  const label = action.replaceAll(/[.-]/g, ' ');
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}.`;
}
