import type { ComponentChildren } from 'preact';
import type { Messages } from './messages.js';
import type { PageKey, SlotName } from './page.model.js';

/** What the parts of the page share; a slot that the order does not have is absent. */
export interface PageView {
  pageKey: PageKey;
  slot: Partial<Record<SlotName, string>>;
  messages: Messages;
}

/** Puts nodes in the place of the words in braces. */
export function fill(text: string, parts: Record<string, ComponentChildren>): ComponentChildren[] {
  return text.split(/\{(\w+)\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]));
}
