import type { Type } from '@nestjs/common';
import type { ApiVersion } from '../../http/api-version.js';

/** An answer on its way back to an older contract. */
export type Body = Readonly<Record<string, unknown>>;

/** How answers of a class, wherever they stand, become those of the version before. */
export interface Downgrade {
  readonly type: Type<object>;
  readonly downgrade: (answer: Body) => Body;
}

/** What one released version of the contract brought, and how to answer those who do not know it. */
export interface ContractChange {
  readonly version: ApiVersion;
  /** For the changelog page: one sentence a change. */
  readonly changes: readonly string[];
  /** Left out when nothing in the answers changed. */
  readonly downgrades?: readonly Downgrade[];
}

/** Answers of the class without the fields that the version brought. */
export const without = <T extends object>(
  type: Type<T>,
  ...names: readonly (keyof T & string)[]
): Downgrade => {
  const isKnown = ([name]: readonly [string, unknown]) => !names.some((left) => left === name);
  return {
    type,
    downgrade: (answer) => Object.fromEntries(Object.entries(answer).filter(isKnown)),
  };
};
