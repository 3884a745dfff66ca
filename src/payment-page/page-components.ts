import type { Messages } from './messages.js';
import type { PageKey, SlotName } from './page.model.js';

/** What the parts of the page share; a slot that the order does not have is absent. */
export interface PageView {
  pageKey: PageKey;
  slot: Partial<Record<SlotName, string>>;
  messages: Messages;
}
