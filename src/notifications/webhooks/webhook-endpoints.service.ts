import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import { Bulkhead } from '../../overload/bulkhead.js';
import { Database } from '../../database/database.js';
import type { Owner } from '../../database/keys.js';
import { CatchUpRepository } from '../../database/notifications/catch-up.repository.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import {
  type EndpointPatch,
  WebhookEndpointRepository,
} from '../../database/notifications/webhook-endpoint.repository.js';
import { noHook, type TransactionHook } from '../../database/transaction-hook.js';
import type { ApiVersion } from '../../common/api-version.js';
import { answerOf } from '../../contract/answers.js';
import type { OptionalFieldRequest } from '../../contract/optional-field.js';
import { Problem } from '../../http/problems/problem.js';
import {
  type ChangeWebhookEndpointRequest,
  type CreateWebhookEndpointRequest,
  OVERLAP_HOURS,
  type RollSecretRequest,
} from './dto/webhook-endpoint.request.js';
import {
  WebhookEndpointListResponse,
  webhookEndpointResponse,
  type WebhookEndpointResponse,
  webhookEndpointWithSecretResponse,
  type WebhookEndpointWithSecretResponse,
} from '../../contract/webhook-endpoint.response.js';
import { DeliverySignal } from '../delivery-signal.js';
import { EndpointNotifier } from './endpoint-notifier.js';
import {
  type Author,
  hearsOfMorePayouts,
  rejectPayoutTypesWithField,
  rejectUnreadableEvents,
} from './subscription-rights.js';
import { TargetGuard } from './target-guard.js';
import { HEALTHY } from './webhook-outcome.js';
import { newWebhookSecret } from './webhook-signature.js';
import { TargetRefused, TargetUnknown } from './webhook-target.js';

/** Maximum endpoints of a merchant per mode. */
export const ENDPOINTS_MAX = 10;
const HOUR_MS = 3_600_000;
/** Milliseconds for the DNS lookup while an endpoint is saved. */
const LOOKUP_MS = 2_000;
/** Concurrent lookups while saving: per merchant, and in total. */
const LOOKUPS = { perKey: 2, max: 20 };

interface Editor extends Owner {
  readonly author: Author;
}

/** Creator of an endpoint; orders are rendered in `version` by default. */
interface Maker extends Editor {
  readonly version: ApiVersion;
}

/** Webhook endpoints of merchants. */
@Injectable()
export class WebhookEndpointsService {
  private readonly lookups = new Bulkhead(LOOKUPS);

  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly catchUps: CatchUpRepository,
    private readonly deliverySignal: DeliverySignal,
    private readonly targets: TargetGuard,
    private readonly notifier: EndpointNotifier,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `validation_failed`, `too_many_webhook_endpoints`, `missing_scope`, `rate_limited` */
  async create(
    maker: Maker,
    request: CreateWebhookEndpointRequest,
    hook: TransactionHook<WebhookEndpoint> = noHook,
  ): Promise<WebhookEndpointWithSecretResponse> {
    await this.checkTarget(maker, request.url);
    const endpoint = newEndpoint(maker, request, this.clock.now());
    rejectUnreadableEvents(maker.author, endpoint);
    rejectPayoutTypesWithField(endpoint);
    await this.database.transaction(async (tx) => {
      const isAdded = await this.endpoints.insert(tx, endpoint, ENDPOINTS_MAX);
      if (!isAdded) throw new Problem('too_many_webhook_endpoints');
      if (isByKey(endpoint)) {
        await this.notifier.notify(tx, endpoint, 'webhook.created-by-key', maker.author.address);
      }
      await hook(tx, endpoint);
    });
    return webhookEndpointWithSecretResponse(endpoint);
  }

  async list(owner: Owner): Promise<WebhookEndpointListResponse> {
    const data = (await this.endpoints.list(owner)).map(webhookEndpointResponse);
    return answerOf(WebhookEndpointListResponse, { data });
  }

  async get(owner: Owner, id: string): Promise<WebhookEndpointResponse> {
    return webhookEndpointResponse(await this.find(owner, id));
  }

  /** @throws Problem `webhook_endpoint_not_found` */
  async find(owner: Owner, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.endpoints.find(owner, id);
    if (!endpoint) throw new Problem('webhook_endpoint_not_found');
    return endpoint;
  }

  /** @throws Problem `validation_failed`, `webhook_endpoint_not_found`, `missing_scope`, `rate_limited` */
  async change(
    editor: Editor,
    id: string,
    request: ChangeWebhookEndpointRequest,
    hook: TransactionHook<WebhookEndpoint> = noHook,
  ): Promise<WebhookEndpointResponse> {
    const { url } = await this.find(editor, id);
    if (request.url !== undefined && request.url !== url) {
      await this.checkTarget(editor, request.url);
    }
    const { author } = editor;
    const patchFor = (endpoint: WebhookEndpoint) => {
      const patch = patchOf(endpoint, request, author);
      rejectUnreadableEvents(author, { ...endpoint, ...patch }, endpoint);
      rejectPayoutTypesWithField({ ...endpoint, ...patch });
      return patch;
    };
    const changed = await this.update(editor, id, patchFor, async (tx, endpoint, before) => {
      if (!endpoint.seesPayouts)
        await this.endpoints.cancelDeliveries(tx, endpoint, this.clock.now());
      if (request.enabled === true || endpoint.url !== before.url) await this.catchUp(tx, endpoint);
      if (isByKey(endpoint) && endpoint.url !== before.url) {
        await this.notifier.notify(tx, endpoint, 'webhook.pointed-by-key', author.address);
      }
      await hook(tx, endpoint);
    });
    return webhookEndpointResponse(changed);
  }

  /** Enabled endpoints that API keys created or redirected. */
  async madeByKeys(owner: Owner): Promise<WebhookEndpoint[]> {
    const all = await this.endpoints.list(owner);
    return all.filter(({ madeByKey, enabled }) => madeByKey !== null && enabled);
  }

  /** Cancels pending deliveries to the endpoint. */
  async remove(
    owner: Owner,
    id: string,
    hook: TransactionHook<WebhookEndpoint> = noHook,
  ): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const endpoint = await this.lock(tx, owner, id);
      await this.endpoints.update(tx, endpoint, { deletedAt: now, updatedAt: now });
      await this.endpoints.cancelDeliveries(tx, endpoint, now);
      await hook(tx, endpoint);
    });
  }

  /** @throws Problem `webhook_endpoint_not_found` */
  async roll(
    owner: Owner,
    id: string,
    { overlapHours = OVERLAP_HOURS.standard }: RollSecretRequest,
    hook: TransactionHook<WebhookEndpoint> = noHook,
  ): Promise<WebhookEndpointWithSecretResponse> {
    const until = new Date(this.clock.now().getTime() + overlapHours * HOUR_MS);
    const patchFor = ({ secret }: WebhookEndpoint) => ({
      secret: newWebhookSecret(),
      previousSecret: overlapHours === 0 ? null : secret,
      previousSecretUntil: overlapHours === 0 ? null : until,
    });
    return webhookEndpointWithSecretResponse(await this.update(owner, id, patchFor, hook));
  }

  /**
   * Locks the endpoint until the transaction ends.
   * @throws Problem `webhook_endpoint_not_found`
   */
  async lock(tx: EntityManager, owner: Owner, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.endpoints.lockOne(tx, owner, id);
    if (!endpoint) throw new Problem('webhook_endpoint_not_found');
    return endpoint;
  }

  /** Retries waiting deliveries now, as fast as the endpoint accepts them. */
  async catchUp(tx: EntityManager, endpoint: WebhookEndpoint): Promise<void> {
    await this.catchUps.begin(tx, endpoint, this.clock.now());
    this.database.afterCommit(tx, () => this.deliverySignal.wake());
  }

  private update(
    owner: Owner,
    id: string,
    patchFor: (endpoint: WebhookEndpoint) => EndpointPatch,
    hook: (tx: EntityManager, done: WebhookEndpoint, before: WebhookEndpoint) => Promise<void>,
  ): Promise<WebhookEndpoint> {
    return this.database.transaction(async (tx) => {
      const endpoint = await this.lock(tx, owner, id);
      const patch = { ...patchFor(endpoint), updatedAt: this.clock.now() };
      const updated = { ...endpoint, ...patch };
      await this.endpoints.update(tx, endpoint, patch);
      await hook(tx, updated, endpoint);
      return updated;
    });
  }

  /**
   * Accepts names that do not resolve yet, and skips the lookup when too many are running: each attempt checks again.
   */
  private async checkTarget({ merchantId }: Owner, url: string): Promise<void> {
    const leave = this.lookups.tryEnter(merchantId);
    const timeout = leave ? AbortSignal.timeout(LOOKUP_MS) : AbortSignal.abort();
    try {
      await this.targets.check(url, timeout);
    } catch (error) {
      if (error instanceof TargetUnknown || error === timeout.reason) return;
      throw error instanceof TargetRefused ? refused(error) : error;
    } finally {
      leave?.();
    }
  }
}

const refused = ({ message }: TargetRefused): Problem =>
  new Problem('validation_failed', {
    detail: 'One field is not valid: /url.',
    errors: [{ pointer: '/url', code: 'address_refused', detail: message }],
  });

/** Live events contain payer data, so a change of their target by a key is never silent. */
const isByKey = ({ mode, madeByKey }: WebhookEndpoint): boolean =>
  mode === 'live' && madeByKey !== null;

const newEndpoint = (
  { merchantId, mode, version, author }: Maker,
  request: CreateWebhookEndpointRequest,
  now: Date,
): WebhookEndpoint => ({
  merchantId,
  id: uuidv7(now.getTime()),
  mode,
  url: request.url,
  description: request.description || null,
  eventTypes: request.eventTypes ?? [],
  ...fieldOf(request.optionalField ?? null),
  apiVersion: request.apiVersion ?? version,
  secret: newWebhookSecret(),
  previousSecret: null,
  previousSecretUntil: null,
  enabled: true,
  disabledReason: null,
  failingSince: null,
  answersSince: null,
  warnings: 0,
  ...makerOf(author),
  createdAt: now,
  updatedAt: now,
  deletedAt: null,
});

const fieldOf = (field: OptionalFieldRequest | null) => ({
  fieldKey: field?.key ?? null,
  fieldValue: field?.value ?? null,
});

const makerOf = ({ madeBy, madeByKey, seesPayouts }: Author) => ({
  madeBy,
  madeByKey,
  seesPayouts,
});

function patchOf(
  endpoint: WebhookEndpoint,
  request: ChangeWebhookEndpointRequest,
  author: Author,
): EndpointPatch {
  const { url, description, eventTypes, optionalField, apiVersion, enabled } = request;
  const isElsewhere = url !== undefined && url !== endpoint.url;
  return {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(eventTypes === undefined ? {} : { eventTypes }),
    ...(optionalField === undefined ? {} : fieldOf(optionalField)),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(enabled === true ? { enabled, disabledReason: null } : {}),
    ...(enabled === false && endpoint.enabled ? { enabled, disabledReason: 'by_merchant' } : {}),
    ...(enabled === true || isElsewhere ? HEALTHY : {}),
    ...(eventTypes && hearsOfMorePayouts(endpoint, eventTypes) ? { seesPayouts: false } : {}),
    // The author of the URL is responsible for the endpoint's rights; an author with payout rights may subscribe it to
    // payouts.
    ...(isElsewhere || (eventTypes && author.seesPayouts) ? makerOf(author) : {}),
  };
}
