import { randomBytes } from 'node:crypto';
import type { ComponentChildren } from 'preact';

const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes invisible direction marks, which reverse the display of the surrounding text: isolates reach beyond a
 * `<bdi>`, and titles, subjects and sentences have none. Names with them are rejected; free texts and older names lose
 * them on display.
 */
export const selfContained = (text: string): string => text.replace(TURNS, '');

/** Replaces placeholders in braces with nodes. */
export function fill(text: string, parts: Record<string, ComponentChildren>): ComponentChildren[] {
  return text.split(/\{(\w+)\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const SPECIAL = /[&<>"']/g;
/** Characters above one byte. */
const WIDE = /[^\0-\xff]/gu;

/** Safe for text and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(SPECIAL, (character) => ENTITIES[character]!);

/**
 * Replaces wide characters with references. A single one makes V8 store the page with two bytes per character, and
 * sending five times as slow; substrings of such a page stay wide.
 */
function narrow(markup: string): string {
  if (markup.search(WIDE) < 0) return markup;
  const narrowed = markup.replace(WIDE, (character) => `&#${character.codePointAt(0)};`);
  return Buffer.from(narrowed, 'latin1').toString('latin1');
}

/** Most texts contain none of these, so one test is enough. */
const CARE = /[&<>"'\u0100-\uffff]/;

const safe = (text: string): string =>
  CARE.test(text) ? narrow(escapeHtml(selfContained(text))) : text;

/** Unguessable, so that no user text can contain a slot. */
const SECRET = randomBytes(9).toString('base64url');
const SLOT = new RegExp(`${SECRET}:(\\w+);`);

/** Placeholder in markup for a text filled in later. */
export const slotFor = (name: string): string => `${SECRET}:${name};`;

/** Texts by slot name, always in the same order; null if absent. */
export type SlotTexts = Readonly<Record<string, string | null>>;

/** Markup with slots, compiled once and filled many times. */
export class Template {
  /** Markup and slot names, alternating. */
  private readonly pieces: readonly string[];

  constructor(markup: string) {
    this.pieces = narrow(markup).split(SLOT);
  }

  /** @param texts are escaped @param markup for other slots, is not escaped */
  fill(texts: SlotTexts, markup: Readonly<Record<string, string>> = {}): string {
    const { pieces } = this;
    let filled = pieces[0]!;
    for (let i = 1; i < pieces.length; i += 2) {
      const name = pieces[i]!;
      filled += markup[name] ?? safe(texts[name] ?? '');
      filled += pieces[i + 1]!;
    }
    return filled;
  }
}

/**
 * Caches rendered markup by look. The markup depends only on the look, and on slots for the texts present: looks with
 * equal JSON are equal.
 */
export class CompiledMarkup<Look, Texts extends SlotTexts> {
  private readonly known = new Map<string, Template>();

  /** @param max cached looks; above it the cache is cleared */
  constructor(
    private readonly render: (look: Look, slots: Texts) => string,
    private readonly max: number,
  ) {}

  /** @param markup for slots without a text */
  fill(look: Look, texts: Texts, markup?: Readonly<Record<string, string>>): string {
    let name = JSON.stringify(look);
    for (const slot in texts) name += texts[slot] ? '1' : '0';
    return (this.known.get(name) ?? this.keep(name, look, texts)).fill(texts, markup);
  }

  /** As `fill`, without caching the look. */
  fillOnce(look: Look, texts: Texts, markup?: Readonly<Record<string, string>>): string {
    return this.compile(look, texts).fill(texts, markup);
  }

  private keep(name: string, look: Look, texts: Texts): Template {
    if (this.known.size >= this.max) this.known.clear();
    const template = this.compile(look, texts);
    this.known.set(name, template);
    return template;
  }

  private compile(look: Look, texts: Texts): Template {
    const slots = Object.keys(texts).map((name) => [name, texts[name] && slotFor(name)]);
    return new Template(this.render(look, Object.fromEntries(slots) as Texts));
  }
}
