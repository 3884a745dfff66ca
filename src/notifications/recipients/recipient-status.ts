import type { NotificationRecipient } from '../../database/entities/notification-recipient.entity.js';

export const RECIPIENT_STATUSES = ['unconfirmed', 'confirmed', 'unsubscribed'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** A recipient that was not deleted. */
export type ActiveRecipient = NotificationRecipient & { readonly email: string };

type Moments = Pick<NotificationRecipient, 'confirmedAt' | 'unsubscribedAt'>;

export function statusOf({ confirmedAt, unsubscribedAt }: Moments): RecipientStatus {
  if (unsubscribedAt) return 'unsubscribed';
  return confirmedAt ? 'confirmed' : 'unconfirmed';
}

/** Whether a mail of this kind may go to the recipient as it is now. */
export function isWanted(
  type: string,
  recipient: NotificationRecipient | null,
): recipient is ActiveRecipient {
  if (!recipient || recipient.email === null) return false;
  return statusOf(recipient) === (type === 'recipient.confirm' ? 'unconfirmed' : 'confirmed');
}
