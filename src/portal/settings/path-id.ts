import { isUuid } from '../../common/ids.js';
import { notFound } from '../refusal.js';

/**
 * The id of the path: nothing else, such as a word that the API takes for one, opens a page.
 * @throws Refusal 404
 */
export function idOf(text: string): string {
  if (!isUuid(text)) throw notFound();
  return text.toLowerCase();
}
