import { type ApiVersion, isBefore } from '../../http/api-version.js';
import type { Body, ContractChange } from './contract-change.js';
import { V1_2 } from './v1-2.js';
import { V1_2_1 } from './v1-2-1.js';
import { V1_2_2 } from './v1-2-2.js';

/** Every released change, newest first. The changelog page is made from it. */
export const CONTRACT_CHANGES: readonly ContractChange[] = [V1_2_2, V1_2_1, V1_2];

/** Walks an answer, and the answers in it, from the newest version back to the asked one. */
export function inVersion(version: ApiVersion, answer: unknown): unknown {
  const later = CONTRACT_CHANGES.filter((change) => isBefore(version, change.version));
  return later.length === 0 ? answer : before(later, answer);
}

function before(changes: readonly ContractChange[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => before(changes, entry));
  // What has no class has none that a change could name, such as a merchant's own pairs.
  if (typeof value !== 'object' || value === null || value.constructor === Object) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, before(changes, part)] as const);
  return changes
    .flatMap(({ downgrades = [] }) => downgrades)
    .filter(({ type }) => value instanceof type)
    .reduce<Body>((body, { downgrade }) => downgrade(body), Object.fromEntries(parts));
}
