import { randomBytes } from 'node:crypto';
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const SPECIAL = /[&<>"']/g;
/** What has no place in a byte. */
const WIDE = /[^\0-\xff]/gu;

/** Right for text and for quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(SPECIAL, (character) => ENTITIES[character]!);

/**
 * Markup with references in the place of wide characters. One of them alone makes a page of any length
 * take two bytes a character, and five times as long to be sent; so does a text that came from such.
 */
function narrow(markup: string): string {
  if (markup.search(WIDE) < 0) return markup;
  const narrowed = markup.replace(WIDE, (character) => `&#${character.codePointAt(0)};`);
  return Buffer.from(narrowed, 'latin1').toString('latin1');
}

/** What most texts are free of, so that one look is enough. */
const CARE = /[&<>"'\u0100-\uffff]/;

const safe = (text: string): string =>
  CARE.test(text) ? narrow(escapeHtml(selfContained(text))) : text;

/** Not guessable, so that nobody's text holds a slot. */
const SECRET = randomBytes(9).toString('base64url');
const SLOT = new RegExp(`${SECRET}:(\\w+);`);

/** Stands in markup for a text that is still to come. */
export const slotFor = (name: string): string => `${SECRET}:${name};`;

/** Texts by the names of their slots, always in the same order; null where there is none. */
export type SlotTexts = Readonly<Record<string, string | null>>;

/** Markup with slots, which is made once and filled again and again. */
export class Template {
  /** Markup and the names of slots, in turns. */
  private readonly pieces: readonly string[];

  constructor(markup: string) {
    this.pieces = narrow(markup).split(SLOT);
  }

  /** @param texts are escaped @param markup for other slots, is not */
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
 * Markup that is rendered once for each look. All that it can show is what it is told of the look, and
 * slots in the place of those texts that there are: two looks that are the same as JSON are the same.
 */
export class CompiledMarkup<Look, Texts extends SlotTexts> {
  private readonly known = new Map<string, Template>();

  /** @param max looks that are kept; one more, and all are forgotten */
  constructor(
    private readonly render: (look: Look, slots: Texts) => string,
    private readonly max: number,
  ) {}

  /** @param markup for slots that hold no text */
  fill(look: Look, texts: Texts, markup?: Readonly<Record<string, string>>): string {
    let name = JSON.stringify(look);
    for (const slot in texts) name += texts[slot] ? '1' : '0';
    return (this.known.get(name) ?? this.keep(name, look, texts)).fill(texts, markup);
  }

  /** The same of a look that is not kept. */
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
