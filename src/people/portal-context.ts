import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { LiveSession } from '../database/people/user-session.repository.js';
import type { Permission, Role } from './roles.js';
import { may } from './roles.js';

/** A merchant and mode, with the user's role there. */
export interface MerchantAccess {
  readonly merchantId: string;
  readonly merchantName: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly mode: Mode;
  readonly role: Role;
}

/** Context of a portal request. */
export interface PortalContext {
  /** Null if not signed in. Replaced together with `csrf` when the session is renewed. */
  session: LiveSession | null;
  /** CSRF token of all forms. */
  csrf: string;
  readonly address: string;
  /** Unverified cookie of a known browser. */
  readonly device: string | undefined;
  readonly path: string;
  readonly access: MerchantAccess | null;
  /** Sets another session token with the response. */
  readonly remember: (token: string) => void;
}

/** Context that the page layout displays. */
export interface PageContext extends Pick<PortalContext, 'csrf' | 'path' | 'access'> {
  readonly session: Pick<LiveSession, 'name' | 'platformRole'>;
}

/** Context of a signed-in user. */
export interface SignedInContext extends PortalContext {
  session: LiveSession;
}

export const isSignedIn = (context: PortalContext): context is SignedInContext =>
  context.session !== null;

/** Context of a merchant's pages. */
export interface MerchantContext extends SignedInContext {
  readonly access: MerchantAccess;
}

export interface PortalRequest extends FastifyRequest {
  portalContext?: PortalContext;
}

/** Context from the guard: with session and merchant if the route requires them. */
export const CurrentContext = createParamDecorator((_: unknown, execution: ExecutionContext) => {
  const { portalContext: context } = execution.switchToHttp().getRequest<PortalRequest>();
  if (!context) throw new Error('a route outside the portal has no context');
  return context;
});

/** A user and the current access. */
interface Placed extends Pick<PortalContext, 'access'> {
  readonly session: Pick<LiveSession, 'platformRole'> | null;
}

/** The user's role in the current context. */
export const roleIn = (context: Placed): Role | null =>
  context.access?.role ?? context.session?.platformRole ?? null;

export function mayHere(context: Placed, permission: Permission): boolean {
  const role = roleIn(context);
  return role !== null && may(role, permission);
}

/** Base path of a merchant's pages in one mode. */
export const pathOf = ({ merchantId, mode }: Pick<MerchantAccess, 'merchantId' | 'mode'>): string =>
  `/portal/m/${merchantId}/${mode}`;
