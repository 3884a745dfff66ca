import { type Scope, SCOPES } from '../database/merchants/api-key.entity.js';

/**
 * Scopes that a role may grant to API keys: only those for data that the role itself can see. The database enforces the
 * same (`refuse_scope_not_held`).
 */
const HOLDERS: Readonly<Record<Scope, readonly string[]>> = {
  'orders:read': ['owner', 'developer'],
  'orders:write': ['owner', 'developer'],
  'payouts:read': ['owner'],
  'refunds:read': ['owner', 'developer'],
  'refunds:write': ['owner'],
  'events:read': ['owner', 'developer'],
  'notifications:read': ['owner', 'developer'],
  'notifications:write': ['owner', 'developer'],
};

/** Scopes that keys created in this role may have. */
export const scopesOf = (role: string): readonly Scope[] =>
  SCOPES.filter((scope) => HOLDERS[scope].includes(role));
