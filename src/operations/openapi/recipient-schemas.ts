import type { SchemaObject } from '@nestjs/swagger';
import { LOCALES } from '../../common/locale.js';
import { MODES } from '../../database/entities/api-key.entity.js';
import { DELIVERY_STATUSES } from '../../database/entities/delivery.entity.js';
import type {
  lastDeliveryResponse,
  RecipientList,
  RecipientResponse,
} from '../../notifications/recipients/recipient.response.js';
import { RECIPIENT_STATUSES } from '../../notifications/recipients/recipient-status.js';
import { RECIPIENTS_MAX } from '../../notifications/recipients/recipients.service.js';
import {
  complete,
  id,
  minor,
  moment,
  oneOf,
  orNull,
  type Properties,
  refOrNull,
  schemaRef,
  text,
} from './schema-parts.js';

const lastDelivery = {
  id: id('The service’s own name for the mail, which is in its Message-ID.'),
  type: text('`order.paid`, or the kind of message, such as `recipient.confirm`.'),
  status: oneOf(DELIVERY_STATUSES, 'Where the mail is.'),
  attemptCount: { type: 'integer', minimum: 0, description: 'Attempts that ended.' },
  statusCode: orNull({
    type: 'integer',
    description: 'What the mail server answered to the last attempt, such as 550.',
  }),
  error: orNull(text('Why the last attempt failed, in words.')),
  createdAt: moment('When the mail was queued.'),
  completedAt: orNull(moment('When it was sent, given up or cancelled.')),
} satisfies Properties<ReturnType<typeof lastDeliveryResponse>>;

const recipient = {
  id: id('The service’s own name for the recipient.'),
  mode: oneOf(MODES, 'The mode of its orders.'),
  email: { ...text('The mailbox.'), format: 'email' },
  status: oneOf(
    RECIPIENT_STATUSES,
    'What the mailbox’s owner decided. Only `confirmed` gets mails about orders.',
  ),
  locale: oneOf(LOCALES, 'Language of the mails.'),
  timeZone: text('IANA name of the time zone in which mails give times.'),
  minimumAmount: orNull(minor('Only orders of at least this amount; null = all.')),
  createdAt: moment('When it was added.'),
  updatedAt: moment('When it last changed.'),
  confirmedAt: orNull(moment('When its owner said yes.')),
  unsubscribedAt: orNull(moment('When its owner said no.')),
  lastDelivery: refOrNull('LastDelivery', 'The newest mail to it, and what came of it.'),
} satisfies Properties<RecipientResponse>;

const recipientList = {
  data: { type: 'array', maxItems: RECIPIENTS_MAX, items: schemaRef('NotificationRecipient') },
} satisfies Properties<RecipientList>;

/** What the operations on recipients of mails answer with. */
export const RECIPIENT_SCHEMAS = {
  LastDelivery: complete('A mail and what came of its last attempt.', lastDelivery),
  NotificationRecipient: complete('A mailbox that is told of paid orders.', recipient),
  NotificationRecipientList: complete('All recipients of a mode.', recipientList),
} satisfies Record<string, SchemaObject>;
