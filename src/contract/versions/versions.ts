import { type ApiVersion, isBefore, NEWEST_API_VERSION } from '../../http/api-version.js';
import { fieldsIn } from '../fields.js';

/** An answer, and the answers in it, without the fields that came after the asked version. */
export function inVersion(version: ApiVersion, answer: unknown): unknown {
  return version === NEWEST_API_VERSION ? answer : withoutLater(version, answer);
}

function withoutLater(version: ApiVersion, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutLater(version, entry));
  if (typeof value !== 'object' || value === null) return value;
  const fields = fieldsIn(value);
  // Of no class of ours, such as a merchant's own pairs.
  if (fields.size === 0) return value;
  const isLater = (name: string): boolean => isBefore(version, fields.get(name)?.since ?? version);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isLater(name))
      .map(([name, part]) => [name, withoutLater(version, part)]),
  );
}
