import { uuidOf } from '../../common/ids.js';
import { notFound } from '../../people/refusal.js';

/**
 * The id of the path: nothing else, such as a word that the API takes for one, opens a page.
 * @throws Refusal 404
 */
export function idOf(text: string): string {
  const id = uuidOf(text);
  if (id === null) throw notFound();
  return id;
}
