import type { NotificationRecipient } from '../../database/entities/notification-recipient.entity.js';
import type { LastDelivery } from '../../database/repositories/notification-recipient.repository.js';
import { statusOf } from './recipient-status.js';

const rfc3339 = (moment: Date | null): string | null => moment && moment.toISOString();

/** A whitelist: the token is for the mailbox's owner alone. */
export const recipientResponse = (
  recipient: NotificationRecipient,
  lastDelivery: LastDelivery | undefined,
) => ({
  id: recipient.id,
  mode: recipient.mode,
  email: recipient.email,
  status: statusOf(recipient),
  locale: recipient.locale,
  timeZone: recipient.timeZone,
  minimumAmount: recipient.minimumAmount,
  createdAt: rfc3339(recipient.createdAt),
  updatedAt: rfc3339(recipient.updatedAt),
  confirmedAt: rfc3339(recipient.confirmedAt),
  unsubscribedAt: rfc3339(recipient.unsubscribedAt),
  lastDelivery: lastDelivery ? lastDeliveryResponse(lastDelivery) : null,
});

export type RecipientResponse = ReturnType<typeof recipientResponse>;

export const lastDeliveryResponse = (delivery: LastDelivery) => ({
  id: delivery.id,
  type: delivery.type,
  status: delivery.status,
  attemptCount: delivery.attempts,
  statusCode: delivery.statusCode,
  error: delivery.error,
  createdAt: rfc3339(delivery.createdAt),
  completedAt: rfc3339(delivery.completedAt),
});

export interface RecipientList {
  readonly data: readonly RecipientResponse[];
}
