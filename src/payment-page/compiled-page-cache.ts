import { randomBytes } from 'node:crypto';
import { escapeHtml, selfContained } from '../common/markup.js';
import type { PageKey, PageSlots, SlotName } from './page.model.js';
import { compilePage, TEMPLATE_VERSION } from './page.view.js';

/** Combinations of merchants, languages and states in use; a compiled page is about 5 kB. */
export const MAX_COMPILED_PAGES = 500;

interface CompiledPage {
  /** Alternating markup and slot names, starting with markup. */
  segments: readonly string[];
  /** Milliseconds since 1970. */
  compiledAt: number;
}

type SlotTexts = Partial<Record<SlotName, string>>;

/** LRU cache of pages with placeholders for order data. The data is escaped into each answer and never cached. */
export class CompiledPageCache {
  hits = 0;
  misses = 0;
  private readonly pages = new Map<string, CompiledPage>();
  // Unguessable, so that no user text can contain a placeholder.
  private readonly mark = randomBytes(16).toString('hex');

  constructor(private readonly limit = MAX_COMPILED_PAGES) {}

  get size(): number {
    return this.pages.size;
  }

  /** Milliseconds since 1970; null for an empty cache. */
  get oldestCompiledAt(): number | null {
    if (this.pages.size === 0) return null;
    return [...this.pages.values()].reduce((min, page) => Math.min(min, page.compiledAt), Infinity);
  }

  clear(): void {
    this.pages.clear();
  }

  render(key: PageKey, slots: PageSlots): string {
    const texts = escapedSlots(slots);
    const { segments } = this.compiled(key, Object.keys(texts).sort() as SlotName[]);
    let html = '';
    for (let i = 0; i < segments.length; i++) {
      const segment = segments[i] as string;
      html += i % 2 === 0 ? segment : (texts[segment as SlotName] ?? '');
    }
    return html;
  }

  private compiled(key: PageKey, present: readonly SlotName[]): CompiledPage {
    const id = identityOf(key, present);
    const known = this.pages.get(id);
    if (!known) return this.keep(id, this.compile(key, present));
    this.hits++;
    this.pages.delete(id);
    this.pages.set(id, known);
    return known;
  }

  private compile(key: PageKey, present: readonly SlotName[]): CompiledPage {
    this.misses++;
    const marks = Object.fromEntries(present.map((name) => [name, `${this.mark}:${name};`]));
    const html = compilePage(key, marks);
    return { segments: html.split(new RegExp(`${this.mark}:(\\w+);`)), compiledAt: Date.now() };
  }

  private keep(id: string, page: CompiledPage): CompiledPage {
    this.pages.set(id, page);
    const oldest = this.pages.keys().next().value;
    if (this.pages.size > this.limit && oldest !== undefined) this.pages.delete(oldest);
    return page;
  }
}

/** All parts by name in fixed order, so that equal keys are equal however they were built. */
function identityOf(key: PageKey, present: readonly SlotName[]): string {
  const { theme, locale, methods, mode, state, cancelable, takesBack } = key;
  const appearance = [theme.name, theme.colour, theme.logoUrl, theme.contactUrl];
  const ways = methods.map(({ id, provider }) => [id, provider]);
  return JSON.stringify([
    TEMPLATE_VERSION,
    appearance,
    locale,
    ways,
    mode,
    state,
    cancelable,
    takesBack,
    present,
  ]);
}

function escapedSlots(slots: PageSlots): SlotTexts {
  const texts: SlotTexts = {};
  for (const [name, value] of Object.entries(slots) as [SlotName, string | undefined][]) {
    const safe = value === undefined ? undefined : safeSlot(name, value);
    if (safe !== undefined) texts[name] = escapeHtml(safe);
  }
  return texts;
}

/** Ignores links other than http(s), which could run scripts. */
function safeSlot(name: SlotName, value: string): string | undefined {
  if (name === 'token') return encodeURIComponent(value);
  if (name !== 'shopUrl') return selfContained(value);
  const url = URL.parse(value);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
