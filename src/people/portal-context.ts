import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { LiveSession } from '../database/people/user-session.repository.js';
import type { Permission, Role } from './roles.js';
import { may } from './roles.js';

/** A merchant's orders of one mode, and the role in which the user is there. */
export interface MerchantAccess {
  readonly merchantId: string;
  readonly merchantName: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly mode: Mode;
  readonly role: Role;
}

/** Who looks at a page, and where. */
export interface PortalContext {
  /** Null for somebody who has not signed in. Another one once it is renewed, as `csrf` is. */
  session: LiveSession | null;
  /** Stands in every form: only a page of ours knows it. */
  csrf: string;
  readonly address: string;
  /** What the browser keeps of the last sign-in, unchecked. */
  readonly device: string | undefined;
  readonly path: string;
  readonly access: MerchantAccess | null;
  /** Gives the browser another token with the answer. */
  readonly remember: (token: string) => void;
}

/** What the frame of a page shows of who looks at it, and where. */
export interface PageContext extends Pick<PortalContext, 'csrf' | 'path' | 'access'> {
  readonly session: Pick<LiveSession, 'name' | 'platformRole'>;
}

/** The context of somebody who has signed in. */
export interface SignedInContext extends PortalContext {
  session: LiveSession;
}

export const isSignedIn = (context: PortalContext): context is SignedInContext =>
  context.session !== null;

/** The context of a merchant's pages. */
export interface MerchantContext extends SignedInContext {
  readonly access: MerchantAccess;
}

export interface PortalRequest extends FastifyRequest {
  portalContext?: PortalContext;
}

/** The context, as the guard found it: with session and merchant where the route asks for them. */
export const CurrentContext = createParamDecorator((_: unknown, execution: ExecutionContext) => {
  const { portalContext: context } = execution.switchToHttp().getRequest<PortalRequest>();
  if (!context) throw new Error('a route outside the portal has no context');
  return context;
});

/** Somebody, and where he is. */
interface Placed extends Pick<PortalContext, 'access'> {
  readonly session: Pick<LiveSession, 'platformRole'> | null;
}

/** The role in which somebody is where he is. */
export const roleIn = (context: Placed): Role | null =>
  context.access?.role ?? context.session?.platformRole ?? null;

export function mayHere(context: Placed, permission: Permission): boolean {
  const role = roleIn(context);
  return role !== null && may(role, permission);
}

/** The path under which a merchant's pages of one mode lie. */
export const pathOf = ({ merchantId, mode }: Pick<MerchantAccess, 'merchantId' | 'mode'>): string =>
  `/portal/m/${merchantId}/${mode}`;
