import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { holdFor } from '../database/time-budget.js';
import { Public } from '../merchants/api-key.guard.js';
import { hasNul } from './http.js';
import { isCsrf } from './people/session-token.js';
import { FreshFactor } from './people/fresh-factor.js';
import { SupportLooks } from './people/support-looks.js';
import { VisitsService } from './people/visits.service.js';
import { GoTo, Refusal, SIGN_IN } from './refusal.js';
import {
  holdersOf,
  may,
  needsSecondFactor,
  type Permission,
  type Role,
  ROLE_NAMES,
} from './roles.js';
import { isSigned, type PortalRequest, roleIn, type SignedVisit, type Visit } from './visit.js';

export const NEEDS = 'portal-needs';
const ASKS_ITSELF = 'portal-asks-itself';

/**
 * What a route asks for. `nobody`: no sign-in. `code`: a password was right, and a code is owed.
 * `self`: a sign-in. `platform.…`: a role at the platform. All others: a role at the merchant whom
 * the address names, as `/portal/m/:merchantId/:mode/…`.
 */
export type Need = 'nobody' | 'code' | 'self' | Permission;

export const CODE_PATH = `${SIGN_IN}/code`;

const oldForm = (): Refusal =>
  new Refusal(
    403,
    'This form is too old',
    'Go back, load the page again and send the form once more. Nothing was changed.',
  );

const unreadable = (): Refusal =>
  new Refusal(
    400,
    'Something here is no text',
    'What was sent holds a character that no keyboard has. Type it again. Nothing was changed.',
  );

/** Stands before every page of the portal. */
@Injectable()
export class PortalGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly visits: VisitsService,
    private readonly looks: SupportLooks,
    private readonly factor: FreshFactor,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const need = this.reflector.get<Need>(NEEDS, context.getHandler());
    const request = context.switchToHttp().getRequest<PortalRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    if (hasNul(request)) throw unreadable();
    const visit = await this.visits.of(request, reply);
    request.visit = visit;
    if (request.method !== 'GET' && !isCsrf(sentCsrf(request.body), visit.csrf)) {
      // Whoever has been signed out meanwhile wants to sign in, not to read about forms.
      throw visit.session || need === 'nobody' ? oldForm() : new GoTo(SIGN_IN);
    }
    if (need === 'nobody') return true;
    const admitted = await this.admit(visit, need, request);
    request.visit = admitted;
    if (isSupport(need, admitted)) await this.looks.note(admitted, request);
    const asksItself = this.reflector.get<boolean>(ASKS_ITSELF, context.getHandler());
    // Whoever found an operator's browser open decides nothing.
    if (isDeed(need, request) && !asksItself) {
      await this.factor.demand(admitted, request.body as URLSearchParams);
    }
    return true;
  }

  private async admit(
    visit: Visit,
    need: Exclude<Need, 'nobody'>,
    request: PortalRequest,
  ): Promise<SignedVisit> {
    if (!isSigned(visit)) throw new GoTo(signInThenBack(request));
    const { session } = visit;
    holdFor(session.userId);
    const owesCode = session.hasSecondFactor && session.secondFactorAt === null;
    if (owesCode !== (need === 'code')) throw new GoTo(owesCode ? CODE_PATH : '/portal');
    if (need === 'code' || need === 'self') return visit;
    if (need.startsWith('platform.')) {
      return this.allow(visit, session.platformRole, need, null);
    }
    const params = request.params as { merchantId?: string; mode?: string };
    const place = await this.visits.placeOf(session, params);
    // The platform's people do not take from those whom they look at.
    if (place.role !== 'support') holdFor(place.merchantId);
    return this.allow(visit, place.role, need, place);
  }

  private allow(
    visit: SignedVisit,
    role: Role | null,
    need: Permission,
    place: Visit['place'],
  ): SignedVisit {
    if (role === null || !may(role, need)) throw notAllowed(role, need);
    // The platform's own pages are about everybody's money.
    if (needsSecondFactor(role, need, place?.mode ?? 'live') && !visit.session.hasSecondFactor) {
      throw new GoTo(`/portal/security?needed=${neededFor(place)}`);
    }
    return { ...visit, place };
  }
}

function neededFor(place: Visit['place']): 'live' | 'change' | 'platform' {
  if (!place) return 'platform';
  return place.mode === 'live' ? 'live' : 'change';
}

/** Guards a route of the portal; the key of a program opens nothing here. */
export const Portal = (need: Need): MethodDecorator =>
  applyDecorators(Public(), SetMetadata(NEEDS, need), UseGuards(PortalGuard));

/** For a route whose page has a field for the code itself. */
export const AsksForCode = (): MethodDecorator => SetMetadata(ASKS_ITSELF, true);

/** What operators do is about everybody's money and access. */
const isDeed = (need: Need, { method }: PortalRequest): boolean =>
  (need === 'platform.payouts' || need === 'platform.manage') && method !== 'GET';

/** Somebody of the platform who looks at what merchants have. */
const isSupport = (need: Need, visit: Visit): boolean =>
  need.includes('.') && roleIn(visit) === 'support';

const sentCsrf = (body: unknown): unknown =>
  body instanceof URLSearchParams ? body.get('csrf') : undefined;

/** Only pages are gone back to, and only ours. */
function signInThenBack({ method, url }: PortalRequest): string {
  const isWorthIt = method === 'GET' && url !== '/portal';
  return isWorthIt ? `${SIGN_IN}?next=${encodeURIComponent(url)}` : SIGN_IN;
}

function notAllowed(role: Role | null, need: Permission): Refusal {
  const names = holdersOf(need).map((holder) => ROLE_NAMES[holder].toLowerCase());
  const who = `Ask somebody with the role ${names.join(' or ')}.`;
  const what = role ? `Your role is ${ROLE_NAMES[role].toLowerCase()}. ` : '';
  return new Refusal(403, 'This is not for your role', `${what}${who}`);
}
