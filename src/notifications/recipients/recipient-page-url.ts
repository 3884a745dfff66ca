import type { NotificationRecipient } from '../../database/notifications/notification-recipient.entity.js';

/** Page to confirm and unsubscribe; the link is sufficient. */
export const recipientPageUrl = (
  publicUrl: string,
  { token }: Pick<NotificationRecipient, 'token'>,
): string => `${publicUrl}/notification-recipient/${token}`;
