import {
  Controller,
  Get,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../common/clock.js';
import { sendPage } from '../../common/page.js';
import type { Along } from '../../database/along.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import {
  ApiKeysService,
  isUsable,
  type KeyMaker,
  type NewKey,
} from '../../merchants/api-keys.service.js';
import { DeprecatedCallsService } from '../../merchants/deprecated-calls.service.js';
import { WebhookEndpointsService } from '../../notifications/webhooks/webhook-endpoints.service.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { FreshFactor } from '../people/fresh-factor.js';
import { UsersService } from '../people/users.service.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { notFound } from '../refusal.js';
import { CurrentVisit, pathOf, type PlacedVisit } from '../visit.js';
import { attempt } from './form.js';
import { blankKey, readKey, readOverlap } from './key.form.js';
import { renderKeyRevocation, renderKeyRoll, renderKeySecret, renderNewKey } from './key.view.js';
import { renderKeys } from './keys.view.js';
import { idOf } from './path-id.js';

/** Days of calls to deprecated operations that are counted. */
const CALLS_DAYS = 30;

/** The keys of a merchant's programs, in the mode of the place. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/keys', version: VERSION_NEUTRAL })
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
  @Portal('keys.manage')
  async list(
    @CurrentVisit() visit: PlacedVisit,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { merchantId } = visit.place;
    const keys = await this.keys.list(visit.place);
    const calls = await this.calls.ofLastDays(merchantId, CALLS_DAYS);
    const makers = await this.users.names(keys.flatMap(({ createdBy }) => createdBy ?? []));
    const endpoints = await this.endpoints.madeByKeys(visit.place);
    const now = this.clock.now();
    sendPage(reply, 200, renderKeys({ visit, keys, makers, endpoints, calls, now, done }));
  }

  @Get('new')
  @Portal('keys.manage')
  blank(@CurrentVisit() visit: PlacedVisit, @Res() reply: FastifyReply): void {
    sendPage(reply, 200, renderNewKey({ visit, form: blankKey(visit.place) }));
  }

  /** The answer shows the secret, so that no address does. */
  @Post('new')
  @Portal('keys.manage')
  async create(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const wanted = readKey(form, visit.place, this.clock.now());
    const made = wanted.problems ? wanted : await this.make(visit, form, wanted.done);
    if (made.problems) {
      return sendPage(reply, 422, renderNewKey({ visit, form, problems: made.problems }));
    }
    sendPage(reply, 201, renderKeySecret(visit, made.done));
  }

  @Get(':id/roll')
  @Portal('keys.manage')
  async askRoll(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendPage(reply, 200, renderKeyRoll(visit, await this.usable(visit, id)));
  }

  @Post(':id/roll')
  @Portal('keys.manage')
  async roll(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = await this.usable(visit, id);
    const form = formOf(request);
    const hours = readOverlap(form);
    if (hours === null) return sendPage(reply, 422, renderKeyRoll(visit, key, NOT_OFFERED));
    await this.factor.demandLive(visit, form);
    const rolling = { overlapHours: hours, maker: makerOf(visit) };
    const data = { former: key.id, overlapHours: hours };
    const along = this.audited(visit, 'key.rolled', data);
    const made = await attempt(() => this.keys.roll(visit.place, key.id, rolling, along));
    if (made.problems) return sendPage(reply, 422, renderKeyRoll(visit, key, made.problems));
    if (!made.done) throw notFound();
    sendPage(reply, 201, renderKeySecret(visit, made.done, { key, hours }));
  }

  @Get(':id/revoke')
  @Portal('keys.manage')
  async askRevoke(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = await this.usable(visit, id);
    const endpoints = await this.endpoints.madeByKeys(visit.place);
    sendPage(reply, 200, renderKeyRevocation(visit, key, endpoints));
  }

  @Post(':id/revoke')
  @Portal('keys.manage')
  async revoke(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const along = this.audited(visit, 'key.revoked');
    if (!(await this.keys.revokeOne(visit.place, idOf(id), along))) throw notFound();
    goTo(reply, `${pathOf(visit.place)}/keys?done=revoked`);
  }

  private async make(visit: PlacedVisit, form: URLSearchParams, wanted: NewKey) {
    await this.factor.demandLive(visit, form);
    const along = this.audited(visit, 'key.created');
    return attempt(() => this.keys.create({ ...wanted, maker: makerOf(visit) }, along));
  }

  /** @throws Refusal 404 for a key that is over, of another mode or of somebody else */
  private async usable({ place }: PlacedVisit, id: string): Promise<ApiKey> {
    const key = await this.keys.get(place, idOf(id));
    if (!key || !isUsable(key, this.clock.now())) throw notFound();
    return key;
  }

  /** The name and what the key may do; never the key. */
  private audited(visit: PlacedVisit, action: string, more: object = {}): Along<ApiKey> {
    return (tx, { id, name, mode, hint, scopes, allowedIps, expiresAt }) => {
      const data = { mode, name, hint, scopes, allowedIps, expiresAt, ...more };
      return this.audit.record(tx, visit, { action, subject: id, data });
    };
  }
}

const makerOf = ({ session, place }: PlacedVisit): KeyMaker => ({
  userId: session.userId,
  role: place.role,
});

const NOT_OFFERED = { overlapHours: 'Choose one from the list.' };
