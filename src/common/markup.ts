import type { ComponentChildren } from 'preact';

const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text without the invisible marks that show it, or what stands around it, the wrong way round:
 * isolates reach out of a `<bdi>`, and titles, subjects and sentences have none. Names are refused
 * with them; free texts, and names of before, lose them where they are shown.
 */
export const selfContained = (text: string): string => text.replace(TURNS, '');

/** Puts nodes in the place of the words in braces. */
export function fill(text: string, parts: Record<string, ComponentChildren>): ComponentChildren[] {
  return text.split(/\{(\w+)\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]));
}
