import type { ReadEntry } from '../../database/people/audit.repository.js';
import { ROLE_NAMES } from '../../people/roles.js';

type Data = Readonly<Record<string, unknown>>;
type Sentence = string | ((data: Data) => string);

/** A text that the entry holds; anything else reads as what it stands for. */
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

const somebody = (data: Data): string => text(data, 'email', 'somebody');

const SENTENCES: Readonly<Record<string, Sentence>> = {
  'sign-in': 'Signed in.',
  'sign-in.refused': 'Somebody tried to sign in with a wrong password, once or more in this hour.',
  'code.refused': 'Typed a wrong code.',
  'password.refused': 'Typed a wrong password while signed in.',
  'password.changed': 'Changed the password.',
  'password.reset-asked': 'Asked for a link to a new password.',
  'password.reset': 'Chose a new password by a link.',
  'second-factor.set-up': 'Set up the second step at the sign-in.',
  'second-factor.replaced': 'Changed the app for the second step.',
  'recovery-codes.renewed': 'Made new recovery codes.',
  'session.ended': 'Signed a browser out.',
  'sessions.ended': 'Signed all other browsers out.',
  'user.created': 'Made an account on the command line.',
  'user.disabled': 'Closed an account on the command line.',
  'user.enabled': 'Opened an account again on the command line.',
  'second-factor.forgotten': 'Took away somebody’s second step on the command line.',
  'invitation.sent': (data) => `Invited ${somebody(data)} as ${role(data, 'role')}.`,
  'invitation.sent-again': (data) => `Sent the invitation to ${somebody(data)} again.`,
  'invitation.revoked': (data) => `Revoked the invitation of ${somebody(data)}.`,
  'invitation.withdrawn': (data) =>
    `Withdrew the invitation of ${somebody(data)}, whose sender has left.`,
  'invitation.accepted': (data) => `Joined the team as ${role(data, 'role')}.`,
  'member.role-changed': (data) =>
    `Changed the role of ${somebody(data)} from ${role(data, 'from')} to ${role(data, 'to')}.`,
  'member.removed': (data) => `Removed ${somebody(data)} from the team.`,
  'page.opened': (data) => `Opened a page for support: ${text(data, 'page', 'one')}.`,
  'orders.listed': 'Looked at orders.',
  'orders.exported': 'Downloaded orders.',
  'export.cancelled': 'Cancelled a download.',
  'export.fetched': 'Fetched a finished download.',
  'order.viewed': 'Looked at an order.',
  'order.cancel-asked': 'Asked for an order to be cancelled.',
  'order.noted': 'Wrote a note about an order.',
  'payer.revealed': 'Looked at the payer of an order.',
  'delivery.resent': 'Had a webhook sent again.',
  'business.changed': 'Changed the business details.',
  'key.created': 'Made an API key.',
  'key.rolled': 'Replaced an API key.',
  'key.revoked': 'Revoked an API key.',
  'recipient.added': 'Added a mailbox for e-mails about paid orders.',
  'recipient.changed': 'Changed a mailbox for e-mails.',
  'recipient.deleted': 'Deleted a mailbox for e-mails.',
  'recipient.tested': 'Had a test e-mail sent.',
  'webhook.created': 'Made a webhook endpoint.',
  'webhook.created-by-key': 'A program made a webhook endpoint with an API key.',
  'webhook.pointed-by-key': 'A program pointed a webhook endpoint elsewhere with an API key.',
  'webhook.changed': 'Changed a webhook endpoint.',
  'webhook.deleted': 'Deleted a webhook endpoint.',
  'webhook.resent': 'Had the events of a time sent again.',
  'webhook.secret-rolled': 'Replaced the secret of a webhook endpoint.',
  'webhook.tested': 'Sent a test event.',
  'merchant.created': 'Added a merchant.',
  'payout.drafted': 'Saved a payout as a draft.',
  'payout.requested': 'Asked for a payout.',
  'payout.changed': 'Changed a payout that waits for approval.',
  'payout.cancelled': 'Cancelled a payout.',
  'payout.approved': 'Approved a payout.',
  'payout.rejected': 'Rejected a payout.',
  'payout.paid': 'Marked a payout as paid.',
  'payout.failed': 'Marked a payout as failed.',
  'payout.returned': 'Marked a payout as returned.',
  'payouts.listed': 'Looked at payouts.',
  'payout.viewed': 'Looked at a payout.',
  'payouts.downloaded': 'Downloaded payouts.',
  'payout-file.created': 'Made a bank file.',
  'payout-file.downloaded': 'Downloaded a bank file.',
  'payout-file.not-sent': 'Said that a bank file was not sent.',
  'payout-file.submitted': 'Said that the bank has a bank file.',
  'payout-file.paid': 'Said that the payouts of a bank file are paid.',
  'payout-schedule.changed': 'Changed when payouts are asked for.',
  'payout-schedule.removed': 'Switched automatic payouts off.',
  'bank-account.added': 'Added a bank account.',
  'bank-account.confirmed': 'Confirmed a bank account.',
  'bank-account.removed': 'Removed a bank account.',
  'order.refunded': 'Wrote down money that was sent back.',
  'provider-report.handled': 'Dealt with a provider’s message that could not be applied.',
  'order.money-accepted': 'Accepted late money as an order’s payment.',
  'bank-line.matched': 'Matched money of a bank to orders.',
  'bank-line.ignored': 'Said that money of a bank is no payment.',
  'bank-line.reopened': 'Let a line of a bank wait again.',
  'bank-line.payer-added': 'Added what a bank did not say of a payer.',
  'bank-line.returned': 'Booked the return of a payment by a bank.',
  'bank-line.same-booking': 'Decided that two bookings of a bank are the same.',
  'bank-line.same-booking-undone': 'Took back that two bookings of a bank are the same.',
  'bank-line.return-undone': 'Undid the return of a payment by a bank.',
  'bank-line.another-booking': 'Decided that a booking of a bank is not a duplicate.',
  'bank-line.undone': 'Undid a match of money of a bank.',
  'bank-line.noted': 'Wrote a note about a line of a bank.',
  'csv-profile.added': 'Wrote down how a bank writes CSV.',
  'csv-profile.removed': 'Removed a profile of a bank’s CSV files.',
  'merchant.transfers-allowed': 'Let live orders of a merchant be paid by bank transfer.',
  'merchant.transfers-stopped': 'Stopped bank transfers of a merchant’s live orders.',
  'bank-file.imported': 'Imported a bank statement.',
  'fee.changed': 'Changed what orders cost.',
  'collection-account.added': 'Added an account on which payers transfer money.',
  'collection-account.preferred': 'Chose the account that payers transfer money to.',
  'collection-account.disabled': 'Took an account for transfers out of use.',
  'collection-account.proposed': 'Proposed a change of a live account for transfers.',
  'collection-account.confirmed': 'Confirmed a change of a live account for transfers.',
  'collection-account.withdrawn': 'Withdrew a change of a live account for transfers.',
  'transfers.changed': 'Changed how orders can be paid by bank transfer.',
  'transfer.reversed': 'Took an entry of the ledger back.',
  'operating-rules.changed': ({ singleOperator, waitingHours }) =>
    singleOperator === true
      ? `The service started with a single operator, whose approvals wait ${Number(waitingHours)} hours.`
      : `The service started with two operators for approvals; waiting times are ${Number(waitingHours)} hours.`,
  'person.disabled': 'Closed somebody’s account.',
  'person.enabled': 'Opened somebody’s account again.',
};

/** What was done, in a sentence. */
export function sentenceOf({ action, data }: Pick<ReadEntry, 'action' | 'data'>): string {
  const known = Object.hasOwn(SENTENCES, action) ? SENTENCES[action] : undefined;
  if (known === undefined) return plainly(action);
  return typeof known === 'string' ? known : known(data);
}

/** `endpoint.switched-off` reads "Endpoint switched off." until it has a sentence of its own. */
function plainly(action: string): string {
  const label = action.replaceAll(/[.-]/g, ' ');
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}.`;
}
