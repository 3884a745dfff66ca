import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import type { OrderScope } from '../../database/read-models/order-list/order-list.statements.js';
import {
  pathOf,
  type MerchantContext,
  type PortalRequest,
  type SignedInContext,
} from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { type PayerVisibility, payerVisibility, type Role } from '../../people/roles.js';

/** Visible orders and the role of the user. */
export interface OrdersAccess {
  readonly scope: OrderScope;
  /** Base path of the pages. */
  readonly base: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly role: Role;
  /** Visibility of payers and customers. */
  readonly visibility: PayerVisibility;
}

/** One merchant's orders. */
export function merchantOrders({ access }: MerchantContext): OrdersAccess {
  const { merchantId, mode, timeZone, role } = access;
  const scope = { merchantId, mode };
  return { scope, base: pathOf(access), timeZone, role, visibility: payerVisibility(role, mode) };
}

/**
 * Orders of all merchants, with times in UTC.
 * @throws Refusal 404 for an unknown mode
 */
function everyMerchantsOrders({ session }: SignedInContext, mode: string): OrdersAccess {
  const role = session.platformRole;
  if (!role || !isMode(mode)) throw notFound();
  const scope = { merchantId: null, mode };
  const visibility = payerVisibility(role, mode);
  return { scope, base: `/portal/all/${mode}`, timeZone: 'UTC', role, visibility };
}

/** Injects the access for `m/:merchantId/:mode` or `all/:mode`. */
export const CurrentOrdersAccess = createParamDecorator(
  (_: unknown, execution: ExecutionContext) => {
    const { portalContext: context, params } = execution.switchToHttp().getRequest<PortalRequest>();
    const { mode } = params as { readonly mode: string };
    return context?.access
      ? merchantOrders(context as MerchantContext)
      : everyMerchantsOrders(context as SignedInContext, mode);
  },
);

const isMode = (text: string): text is Mode => text === 'test' || text === 'live';
