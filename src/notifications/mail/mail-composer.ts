import { Injectable } from '@nestjs/common';
import type { ISendMailOptions } from '@nestjs-modules/mailer';
import { Clock } from '../../common/time/clock.js';
import { matchLocale } from '../../common/locale.js';
import { Config } from '../../config/config.js';
import { MerchantRepository } from '../../database/merchants/merchant.repository.js';
import type { Claimed } from '../../database/notifications/delivery.repository.js';
import { EventRepository } from '../../database/notifications/event.repository.js';
import { recipientPageUrl } from '../recipients/recipient-page-url.js';
import type { ActiveRecipient } from '../recipients/recipient-status.js';
import { mailMessage } from './mail-message.js';
import { type Contents, plain, SERVICE, type SystemMail } from './mail.model.js';
import { MAIL_MESSAGES } from './messages.js';
import { paidMail } from './paid-mail.js';
import { type Reader, serviceMail } from './service-mails.js';

/** Composes mails of deliveries and system mails. */
@Injectable()
export class MailComposer {
  constructor(
    private readonly merchants: MerchantRepository,
    private readonly events: EventRepository,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async compose(delivery: Claimed, recipient: ActiveRecipient): Promise<ISendMailOptions> {
    const merchant = await this.merchants.find(delivery.merchantId);
    if (!merchant) throw new Error('the merchant of a delivery does not exist');
    const { mail, publicUrl } = this.config;
    const locale = matchLocale(recipient.locale) ?? 'en';
    const messages = MAIL_MESSAGES[locale];
    const pageUrl = recipientPageUrl(publicUrl, recipient);
    const reader = { ...recipient, messages, locale, pageUrl };
    const { subject, why, ...contents } = await this.contents(delivery, merchant.name, reader);
    return mailMessage({
      id: delivery.id,
      to: recipient.email,
      from: mail.from,
      subject: plain(subject),
      publicUrl,
      date: this.clock.now(),
      ...(delivery.eventId === null
        ? {}
        : { event: { id: delivery.eventId, sequence: delivery.sequence! } }),
      model: {
        ...contents,
        locale,
        merchant,
        ...(delivery.mode === 'test' ? { testMode: messages.testMode } : {}),
        why: {
          text: why ?? messages.why,
          values: { email: recipient.email, merchant: merchant.name },
        },
        unsubscribe: { label: messages.unsubscribe, url: pageUrl },
      },
    });
  }

  systemMail({ id, to, isTest, subject, why, ...contents }: SystemMail): ISendMailOptions {
    const { mail, publicUrl } = this.config;
    return mailMessage({
      id,
      to,
      from: mail.from,
      subject: plain(subject),
      publicUrl,
      date: this.clock.now(),
      model: {
        ...contents,
        locale: 'en',
        merchant: SERVICE,
        ...(isTest ? { testMode: MAIL_MESSAGES.en.testMode } : {}),
        why: { text: why, values: { email: to } },
      },
    });
  }

  /** The order as it was when it was paid. */
  private async contents(delivery: Claimed, merchant: string, reader: Reader): Promise<Contents> {
    const { merchantId, eventId, type, data } = delivery;
    if (eventId === null) return serviceMail(type, merchant, reader, data ?? {});
    const found = await this.events.find(merchantId, eventId);
    if (!found || !('order' in found)) throw new Error('a mail about no order');
    return paidMail(found.order, merchant, reader);
  }
}
