import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Mode } from '../database/entities/api-key.entity.js';
import type { LiveSession } from '../database/repositories/user-session.repository.js';
import type { Permission, Role } from './roles.js';
import { may } from './roles.js';

/** A merchant's orders of one mode, and the role in which the visitor is there. */
export interface VisitedPlace {
  readonly merchantId: string;
  readonly merchantName: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly mode: Mode;
  readonly role: Role;
}

/** Who looks at a page, and where. */
export interface Visit {
  /** Null for somebody who has not signed in. Another one once it is renewed, as `csrf` is. */
  session: LiveSession | null;
  /** Stands in every form: only a page of ours knows it. */
  csrf: string;
  readonly address: string;
  /** What the browser keeps of the last sign-in, unchecked. */
  readonly device: string | undefined;
  readonly path: string;
  readonly place: VisitedPlace | null;
  /** Gives the browser another token with the answer. */
  readonly remember: (token: string) => void;
}

/** A visit of somebody who has signed in. */
export interface SignedVisit extends Visit {
  session: LiveSession;
}

export const isSigned = (visit: Visit): visit is SignedVisit => visit.session !== null;

/** A visit to a merchant's pages. */
export interface PlacedVisit extends SignedVisit {
  readonly place: VisitedPlace;
}

export interface PortalRequest extends FastifyRequest {
  visit?: Visit;
}

/** The visit, as the guard found it: with session and place where the route asks for them. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { visit } = context.switchToHttp().getRequest<PortalRequest>();
  if (!visit) throw new Error('a route outside the portal has no visit');
  return visit;
});

/** The role in which somebody is where he is. */
export const roleIn = (visit: Visit): Role | null =>
  visit.place?.role ?? visit.session?.platformRole ?? null;

export function mayHere(visit: Visit, permission: Permission): boolean {
  const role = roleIn(visit);
  return role !== null && may(role, permission);
}

/** The path under which a merchant's pages of one mode lie. */
export const pathOf = ({ merchantId, mode }: Pick<VisitedPlace, 'merchantId' | 'mode'>): string =>
  `/portal/m/${merchantId}/${mode}`;
