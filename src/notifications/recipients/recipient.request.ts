import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AMOUNT_MAX } from '../../common/money.js';
import { Rule } from '../../common/validation.js';
import { ADDRESS_LENGTH_MAX } from '../mail/mail-address.js';
import * as rules from './recipient.rules.js';

const OPTIONAL = { nullable: true, required: false } as const;

const LOCALE_FIELD = {
  ...OPTIONAL,
  type: 'string',
  pattern: '^[A-Za-z]{2}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$',
  description: 'Language of the mails, as a BCP 47 tag such as `de` or `pt-BR`.',
} as const;

const TIME_ZONE_FIELD = {
  ...OPTIONAL,
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
  description: 'Time zone in which mails give times, by its IANA name such as `Europe/Berlin`.',
} as const;

const MINIMUM_AMOUNT_FIELD = {
  ...OPTIONAL,
  type: 'integer',
  minimum: 1,
  maximum: AMOUNT_MAX,
  description:
    'Only orders of at least this amount, in minor units of whatever currency they have; all orders when null.',
} as const;

@ApiSchema({ name: 'CreateNotificationRecipient', description: 'Who shall get mails.' })
export class CreateRecipientRequest {
  @ApiProperty({
    type: 'string',
    format: 'email',
    maxLength: ADDRESS_LENGTH_MAX,
    description: 'Address of one mailbox, whose owner is asked first. Kept in lower case.',
  })
  @Rule(rules.required(rules.email))
  email: string;

  @ApiProperty({ ...LOCALE_FIELD, default: 'en' })
  @Rule(rules.optional(rules.locale))
  locale?: string;

  @ApiProperty({ ...TIME_ZONE_FIELD, default: 'UTC' })
  @Rule(rules.optional(rules.timeZone))
  timeZone?: string;

  @ApiProperty(MINIMUM_AMOUNT_FIELD)
  @Rule(rules.optional(rules.minimumAmount))
  minimumAmount?: number;
}

@ApiSchema({
  name: 'ChangeNotificationRecipient',
  description: 'What is left out stays as it is.',
})
export class ChangeRecipientRequest {
  @ApiProperty(LOCALE_FIELD)
  @Rule(rules.optional(rules.locale))
  locale?: string;

  @ApiProperty(TIME_ZONE_FIELD)
  @Rule(rules.optional(rules.timeZone))
  timeZone?: string;

  @ApiProperty(MINIMUM_AMOUNT_FIELD)
  @Rule(rules.optional(rules.minimumAmount))
  minimumAmount?: number;
}
