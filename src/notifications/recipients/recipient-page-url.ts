import type { NotificationRecipient } from '../../database/notifications/notification-recipient.entity.js';

/** Where the mailbox's owner confirms and unsubscribes. Whoever has the link may. */
export const recipientPageUrl = (
  publicUrl: string,
  { token }: Pick<NotificationRecipient, 'token'>,
): string => `${publicUrl}/notification-recipient/${token}`;
