import { LOCALES, matchLocale } from '../../../common/locale.js';
import { isTimeZone } from '../../../common/time/time-format.js';
import { RequestBody, Amount, fieldType, OPTIONAL } from '../../../contract/fields.js';
import { isLocaleTag } from '../../../contract/locale-tag.js';
import { formed, Validate } from '../../../contract/rules.js';
import { ADDRESS_LENGTH_MAX, mailAddress } from '../../mail/mail-address.js';

const Mailbox = fieldType(
  { type: 'string', format: 'email', maxLength: ADDRESS_LENGTH_MAX },
  Validate(
    formed(
      (value) => mailAddress(value) !== undefined,
      'This must be the address of one mailbox, such as orders@shop.example, at most 254 characters.',
    ),
  ),
);

const Language = fieldType(
  {
    type: 'string',
    pattern: '^[A-Za-z]{2}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$',
    description: 'Language of the mails, as a BCP 47 tag such as `de` or `pt-BR`.',
  },
  Validate(
    formed(
      (value) => isLocaleTag(value) && matchLocale(value) !== undefined,
      `This must be a BCP 47 tag of one of the languages ${LOCALES.join(', ')}.`,
    ),
  ),
);

const TimeZone = fieldType(
  {
    type: 'string',
    pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
    description: 'Time zone in which mails give times, by its IANA name such as `Europe/Berlin`.',
  },
  Validate(formed(isTimeZone, 'This must be an IANA time zone, such as Europe/Berlin.')),
);

const FROM_AMOUNT =
  'Only orders of at least this amount, in minor units of whatever currency they have; all orders when null.';

@RequestBody('CreateNotificationRecipient', 'Who shall get mails.')
export class CreateRecipientRequest {
  @Mailbox('Address of one mailbox, whose owner is asked first. Kept in lower case.')
  email: string;

  @Language({ optional: true, default: 'en' })
  locale?: string;

  @TimeZone({ optional: true, default: 'UTC' })
  timeZone?: string;

  @Amount(FROM_AMOUNT, OPTIONAL)
  minimumAmount?: number;
}

@RequestBody('ChangeNotificationRecipient', 'What is left out stays as it is.')
export class ChangeRecipientRequest {
  @Language(OPTIONAL)
  locale?: string;

  @TimeZone(OPTIONAL)
  timeZone?: string;

  /** Null means "all orders". */
  @Amount(FROM_AMOUNT, { optional: true, orNull: true })
  minimumAmount?: number | null;
}
