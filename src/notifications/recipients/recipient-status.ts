import {
  type NotificationRecipient,
  recipientStatus,
} from '../../database/notifications/notification-recipient.entity.js';

/** A recipient that is not deleted. */
export type ActiveRecipient = NotificationRecipient & { readonly email: string };

/** Whether the recipient may receive this kind of mail now. */
export function isWanted(
  type: string,
  recipient: NotificationRecipient | null,
): recipient is ActiveRecipient {
  if (!recipient || recipient.email === null) return false;
  return (
    recipientStatus(recipient) === (type === 'recipient.confirm' ? 'unconfirmed' : 'confirmed')
  );
}
