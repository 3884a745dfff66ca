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

/** What a page or a button needs, and who has it. */
const HOLDERS = {
  'orders.read': ['owner', 'developer', 'finance', 'viewer', 'support'],
  'orders.export': ['owner', 'finance', 'support'],
  'orders.cancel': ['owner', 'finance'],
  /** Whoever has a payment page's address can cancel its order. */
  'orders.payment-page': ['owner', 'developer', 'finance'],
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

/** Whom to ask for what one may not do oneself. */
export const holdersOf = (permission: Permission): readonly Role[] => HOLDERS[permission];

/** How much of a payer a role sees: `masked` keeps the end of an account and of a name, `none` nothing. */
export type PayerVisibility = 'full' | 'masked' | 'none';

/** Support sees more of one payer at a time, and each look is written down. */
export function payerVisibility(role: Role, mode: Mode): PayerVisibility {
  if (role === 'owner' || role === 'finance') return 'full';
  if (role === 'developer') return mode === 'test' ? 'full' : 'none';
  return 'masked';
}

/** What a merchant has once for both modes: it decides about live mode wherever it is looked at. */
const OF_BOTH_MODES: readonly Permission[] = ['team.manage', 'business.manage'];

/** These see or move live money, so a password alone does not let them in. */
export const needsSecondFactor = (role: Role, need: Permission, mode: Mode): boolean =>
  (mode === 'live' || OF_BOTH_MODES.includes(need)) && role !== 'developer' && role !== 'viewer';
