import { Get, Param, Post, Query } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import type { ApiKey } from '../../database/merchants/api-key.entity.js';
import type { TransactionHook } from '../../database/transaction-hook.js';
import {
  ApiKeysService,
  isUsableKey,
  type KeyMaker,
  type NewKey,
} from '../../merchants/api-keys.service.js';
import { DeprecatedCallsService } from '../../merchants/deprecated-calls.service.js';
import { WebhookEndpointsService } from '../../notifications/webhooks/webhook-endpoints.service.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { FreshFactor } from '../../people/second-factor/fresh-factor.js';
import { UsersService } from '../../people/users.service.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { attempt } from '../kit/form.js';
import { Form } from '../kit/http.js';
import { idOf } from '../kit/path-id.js';
import { Needs, PortalController } from '../portal-controller.js';
import { blankKey, readKey, readOverlap } from './key.form.js';
import { renderKeyRevocation, renderKeyRoll, renderKeySecret, renderNewKey } from './key.view.js';
import { renderKeys } from './keys.view.js';

/** Period of the deprecated calls, in days. */
const CALLS_DAYS = 30;

/** API keys of the merchant in the current mode. */
@PortalController('m/:merchantId/:mode/keys')
export class KeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly calls: DeprecatedCallsService,
    private readonly endpoints: WebhookEndpointsService,
    private readonly users: UsersService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Needs('keys.manage')
  async list(
    @CurrentContext() context: MerchantContext,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    const { merchantId } = context.access;
    const keys = await this.keys.list(context.access);
    const calls = await this.calls.ofLastDays(merchantId, CALLS_DAYS);
    const makers = await this.users.names(keys.flatMap(({ createdBy }) => createdBy ?? []));
    const endpoints = await this.endpoints.madeByKeys(context.access);
    const now = this.clock.now();
    return page(renderKeys({ context, keys, makers, endpoints, calls, now, done }));
  }

  @Get('new')
  @Needs('keys.manage')
  blank(@CurrentContext() context: MerchantContext): PageAnswer {
    return page(renderNewKey({ context, form: blankKey(context.access) }));
  }

  /** Shows the secret in the response of the POST, so that no URL contains it. */
  @Post('new')
  @Needs('keys.manage')
  async create(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const wanted = readKey(form, context.access, this.clock.now());
    const made = wanted.problems ? wanted : await this.make(context, form, wanted.done);
    if (made.problems) {
      return invalid(renderNewKey({ context, form, problems: made.problems }));
    }
    return page(renderKeySecret(context, made.done), 201);
  }

  @Get(':id/roll')
  @Needs('keys.manage')
  async askRoll(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return page(renderKeyRoll(context, await this.usable(context, id)));
  }

  @Post(':id/roll')
  @Needs('keys.manage')
  async roll(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const key = await this.usable(context, id);
    const hours = readOverlap(form);
    if (hours === null) return invalid(renderKeyRoll(context, key, NOT_OFFERED));
    await this.factor.demandLive(context, form);
    const rolling = { overlapHours: hours, maker: makerOf(context) };
    const data = { former: key.id, overlapHours: hours };
    const hook = this.audited(context, 'key.rolled', data);
    const made = await attempt(() => this.keys.roll(context.access, key.id, rolling, hook));
    if (made.problems) return invalid(renderKeyRoll(context, key, made.problems));
    if (!made.done) throw notFound();
    return page(renderKeySecret(context, made.done, { key, hours }), 201);
  }

  @Get(':id/revoke')
  @Needs('keys.manage')
  async askRevoke(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const key = await this.usable(context, id);
    const endpoints = await this.endpoints.madeByKeys(context.access);
    return page(renderKeyRevocation(context, key, endpoints));
  }

  @Post(':id/revoke')
  @Needs('keys.manage')
  async revoke(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const hook = this.audited(context, 'key.revoked');
    if (!(await this.keys.revokeOne(context.access, idOf(id), hook))) throw notFound();
    return seeOther(`${pathOf(context.access)}/keys?done=revoked`);
  }

  private async make(context: MerchantContext, form: URLSearchParams, wanted: NewKey) {
    await this.factor.demandLive(context, form);
    const hook = this.audited(context, 'key.created');
    return attempt(() => this.keys.create({ ...wanted, maker: makerOf(context) }, hook));
  }

  /** @throws Refusal 404 for an inactive key, or one of another mode or merchant */
  private async usable({ access }: MerchantContext, id: string): Promise<ApiKey> {
    const key = await this.keys.get(access, idOf(id));
    if (!key || !isUsableKey(key, this.clock.now())) throw notFound();
    return key;
  }

  /** Audits name and permissions, never the key itself. */
  private audited(
    context: MerchantContext,
    action: string,
    more: object = {},
  ): TransactionHook<ApiKey> {
    return (tx, { id, name, mode, hint, scopes, allowedIps, expiresAt }) => {
      const data = { mode, name, hint, scopes, allowedIps, expiresAt, ...more };
      return this.audit.record(tx, context, { action, subject: id, data });
    };
  }
}

const makerOf = ({ session, access }: MerchantContext): KeyMaker => ({
  userId: session.userId,
  role: access.role,
});

const NOT_OFFERED = { overlapHours: 'Choose one from the list.' };
