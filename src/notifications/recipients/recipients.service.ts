import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { answerOf } from '../../contract/answers.js';
import { Clock } from '../../common/time/clock.js';
import { randomToken, uuidv7 } from '../../common/ids.js';
import { matchLocale } from '../../common/locale.js';
import { Database } from '../../database/database.js';
import type { Owner } from '../../database/keys.js';
import { AskedMailboxRepository } from '../../database/notifications/asked-mailbox.repository.js';
import {
  type NotificationRecipient,
  recipientStatus,
} from '../../database/notifications/notification-recipient.entity.js';
import { NotificationRecipientRepository } from '../../database/notifications/notification-recipient.repository.js';
import { noHook, type TransactionHook } from '../../database/transaction-hook.js';
import { Problem } from '../../http/problems/problem.js';
import { DeliverySignal } from '../delivery-signal.js';
import { mailAddress } from '../mail/mail-address.js';
import type { ChangeRecipientRequest, CreateRecipientRequest } from './dto/recipient.request.js';
import {
  RecipientListResponse,
  RECIPIENTS_MAX,
  type RecipientResponse,
  recipientResponse,
} from '../../contract/recipient.response.js';
import { pauseAfter } from './question-pause.js';

/** Maximum consent requests of a merchant per hour, over both modes. */
export const QUESTIONS_MAX = 40;
const HOUR_MS = 3_600_000;
/** Minimum milliseconds between two test mails to a mailbox. */
export const TEST_AGAIN_MS = 60_000;

const CONFIRM = 'recipient.confirm';
const TEST = 'mail.test';

/** Recipients of mails about paid orders. The mailbox's owner must consent. */
@Injectable()
export class RecipientsService {
  constructor(
    private readonly database: Database,
    private readonly recipients: NotificationRecipientRepository,
    private readonly mailboxes: AskedMailboxRepository,
    private readonly deliverySignal: DeliverySignal,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a mailbox and requests consent; requests it again from an existing recipient that has not confirmed.
   * @throws Problem `too_many_recipients`, `recipient_unsubscribed`; `rate_limited` after recent requests to it, or too
   * many to others
   */
  async add(
    owner: Owner,
    request: CreateRecipientRequest,
    hook: TransactionHook<NotificationRecipient> = noHook,
  ): Promise<{ recipient: RecipientResponse; isNew: boolean }> {
    const email = mailAddress(request.email)!;
    const added = await this.database.transaction(async (tx) => {
      await this.recipients.lockMerchant(tx, owner.merchantId);
      const known = await this.recipients.findByEmail(tx, owner, email);
      const recipient = known
        ? await this.askAgain(tx, known)
        : await this.insert(tx, owner, email, request);
      await hook(tx, recipient);
      return { recipient, isNew: !known };
    });
    return { ...added, recipient: await this.shown(added.recipient) };
  }

  /** Lets an operator allow a new consent request to a mailbox that unsubscribed by mistake. */
  async readmit({ merchantId }: Pick<Owner, 'merchantId'>, email: string): Promise<void> {
    await this.database.transaction((tx) => this.mailboxes.forget(tx, merchantId, email));
  }

  async list(owner: Owner): Promise<RecipientListResponse> {
    const recipients = await this.recipients.list(owner);
    const ids = recipients.map(({ id }) => id);
    const deliveries = await this.recipients.lastDeliveries(owner.merchantId, ids);
    const byRecipient = new Map(deliveries.map((delivery) => [delivery.recipientId, delivery]));
    const data = recipients.map((recipient) =>
      recipientResponse(recipient, byRecipient.get(recipient.id)),
    );
    return answerOf(RecipientListResponse, { data });
  }

  /** @throws Problem `recipient_not_found` */
  async get(owner: Owner, id: string): Promise<RecipientResponse> {
    const recipient = await this.recipients.find(owner, id);
    if (!recipient) throw new Problem('recipient_not_found');
    return this.shown(recipient);
  }

  /** @throws Problem `recipient_not_found` */
  async change(
    owner: Owner,
    id: string,
    { locale, timeZone, minimumAmount }: ChangeRecipientRequest,
    hook: TransactionHook<NotificationRecipient> = noHook,
  ): Promise<RecipientResponse> {
    const patch = {
      ...(locale === undefined ? {} : { locale: matchLocale(locale)! }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(minimumAmount === undefined ? {} : { minimumAmount }),
      updatedAt: this.clock.now(),
    };
    const changed = await this.withRecipient(owner, id, async (tx, recipient) => {
      await this.recipients.update(tx, recipient, patch);
      await hook(tx, recipient);
      return { ...recipient, ...patch };
    });
    return this.shown(changed);
  }

  /**
   * Erases the address, and stops all mails to it.
   * @throws Problem `recipient_not_found`
   */
  async remove(
    owner: Owner,
    id: string,
    hook: TransactionHook<NotificationRecipient> = noHook,
  ): Promise<void> {
    const now = this.clock.now();
    await this.withRecipient(owner, id, async (tx, recipient) => {
      await this.recipients.update(tx, recipient, { email: null, deletedAt: now, updatedAt: now });
      await this.recipients.cancelDeliveries(tx, recipient, now);
      await hook(tx, recipient);
    });
  }

  /**
   * Sends a test mail; an unconfirmed recipient gets another consent request instead.
   * @throws Problem `recipient_not_found`, `recipient_unsubscribed` after an unsubscription, `rate_limited` after a
   * recent one
   */
  async test(
    owner: Owner,
    id: string,
    hook: TransactionHook<NotificationRecipient> = noHook,
  ): Promise<RecipientResponse> {
    const tested = await this.withRecipient(owner, id, async (tx, recipient) => {
      const status = recipientStatus(recipient);
      if (status === 'unsubscribed') throw new Problem('recipient_unsubscribed');
      await hook(tx, recipient);
      if (status === 'unconfirmed') return this.askAgain(tx, recipient);
      await this.queueTest(tx, recipient);
      return recipient;
    });
    return this.shown(tested);
  }

  private async insert(
    tx: EntityManager,
    owner: Owner,
    email: string,
    request: CreateRecipientRequest,
  ): Promise<NotificationRecipient> {
    if ((await this.recipients.count(tx, owner)) >= RECIPIENTS_MAX) {
      throw new Problem('too_many_recipients');
    }
    const now = this.clock.now();
    const recipient: NotificationRecipient = {
      merchantId: owner.merchantId,
      id: uuidv7(now.getTime()),
      mode: owner.mode,
      email,
      locale: matchLocale(request.locale) ?? 'en',
      timeZone: request.timeZone ?? 'UTC',
      minimumAmount: request.minimumAmount ?? null,
      token: randomToken(),
      createdAt: now,
      updatedAt: now,
      confirmedAt: null,
      unsubscribedAt: null,
      deletedAt: null,
    };
    await this.recipients.insert(tx, recipient);
    const wait = await this.ask(tx, recipient);
    if (wait > 0) throw tooOften('The mailbox was asked a short while ago.', wait);
    return recipient;
  }

  /**
   * Creates a new token for a recipient that unsubscribed and was readmitted: links in old mails must not answer the
   * new request.
   */
  private async askAgain(
    tx: EntityManager,
    recipient: NotificationRecipient,
  ): Promise<NotificationRecipient> {
    const status = recipientStatus(recipient);
    if (status === 'confirmed') return recipient;
    await this.ask(tx, recipient);
    if (status === 'unconfirmed') return recipient;
    const updatedAt = this.clock.now();
    const fresh = { confirmedAt: null, unsubscribedAt: null, token: randomToken(), updatedAt };
    await this.recipients.update(tx, recipient, fresh);
    return { ...recipient, ...fresh };
  }

  /**
   * Requests consent unless it was requested recently. Limits apply to the address: deleting and adding a recipient
   * does not reset them.
   * @returns milliseconds until the next possible request; 0 if it was sent
   * @throws Problem `recipient_unsubscribed`, `rate_limited`
   */
  private async ask(tx: EntityManager, recipient: NotificationRecipient): Promise<number> {
    const now = this.clock.now();
    const email = recipient.email!;
    const since = new Date(now.getTime() - HOUR_MS);
    const asked = await this.mailboxes.find(tx, recipient, email, since);
    if (asked.isRefused) throw new Problem('recipient_unsubscribed');
    const { askedAt, questions } = asked;
    const wait = askedAt ? askedAt.getTime() + pauseAfter(questions) - now.getTime() : 0;
    if (wait > 0) return wait;
    if (asked.others >= QUESTIONS_MAX) {
      throw tooOften(`At most ${QUESTIONS_MAX} mailboxes are asked within an hour.`, HOUR_MS);
    }
    await this.mailboxes.ask(tx, recipient, email, now);
    await this.queue(tx, recipient, CONFIRM);
    return 0;
  }

  private async queueTest(tx: EntityManager, recipient: NotificationRecipient): Promise<void> {
    const last = await this.recipients.lastQueuedAt(tx, recipient, TEST);
    const wait = last ? last.getTime() + TEST_AGAIN_MS - this.clock.now().getTime() : 0;
    if (wait > 0) throw tooOften('The mailbox got a test mail a short while ago.', wait);
    await this.queue(tx, recipient, TEST);
  }

  private withRecipient<T>(
    owner: Owner,
    id: string,
    work: (tx: EntityManager, recipient: NotificationRecipient) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      await this.recipients.lockMerchant(tx, owner.merchantId);
      const recipient = await this.recipients.lockOne(tx, owner, id);
      if (!recipient) throw new Problem('recipient_not_found');
      return work(tx, recipient);
    });
  }

  private async queue(
    tx: EntityManager,
    recipient: NotificationRecipient,
    type: string,
  ): Promise<void> {
    await this.recipients.queue(tx, recipient, type, this.clock.now());
    this.database.afterCommit(tx, () => this.deliverySignal.wake());
  }

  private async shown(recipient: NotificationRecipient): Promise<RecipientResponse> {
    const { merchantId, id } = recipient;
    const [last] = await this.recipients.lastDeliveries(merchantId, [id]);
    return recipientResponse(recipient, last);
  }
}

const tooOften = (detail: string, waitMs: number): Problem =>
  new Problem('rate_limited', {
    detail: `${detail} Try again later.`,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  });
