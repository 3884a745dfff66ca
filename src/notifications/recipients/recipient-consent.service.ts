import { Injectable } from '@nestjs/common';
import { recipientStatus } from '../../database/notifications/notification-recipient.entity.js';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { isToken } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import type { Merchant } from '../../database/merchants/merchant.entity.js';
import { MerchantRepository } from '../../database/merchants/merchant.repository.js';
import { AskedMailboxRepository } from '../../database/notifications/asked-mailbox.repository.js';
import { NotificationRecipientRepository } from '../../database/notifications/notification-recipient.repository.js';
import type { ActiveRecipient } from './recipient-status.js';

/** What the mailbox's owner decides with the token that only the mailbox was told. */
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
    if (!merchant) throw new Error('a recipient of nobody');
    return merchant;
  }

  /** @returns the recipient as it is now, or null when the token opens nothing any more */
  confirm(token: string): Promise<ActiveRecipient | null> {
    const confirmedAt = this.clock.now();
    return this.decide(token, 'confirmed', { confirmedAt, unsubscribedAt: null });
  }

  /** Mails that are on their way are held back. */
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

  /** Who unsubscribed is asked no more, and may still say yes with the link of an earlier mail. */
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
