import { knownOf, plainWord } from '../common/known.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { MerchantRole } from '../database/people/membership.entity.js';
import type { PlatformRole } from '../database/people/user.entity.js';

export type Role = MerchantRole | PlatformRole;

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  finance: 'Finance',
  viewer: 'Viewer',
  support: 'Support',
  operator: 'Operator',
};

export const roleName = (role: Role): string => knownOf(ROLE_NAMES, role) ?? plainWord(role);

/** Permissions and the roles that have them. */
const HOLDERS = {
  'orders.read': ['owner', 'developer', 'finance', 'viewer', 'support'],
  'orders.export': ['owner', 'finance', 'support'],
  'orders.cancel': ['owner', 'finance'],
  /** The address of a payment page allows cancelling its order. */
  'orders.payment-page': ['owner', 'developer', 'finance'],
  'refunds.manage': ['owner', 'finance'],
  'orders.note': ['owner', 'developer', 'finance', 'support'],
  'payer.reveal': ['owner', 'finance', 'support'],
  'payouts.read': ['owner', 'finance', 'viewer', 'support'],
  'payouts.manage': ['owner', 'finance'],
  'bank-accounts.confirm': ['owner'],
  'deliveries.read': ['owner', 'developer', 'support'],
  'deliveries.resend': ['owner', 'developer', 'support'],
  'keys.manage': ['owner', 'developer'],
  'webhooks.manage': ['owner', 'developer'],
  'recipients.manage': ['owner', 'finance'],
  'business.manage': ['owner'],
  'team.manage': ['owner'],
  'audit.read': ['owner'],
  'platform.read': ['operator', 'support'],
  'platform.orders': ['support'],
  'platform.manage': ['operator'],
  'platform.payouts': ['operator'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof HOLDERS;

export const may = (role: Role, permission: Permission): boolean =>
  (HOLDERS[permission] as readonly Role[]).includes(role);

/** Roles to ask for a permission. */
export const holdersOf = (permission: Permission): readonly Role[] => HOLDERS[permission];

/** Payer data that a role sees: `masked` shows the end of account and name. */
export type PayerVisibility = 'full' | 'masked' | 'none';

/** Support can see the full data of one payer at a time, which is audited. */
export function payerVisibility(role: Role, mode: Mode): PayerVisibility {
  if (role === 'owner' || role === 'finance') return 'full';
  if (role === 'developer') return mode === 'test' ? 'full' : 'none';
  return 'masked';
}

/** Settings shared by both modes count as live wherever they are opened. */
const OF_BOTH_MODES: readonly Permission[] = ['team.manage', 'business.manage', 'audit.read'];

/** These see or move live money, so they require a second factor. */
export const needsSecondFactor = (role: Role, need: Permission, mode: Mode): boolean =>
  (mode === 'live' || OF_BOTH_MODES.includes(need)) && role !== 'developer' && role !== 'viewer';
