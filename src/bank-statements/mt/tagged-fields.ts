/** Tags of Dutch banks and of SWIFT: `/EREF/…/ORDP//NAME/…/REMI/…`. */
const CODES =
  'EREF|KREF|PREF|RREF|MARF|CSID|CNTP|REMI|PURP|ULTC|ULTD|ULTB|TRTP|TRCD|IBAN|BIC|NAME|ORDP|BENM|ISDT|RTRN|SVCL|CREF|INIT|SVWZ|OCMT|EXCH|CHGS';
/** Tags inside a party. Elsewhere they are the payer's text, as in `customer/ID/4711`. */
const PARTY_CODES = ['ID', 'ADDR'];
export const TAGGED_START = new RegExp(`^/(?:${CODES})/`);
/** A slash may end one tag and begin the next. */
export const TAGS = new RegExp(`/(${CODES}|${PARTY_CODES.join('|')})(?=/)`, 'g');
const IN_PARTY: ReadonlySet<string> = new Set(['NAME', ...PARTY_CODES]);
/** Tags of values that payers choose, which may contain tags. Not `EREF`: its maximum length shows where it ends. */
const CHOSEN: ReadonlySet<string> = new Set(
  'NAME ORDP BENM INIT ULTC ULTD ULTB KREF PREF CREF MARF CSID PURP'.split(' '),
);
/** Tags that only banks write, and that would do harm if forged. */
const BANK_ONLY: ReadonlySet<string> = new Set(['IBAN', 'BIC', 'CNTP', 'RTRN']);
/** Tags of the remittance text, which extends to the end. */
const TEXTS: ReadonlySet<string> = new Set(['REMI', 'SVWZ']);
/** Maximum length of an end-to-end id, with the slashes that some banks append. */
const ID_LENGTH = 35 + 2;

interface Tag {
  /** Tag; inside a party with the party's tag, such as `ORDP/NAME`. */
  readonly path: string;
  readonly isPart: boolean;
  readonly start: number;
  /** Start of the value. */
  readonly end: number;
}

/**
 * Tagged fields of :86:, and which of them are certainly the bank's. Everything after `/REMI/` or `/SVWZ/` is the
 * payer's text. The payer also chooses the end-to-end id: a field after it is the bank's only if the id would be too
 * long with that field inside.
 */
export class TaggedFields {
  private readonly tags: readonly Tag[];
  /** Per tag, index of the next tag outside a party; the number of tags if there is none. */
  private readonly next: readonly number[];
  /** Index of the first text tag; the number of tags if there is none. */
  private readonly remi: number;
  private readonly hasOneText: boolean;
  /** Index of `EREF` before it; -1 if there is none. */
  private readonly id: number;
  /** Index of the first tag that may be inside a value that payers choose, or has one; `remi` if there is none. */
  private readonly chosen: number;

  private constructor(private readonly text: string) {
    this.tags = tagsOf(text);
    this.next = nextFields(this.tags);
    const first = this.tags.findIndex(({ path }) => TEXTS.has(path));
    this.remi = first === -1 ? this.tags.length : first;
    this.hasOneText = this.tags.filter(({ path }) => TEXTS.has(path)).length === 1;
    const head = this.tags.slice(0, this.remi);
    this.id = head.findIndex(({ path }) => path === 'EREF');
    const chosen = head.findIndex(({ path }) => CHOSEN.has(path));
    // Account and BIC come first in `CNTP`; the name behind them may contain tags.
    const named = head.findIndex(({ path }) => path === 'CNTP') + 1;
    const starts = [chosen, named || -1].filter((at) => at !== -1);
    this.chosen = Math.min(this.remi, ...starts);
  }

  /** @returns undefined for a text in another format */
  static of(text: string): TaggedFields | undefined {
    return TAGGED_START.test(text) ? new TaggedFields(text) : undefined;
  }

  /** Values before the payer's text whose tags are certainly the bank's; the first of repeated tags. */
  sure(): ReadonlyMap<string, string> {
    return this.valuesUntil(this.remi);
  }

  /** The same, before all values that payers choose. */
  certainBeforePayerValues(): ReadonlyMap<string, string> {
    return this.valuesUntil(this.chosen);
  }

  /** Whether a tag occurs before the payer's text, from the bank or not. */
  mentions(path: string): boolean {
    return this.tags.slice(0, this.remi).some((tag) => tag.path === path);
  }

  /** Fields that may be the bank's, or tags inside values that the payer chose; undefined if there are none. */
  unsure(): string | undefined {
    const from = this.id !== -1 && !this.isSure(this.id) ? this.id : this.chosen;
    const behind = this.tags.slice(from, this.remi);
    if (from !== this.id && !behind.some(({ path }) => BANK_ONLY.has(path))) return undefined;
    return this.text.slice(behind[0]!.start, this.tags[this.remi]?.start);
  }

  /** Text after the first text tag; undefined if there is none, or if it may be part of the end-to-end id. */
  remitted(): string | undefined {
    const tag = this.tags[this.remi];
    const isText = tag !== undefined && (this.hasOneText || this.isSure(this.remi));
    return isText ? this.text.slice(tag.end) : undefined;
  }

  private valuesUntil(end: number): ReadonlyMap<string, string> {
    const values = new Map<string, string>();
    for (let at = 0; at < end; at++) {
      const { path } = this.tags[at]!;
      if (!values.has(path) && this.isSure(at)) values.set(path, this.valueOf(at));
    }
    return values;
  }

  private isSure(at: number): boolean {
    if (this.id === -1 || at < this.id) return true;
    const next = this.next[at]!;
    if (at > this.id) {
      const end = this.tags[next]?.start ?? this.text.length;
      return end - this.tags[this.id]!.end > ID_LENGTH;
    }
    if (next === this.tags.length) return true;
    return next === this.remi ? this.remitted() !== undefined : this.isSure(next);
  }

  private valueOf(at: number): string {
    return this.text.slice(this.tags[at]!.end, this.tags[at + 1]?.start);
  }
}

function nextFields(tags: readonly Tag[]): number[] {
  const next: number[] = [];
  for (let at = tags.length - 1, following = tags.length; at >= 0; at--) {
    next[at] = following;
    if (!tags[at]!.isPart) following = at;
  }
  return next;
}

function tagsOf(text: string): Tag[] {
  const tags: Tag[] = [];
  let party: string | undefined;
  for (const { 0: found, 1: name = '', index: start } of text.matchAll(TAGS)) {
    const isPart = party !== undefined && IN_PARTY.has(name);
    if (!isPart && PARTY_CODES.includes(name)) continue;
    if (!isPart) party = name === 'ORDP' || name === 'BENM' ? name : undefined;
    tags.push({
      path: isPart ? `${party}/${name}` : name,
      isPart,
      start,
      end: start + found.length + 1,
    });
  }
  return tags;
}
