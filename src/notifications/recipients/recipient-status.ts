import {
  type NotificationRecipient,
  recipientStatus,
} from '../../database/notifications/notification-recipient.entity.js';

/** A recipient that was not deleted. */
export type ActiveRecipient = NotificationRecipient & { readonly email: string };

/** Whether a mail of this kind may go to the recipient as it is now. */
export function isWanted(
  type: string,
  recipient: NotificationRecipient | null,
): recipient is ActiveRecipient {
  if (!recipient || recipient.email === null) return false;
  return (
    recipientStatus(recipient) === (type === 'recipient.confirm' ? 'unconfirmed' : 'confirmed')
  );
}
