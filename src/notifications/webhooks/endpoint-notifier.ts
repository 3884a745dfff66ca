import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { AuditRepository } from '../../database/people/audit.repository.js';
import { MembershipRepository } from '../../database/people/membership.repository.js';
import { UserNoticeRepository } from '../../database/people/user-notice.repository.js';
import { Problem } from '../../http/problems/problem.js';

const DAY_MS = 24 * 3_600_000;
/** Milliseconds for which former owners still receive notices. */
const RECENTLY_CLOSED_MS = 7 * DAY_MS;
/**
 * Maximum live endpoints that API keys create or redirect per merchant and day, since each sends a mail to every owner.
 */
export const BY_KEYS_MAX = 10;

const SENTENCES = {
  'webhook.created-by-key': 'A program made a webhook endpoint with an API key.',
  'webhook.pointed-by-key': 'A program pointed a webhook endpoint elsewhere with an API key.',
} as const;
type Action = keyof typeof SENTENCES;
const ACTIONS = Object.keys(SENTENCES) as Action[];

/**
 * Notifies owners when API keys change the target of live events: users need a code for that, and a key can be stolen.
 */
@Injectable()
export class EndpointNotifier {
  constructor(
    private readonly audit: AuditRepository,
    private readonly memberships: MembershipRepository,
    private readonly notices: UserNoticeRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs in the transaction of the change.
   * @throws Problem `rate_limited` after too many changes by keys within a day
   */
  async notify(
    tx: EntityManager,
    endpoint: WebhookEndpoint,
    action: Action,
    address: string,
  ): Promise<void> {
    const now = this.clock.now();
    const { merchantId, id, mode, eventTypes, apiVersion, madeByKey } = endpoint;
    const since = new Date(now.getTime() - DAY_MS);
    if ((await this.audit.count(tx, merchantId, ACTIONS, since)) >= BY_KEYS_MAX) throw tooMany();
    const host = URL.parse(endpoint.url)!.host;
    const entry = {
      id: uuidv7(now.getTime()),
      merchantId,
      userId: null,
      sessionId: null,
      createdAt: now,
    };
    const data = { mode, host, eventTypes, apiVersion, key: madeByKey };
    await this.audit.insert(tx, { ...entry, action, subject: id, data, address });
    const lately = new Date(now.getTime() - RECENTLY_CLOSED_MS);
    const owners = await this.memberships.ownersSince(tx, merchantId, lately);
    const notice = {
      kind: 'endpoint-by-key',
      merchantId,
      data: { text: SENTENCES[action] },
    } as const;
    const sending = { createdAt: now, attempts: 0, nextAttemptAt: now, sentAt: null };
    await this.notices.insert(
      tx,
      owners.map((userId) => ({ id: uuidv7(now.getTime()), userId, ...notice, ...sending })),
    );
  }
}

const tooMany = (): Problem =>
  new Problem('rate_limited', {
    detail: `At most ${BY_KEYS_MAX} live endpoints are made or pointed elsewhere by API keys within 24 hours. Go on in the portal, or tomorrow.`,
    headers: { 'retry-after': String(DAY_MS / 1_000) },
  });
