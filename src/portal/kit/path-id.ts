import { uuidOf } from '../../common/ids.js';
import { notFound } from '../../people/refusal.js';

/**
 * Parses the UUID in a path.
 * @throws Refusal 404
 */
export function idOf(text: string): string {
  const id = uuidOf(text);
  if (id === null) throw notFound();
  return id;
}
