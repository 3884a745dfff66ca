import { Injectable } from '@nestjs/common';
import { recipientStatus } from '../../database/notifications/notification-recipient.entity.js';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { isToken } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import type { Merchant } from '../../database/merchants/merchant.entity.js';
import { MerchantRepository } from '../../database/merchants/merchant.repository.js';
import { AskedMailboxRepository } from '../../database/notifications/asked-mailbox.repository.js';
import { NotificationRecipientRepository } from '../../database/notifications/notification-recipient.repository.js';
import type { ActiveRecipient } from './recipient-status.js';

/** Consent of a mailbox owner, authenticated by the token in the mail. */
@Injectable()
export class RecipientConsentService {
  constructor(
    private readonly database: Database,
    private readonly recipients: NotificationRecipientRepository,
    private readonly mailboxes: AskedMailboxRepository,
    private readonly merchants: MerchantRepository,
    private readonly clock: Clock,
  ) {}

  async find(token: string): Promise<ActiveRecipient | null> {
    const recipient = isToken(token) ? await this.recipients.findByToken(token) : null;
    return recipient as ActiveRecipient | null;
  }

  async merchantOf({ merchantId }: ActiveRecipient): Promise<Merchant> {
    const merchant = await this.merchants.find(merchantId);
    if (!merchant) throw new Error('the merchant of a recipient does not exist');
    return merchant;
  }

  /** @returns the updated recipient; null if the token is no longer valid */
  confirm(token: string): Promise<ActiveRecipient | null> {
    const confirmedAt = this.clock.now();
    return this.decide(token, 'confirmed', { confirmedAt, unsubscribedAt: null });
  }

  /** Pending mails are held back. */
  unsubscribe(token: string): Promise<ActiveRecipient | null> {
    return this.decide(token, 'unsubscribed', { unsubscribedAt: this.clock.now() });
  }

  private async decide(
    token: string,
    decision: 'confirmed' | 'unsubscribed',
    patch: Partial<Pick<ActiveRecipient, 'confirmedAt' | 'unsubscribedAt'>>,
  ): Promise<ActiveRecipient | null> {
    const found = await this.find(token);
    if (!found) return null;
    return this.database.transaction(async (tx) => {
      const recipient = (await this.recipients.lock(tx, found)) as ActiveRecipient | null;
      if (recipient?.token !== token) return null;
      if (recipientStatus(recipient) === decision) return recipient;
      const now = this.clock.now();
      await this.recipients.update(tx, recipient, { ...patch, updatedAt: now });
      await this.recipients.cancelDeliveries(tx, recipient, now);
      await this.remember(tx, recipient, decision, now);
      return { ...recipient, ...patch };
    });
  }

  /** After unsubscribing no consent is requested again, but the link of an earlier mail still confirms. */
  private async remember(
    tx: EntityManager,
    recipient: ActiveRecipient,
    decision: 'confirmed' | 'unsubscribed',
    now: Date,
  ): Promise<void> {
    const { merchantId, email } = recipient;
    if (decision === 'confirmed') await this.mailboxes.forget(tx, merchantId, email);
    else await this.mailboxes.refuse(tx, recipient, email, now);
  }
}
