import { type ApiVersion, isBefore, NEWEST_API_VERSION } from '../../common/api-version.js';
import { fieldsIn } from '../fields.js';

/** Removes fields from an answer, and from nested ones, that are newer than the version. */
export function inVersion(version: ApiVersion, answer: unknown): unknown {
  return version === NEWEST_API_VERSION ? answer : withoutLater(version, answer);
}

function withoutLater(version: ApiVersion, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutLater(version, entry));
  if (typeof value !== 'object' || value === null) return value;
  const fields = fieldsIn(value);
  // Not one of our classes, such as custom pairs of a merchant.
  if (fields.size === 0) return value;
  const isLater = (name: string): boolean => isBefore(version, fields.get(name)?.since ?? version);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isLater(name))
      .map(([name, part]) => [name, withoutLater(version, part)]),
  );
}
