import { formatMoment } from '../../common/time/time-format.js';
import type { DueLink } from '../../database/people/user-link.repository.js';
import { type SystemMail, SERVICE } from '../../notifications/mail/mail.model.js';
import { ROLE_NAMES } from '../roles.js';
import { linkPath } from './link-token.js';

/** Mail with a link. It contains nothing more sensitive than the link. */
export function linkMail(link: DueLink, publicUrl: string): SystemMail {
  const url = `${publicUrl}${linkPath(link.kind, link.token)}`;
  const until = formatMoment(link.expiresAt, 'UTC', 'en');
  return link.kind === 'reset' ? reset(link, url, until) : invitation(link, url, until);
}

const reset = ({ id, email: to }: DueLink, url: string, until: string): SystemMail => ({
  id,
  to,
  subject: { text: 'Choose a new password' },
  title: 'Choose a new password',
  paragraphs: [
    { text: 'A new password was requested for the account {email}.', values: { email: to } },
    { text: 'The link works once, until {until}.', values: { until } },
    { text: 'If it was not you, ignore this mail: your password stays as it is.' },
  ],
  rows: [],
  button: { label: 'Choose a password', url },
  why: 'This was sent because a new password was asked for with the address {email}.',
});

function invitation(link: DueLink, url: string, until: string): SystemMail {
  const merchant = link.merchantName ?? SERVICE.name;
  return {
    id: link.id,
    to: link.email,
    subject: { text: 'You are invited to {merchant}', values: { merchant } },
    title: 'You are invited to a team',
    paragraphs: [
      { text: 'You can work with the payment orders of {merchant}.', values: { merchant } },
      { text: 'The link works once, until {until}.', values: { until } },
      { text: 'If you do not expect this, you need do nothing.' },
    ],
    rows: [
      ...(link.inviterName ? [{ label: 'Invited by', value: link.inviterName }] : []),
      ...(link.role ? [{ label: 'Your role', value: ROLE_NAMES[link.role] }] : []),
    ],
    button: { label: 'See the invitation', url },
    why: 'This was sent because a member of the merchant’s team entered the address {email}.',
  };
}
