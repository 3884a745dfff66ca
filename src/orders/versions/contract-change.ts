import type { ApiVersion } from '../../common/api-version.js';

/** A body on its way back to an older contract. */
export type Body = Readonly<Record<string, unknown>>;

/** What one released version of the contract brought, and how to answer those who do not know it. */
export interface ContractChange {
  readonly version: ApiVersion;
  /** For the changelog page: one sentence a change. */
  readonly changes: readonly string[];
  /** The order as the version before wrote it; left out when nothing in the order changed. */
  readonly downgradeOrder?: (order: Body) => Body;
}

/** The body without some of its members. */
export const without = (body: Body, ...names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
