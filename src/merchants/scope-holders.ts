import { type Scope, SCOPES } from '../database/merchants/api-key.entity.js';

/**
 * Which roles may hand a program what: nobody gives away more than the role itself may see. The
 * database refuses the same (`refuse_scope_not_held`).
 */
const HOLDERS: Readonly<Record<Scope, readonly string[]>> = {
  'orders:read': ['owner', 'developer'],
  'orders:write': ['owner', 'developer'],
  'payouts:read': ['owner'],
  'events:read': ['owner', 'developer'],
  'notifications:read': ['owner', 'developer'],
  'notifications:write': ['owner', 'developer'],
};

/** The scopes that keys made in this role may have. */
export const scopesOf = (role: string): readonly Scope[] =>
  SCOPES.filter((scope) => HOLDERS[scope].includes(role));
