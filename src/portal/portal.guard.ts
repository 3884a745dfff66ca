import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { setTenant } from '../overload/request-context.js';
import { ArrivingForm } from '../http/file-form.js';
import { formOf } from '../http/form-body.js';
import {
  isSignedIn,
  type PortalRequest,
  roleIn,
  type SignedInContext,
  type PortalContext,
} from '../people/portal-context.js';
import { GoTo, Refusal, SIGN_IN } from '../people/refusal.js';
import {
  holdersOf,
  may,
  needsSecondFactor,
  type Permission,
  type Role,
  roleName,
} from '../people/roles.js';
import { FreshFactor } from '../people/second-factor/fresh-factor.js';
import { PortalContextsService } from '../people/sessions/portal-contexts.service.js';
import { isCsrf } from '../people/sessions/session-token.js';
import { SupportViews } from '../people/support-views.js';
import { hasNul } from './kit/http.js';

export const NEEDS = 'portal-needs';
export const ASKS_ITSELF = 'portal-asks-itself';

/**
 * Access requirement of a route. `public`: no sign-in. `code`: password accepted, code still missing. `self`: signed in.
 * `platform.…`: a platform role. All others: a role at the merchant in the path `/portal/m/:merchantId/:mode/…`.
 */
export type Need = 'public' | 'code' | 'self' | Permission;

/** Access requirement of a handler. */
export interface Needed {
  readonly need: Need;
  /** Requirement for paths without a merchant, such as `/portal/all/:mode/…`. */
  readonly ofAll: Permission | undefined;
}

export const CODE_PATH = `${SIGN_IN}/code`;

const oldForm = (): Refusal =>
  new Refusal(
    403,
    'This form has expired',
    'Go back, reload the page and submit the form again. Nothing was changed.',
  );

const unreadable = (): Refusal =>
  new Refusal(
    400,
    'Invalid text',
    'The input contains an invalid character. Enter it again. Nothing was changed.',
  );

/** Checks session, CSRF token, permission and second factor of every portal route. */
@Injectable()
export class PortalGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly contexts: PortalContextsService,
    private readonly supportViews: SupportViews,
    private readonly factor: FreshFactor,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<PortalRequest>();
    const reply = execution.switchToHttp().getResponse<FastifyReply>();
    const need = this.needOf(execution, request);
    const context = await this.contexts.of(request, reply);
    request.portalContext = context;
    await receiveForm(request, context, need);
    if (hasNul(request)) throw unreadable();
    if (request.method !== 'GET' && !isCsrf(formOf(request).get('csrf'), context.csrf)) {
      // A user who was signed out meanwhile gets the sign-in page instead of an error.
      throw context.session || need === 'public' ? oldForm() : new GoTo(SIGN_IN);
    }
    if (need === 'public') return true;
    const admitted = await this.admit(context, need, request);
    request.portalContext = admitted;
    if (isSupport(need, admitted)) await this.supportViews.note(admitted, request);
    const asksItself = this.reflector.get<boolean>(ASKS_ITSELF, execution.getHandler());
    // Writes need a fresh code: an unattended browser of an operator must not be enough.
    if (isWrite(need, request) && !asksItself) {
      await this.factor.demand(admitted, formOf(request));
    }
    return true;
  }

  /** Throws, and so denies access, if the handler has no `Needs`. */
  private needOf(execution: ExecutionContext, { params }: PortalRequest): Need {
    const { need, ofAll } = this.reflector.get<Needed>(NEEDS, execution.getHandler());
    return ofAll && !Object.hasOwn(params as object, 'merchantId') ? ofAll : need;
  }

  private async admit(
    context: PortalContext,
    need: Exclude<Need, 'public'>,
    request: PortalRequest,
  ): Promise<SignedInContext> {
    if (!isSignedIn(context)) throw new GoTo(signInThenBack(request));
    const { session } = context;
    setTenant(session.userId);
    const needsCode = session.hasSecondFactor && session.secondFactorAt === null;
    if (needsCode !== (need === 'code')) throw new GoTo(needsCode ? CODE_PATH : '/portal');
    if (need === 'code' || need === 'self') return context;
    if (need.startsWith('platform.')) {
      return this.allow(context, session.platformRole, need, null);
    }
    const params = request.params as { merchantId?: string; mode?: string };
    const access = await this.contexts.accessTo(session, params);
    // Support must not use up the fairness limits of the merchant.
    if (access.role !== 'support') setTenant(access.merchantId);
    return this.allow(context, access.role, need, access);
  }

  private allow(
    context: SignedInContext,
    role: Role | null,
    need: Permission,
    access: PortalContext['access'],
  ): SignedInContext {
    if (role === null || !may(role, need)) throw notAllowed(role, need);
    // Platform pages have no mode and are treated as live.
    if (needsSecondFactor(role, need, access?.mode ?? 'live') && !context.session.hasSecondFactor) {
      throw new GoTo(`/portal/security?needed=${neededFor(access)}`);
    }
    return { ...context, access };
  }
}

/** Reads an uploaded file only for signed-in users. */
async function receiveForm(
  request: PortalRequest,
  context: PortalContext,
  need: Need,
): Promise<void> {
  if (!(request.body instanceof ArrivingForm)) return;
  if (need !== 'public' && !isSignedIn(context)) throw new GoTo(SIGN_IN);
  request.body = await request.body.read();
}

function neededFor(access: PortalContext['access']): 'live' | 'change' | 'platform' {
  if (!access) return 'platform';
  return access.mode === 'live' ? 'live' : 'change';
}

/** Whether an operator's request changes data. */
const isWrite = (need: Need, { method }: PortalRequest): boolean =>
  (need === 'platform.payouts' || need === 'platform.manage') && method !== 'GET';

/** Whether support views merchants' data. */
const isSupport = (need: Need, context: PortalContext): boolean =>
  need.includes('.') && roleIn(context) === 'support';

/** Returns to the page after the sign-in, for GET requests only. */
function signInThenBack({ method, url }: PortalRequest): string {
  const isWorthIt = method === 'GET' && url !== '/portal';
  return isWorthIt ? `${SIGN_IN}?next=${encodeURIComponent(url)}` : SIGN_IN;
}

function notAllowed(role: Role | null, need: Permission): Refusal {
  const names = holdersOf(need).map((holder) => roleName(holder).toLowerCase());
  const who = `Ask a team member with the role ${names.join(' or ')}.`;
  const what = role ? `Your role is ${roleName(role).toLowerCase()}. ` : '';
  return new Refusal(403, 'You don’t have permission', `${what}${who}`);
}
