import { hash } from 'node:crypto';

/**
 * Canonical JSON: members sorted by code units, no white space. Otherwise as JSON.stringify: undefined members are
 * omitted, a Date becomes its ISO text. Recursive: only for shallow data such as a parsed body.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return JSON.stringify(value ?? null);
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** SHA-256 of the canonical JSON, 32 bytes: equal for equal content. */
export function contentHash(value: unknown): Buffer {
  return hash('sha256', canonicalJson(value), 'buffer');
}
