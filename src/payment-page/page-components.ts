import type { Messages } from './messages.js';
import type { PageKey, SlotName } from './page.model.js';

/** Shared properties of page components; a slot is absent if the order has no such value. */
export interface PageView {
  pageKey: PageKey;
  slot: Partial<Record<SlotName, string>>;
  messages: Messages;
}
