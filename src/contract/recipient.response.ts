import { LOCALES } from '../common/locale.js';
import { type Mode, MODES } from '../database/merchants/api-key.entity.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  SERVICE_MAILS,
} from '../database/notifications/delivery.entity.js';
import {
  type NotificationRecipient,
  RECIPIENT_STATUSES,
  type RecipientStatus,
  recipientStatus,
} from '../database/notifications/notification-recipient.entity.js';
import type { LastDelivery } from '../database/notifications/notification-recipient.repository.js';
import { Answer, answerOf, Integer, ListOf, MailAddress, OpenList } from './answers.js';
import { Count, Minor, Moment, OneOf, OR_NULL, Nested, Text, Uuid } from './fields.js';

/** Maximum recipients of a merchant per mode. */
export const RECIPIENTS_MAX = 20;

@Answer('LastDelivery', 'A mail and what came of its last attempt.')
class LastDeliveryResponse {
  @Uuid('The service’s own name for the mail, which is in its Message-ID.') id: string;
  @OpenList(['order.paid', ...SERVICE_MAILS], '`order.paid`, or the kind of message.') type: string;
  @OneOf(DELIVERY_STATUSES, 'Where the mail is.') status: DeliveryStatus;
  @Count('Attempts that ended.') attemptCount: number;
  @Integer('What the mail server answered to the last attempt, such as 550.', OR_NULL)
  statusCode: number | null;
  @Text('Why the last attempt failed, in words.', OR_NULL) error: string | null;
  @Moment('When the mail was queued.') createdAt: string;
  @Moment('When it was sent, given up or cancelled.', OR_NULL) completedAt: string | null;
}

const lastDeliveryResponse = (delivery: LastDelivery): LastDeliveryResponse =>
  answerOf(LastDeliveryResponse, {
    id: delivery.id,
    type: delivery.type,
    status: delivery.status,
    attemptCount: delivery.attempts,
    statusCode: delivery.statusCode,
    error: delivery.error,
    createdAt: delivery.createdAt.toISOString(),
    completedAt: delivery.completedAt?.toISOString() ?? null,
  });

@Answer('NotificationRecipient', 'A mailbox that receives a mail for each paid order.')
export class RecipientResponse {
  @Uuid('The service’s own name for the recipient.') id: string;
  @OneOf(MODES, 'The mode of its orders.') mode: Mode;
  @MailAddress('The mailbox.') email: string | null;
  @OneOf(
    RECIPIENT_STATUSES,
    'What the mailbox’s owner decided. Only `confirmed` gets mails about orders.',
  )
  status: RecipientStatus;
  @OneOf(LOCALES, 'Language of the mails.') locale: string;
  @Text('IANA name of the time zone in which mails give times.') timeZone: string;
  @Minor('Only orders of at least this amount; null = all.', OR_NULL) minimumAmount: number | null;
  @Moment('When it was added.') createdAt: string;
  @Moment('When it last changed.') updatedAt: string;
  @Moment('When its owner said yes.', OR_NULL) confirmedAt: string | null;
  @Moment('When its owner said no.', OR_NULL) unsubscribedAt: string | null;
  @Nested(LastDeliveryResponse, 'The newest mail to it, and what came of it.', OR_NULL)
  lastDelivery: LastDeliveryResponse | null;
}

/** Allow-list: the token is only for the mailbox's owner. */
export const recipientResponse = (
  recipient: NotificationRecipient,
  lastDelivery: LastDelivery | undefined,
): RecipientResponse =>
  answerOf(RecipientResponse, {
    id: recipient.id,
    mode: recipient.mode,
    email: recipient.email,
    status: recipientStatus(recipient),
    locale: recipient.locale,
    timeZone: recipient.timeZone,
    minimumAmount: recipient.minimumAmount,
    createdAt: recipient.createdAt.toISOString(),
    updatedAt: recipient.updatedAt.toISOString(),
    confirmedAt: recipient.confirmedAt?.toISOString() ?? null,
    unsubscribedAt: recipient.unsubscribedAt?.toISOString() ?? null,
    lastDelivery: lastDelivery ? lastDeliveryResponse(lastDelivery) : null,
  });

@Answer('NotificationRecipientList', 'All recipients of a mode.')
export class RecipientListResponse {
  @ListOf(RecipientResponse, { max: RECIPIENTS_MAX }) data: readonly RecipientResponse[];
}
