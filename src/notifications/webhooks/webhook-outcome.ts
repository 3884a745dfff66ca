import type { Delivery } from '../../database/notifications/delivery.entity.js';
import type { DeliveryPatch } from '../../database/notifications/delivery.repository.js';
import type {
  DisabledReason,
  WebhookEndpoint,
} from '../../database/notifications/webhook-endpoint.entity.js';
import { nextAttemptAt, WEBHOOK_RETRIES } from '../retry-schedule.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Disables an endpoint that was unreachable for this long. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;
/** A second failure after this long means the endpoint is away; a single one is simply retried. */
const AWAY_MS = 3_000;
/** Maximum `Retry-After` that is honoured. */
export const RETRY_AFTER_MAX_MS = HOUR_MS;

/** Duration of failure at which the merchant is notified, and notified again. */
const WARNINGS: readonly { readonly afterMs: number; readonly stage: FailureStage }[] = [
  { afterMs: HOUR_MS, stage: '1h' },
  { afterMs: DAY_MS, stage: '24h' },
];

/** Kinds of mails about a failing endpoint. */
export const FAILURE_STAGES = ['1h', '24h', 'gone', 'failing'] as const;
export type FailureStage = (typeof FAILURE_STAGES)[number];

export interface EndpointNotice {
  readonly type: 'endpoint.failing' | 'endpoint.disabled';
  readonly stage: FailureStage;
  readonly since: Date;
}

type Health = Pick<WebhookEndpoint, 'enabled' | 'failingSince' | 'warnings'>;

export type HealthPatch = Partial<Health & { disabledReason: DisabledReason }>;

/** Statuses with `Retry-After`: too many requests, unavailable. */
const ASKS_TO_WAIT = new Set([429, 503]);

/** Time of a `Retry-After` header (RFC 9110, section 10.2.3), at most an hour ahead; undefined if it is invalid. */
export function retryAfterAt(header: string | undefined, now: Date): Date | undefined {
  if (header === undefined) return undefined;
  const isSeconds = /^\d{1,10}$/.test(header);
  const isDate = /^[A-Z][a-z]{2}, .* GMT$/.test(header);
  if (!isSeconds && !isDate) return undefined;
  const ms = isSeconds ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  if (!(ms >= 0)) return undefined;
  return new Date(now.getTime() + Math.min(ms, RETRY_AFTER_MAX_MS));
}

export interface Attempted {
  readonly succeeded: boolean;
  readonly statusCode: number | null;
  readonly retryAfter: string | undefined;
}

/** Time until which the receiver asked to pause, if it did. */
export const retryAfterRequested = (
  { statusCode, retryAfter }: Attempted,
  now: Date,
): Date | undefined =>
  ASKS_TO_WAIT.has(statusCode ?? 0) ? retryAfterAt(retryAfter, now) : undefined;

/** A delivery before the attempt. */
type Tried = Pick<Delivery, 'attempts' | 'extraAttempts' | 'scheduledAt'>;

/**
 * Next state of a delivery. A failed extra attempt before the scheduled time leaves the schedule unchanged.
 * @param isTriedOnce whether a single attempt is final
 */
export function deliveryAfter(
  attempted: Attempted,
  { attempts, extraAttempts, scheduledAt }: Tried,
  now: Date,
  isTriedOnce: boolean,
): DeliveryPatch {
  if (attempted.succeeded) return { status: 'delivered', nextAttemptAt: null, completedAt: now };
  const isExtra = scheduledAt !== null && scheduledAt > now;
  const scheduled = isExtra
    ? scheduledAt
    : nextAttemptAt(WEBHOOK_RETRIES, attempts + 1 - extraAttempts, now);
  if (!scheduled || isTriedOnce) return { status: 'failed', nextAttemptAt: null, completedAt: now };
  const wished = retryAfterRequested(attempted, now);
  const next = wished && wished > scheduled ? wished : scheduled;
  return { status: 'pending', nextAttemptAt: next, completedAt: null, isExtra };
}

/** Changes of an endpoint after an attempt, and the notice to its merchant. */
export function endpointAfter(
  endpoint: Health,
  { succeeded, statusCode }: Attempted,
  now: Date,
): { readonly patch: HealthPatch; readonly notice: EndpointNotice | null } {
  if (succeeded) return { patch: endpoint.failingSince ? HEALTHY : {}, notice: null };
  if (!endpoint.enabled) return { patch: {}, notice: null };
  const since = endpoint.failingSince ?? now;
  const failingMs = now.getTime() - since.getTime();
  if (statusCode === 410) return disabled('gone', since);
  if (failingMs >= DISABLE_AFTER_MS) return disabled('failing', since);
  const warnings = WARNINGS.filter(({ afterMs }) => failingMs >= afterMs).length;
  if (warnings <= endpoint.warnings) return { patch: { failingSince: since }, notice: null };
  const { stage } = WARNINGS[warnings - 1]!;
  const notice = { type: 'endpoint.failing', stage, since } as const;
  return { patch: { failingSince: since, warnings }, notice };
}

/** Whether the endpoint is unreachable, and does not just reject single events. */
export const isAway = ({ failingSince }: Pick<Health, 'failingSince'>, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= AWAY_MS;

/** State after a success, or after a fix by the merchant. */
export const HEALTHY = { failingSince: null, warnings: 0 } as const satisfies HealthPatch;

const disabled = (reason: 'gone' | 'failing', since: Date) => ({
  patch: { enabled: false, disabledReason: reason, failingSince: since },
  notice: { type: 'endpoint.disabled', stage: reason, since } as const,
});
