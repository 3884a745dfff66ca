import type { ComponentChildren } from 'preact';

const ISOLATES = /[\u2066-\u2069]/g;

/**
 * Text that cannot turn what stands around it: left open or closed once too often, these invisible
 * marks reach out of a `<bdi>`, which holds back all others.
 */
export const selfContained = (text: string): string => text.replace(ISOLATES, '');

/** Puts nodes in the place of the words in braces. */
export function fill(text: string, parts: Record<string, ComponentChildren>): ComponentChildren[] {
  return text.split(/\{(\w+)\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]));
}
