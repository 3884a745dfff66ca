/** Marks of the Dutch and of SWIFT: `/EREF/…/ORDP//NAME/…/REMI/…`. */
const CODES =
  'EREF|KREF|PREF|RREF|MARF|CSID|CNTP|REMI|PURP|ULTC|ULTD|ULTB|TRTP|TRCD|IBAN|BIC|NAME|ORDP|BENM|ISDT|RTRN|SVCL|CREF|INIT|SVWZ|OCMT|EXCH|CHGS';
/** Those that say more of a party. Elsewhere payers write them, as in `customer/ID/4711`. */
const PARTY_CODES = ['ID', 'ADDR'];
export const TAGGED_START = new RegExp(`^/(?:${CODES})/`);
/** A slash may end one mark and begin the next. */
const TAGS = new RegExp(`/(${CODES}|${PARTY_CODES.join('|')})(?=/)`, 'g');
const IN_PARTY: ReadonlySet<string> = new Set(['NAME', ...PARTY_CODES]);
/** Names, references and texts that payers choose may hold marks, too; an end-to-end id only as far as its length goes. */
const CHOSEN: ReadonlySet<string> = new Set(
  'NAME ORDP BENM INIT ULTC ULTD ULTB KREF PREF CREF MARF CSID PURP'.split(' '),
);
/** What only banks say, and forged would do harm. */
const OF_BANK: ReadonlySet<string> = new Set(['IBAN', 'BIC', 'CNTP', 'RTRN']);
/** What the payer wrote, up to the end. */
const TEXTS: ReadonlySet<string> = new Set(['REMI', 'SVWZ']);
/** Of an end-to-end id, with the slashes that some banks put behind it. */
const ID_LENGTH = 35 + 2;

interface Tag {
  /** `ORDP/NAME` for what belongs to a party. */
  readonly path: string;
  readonly isPart: boolean;
  readonly start: number;
  /** Where its value begins. */
  readonly end: number;
}

/**
 * The fields of a text with marks, and which of them are the bank's for sure. Behind `/REMI/` or `/SVWZ/` all is the
 * payer's text. An end-to-end id is the payer's, too: a mark behind it is the bank's when the id would be too long with
 * that mark in it.
 */
export class TaggedFields {
  private readonly tags: readonly Tag[];
  /** Of each mark, the next one that is not part of a party; the number of marks when there is none. */
  private readonly next: readonly number[];
  /** Of the first text; the number of marks when there is none. */
  private readonly remi: number;
  private readonly hasOneText: boolean;
  /** Of `/EREF/` before it; -1 when there is none. */
  private readonly id: number;
  /** Of the first mark behind which payers choose the words. */
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
    this.chosen = chosen === -1 ? this.remi : chosen;
  }

  /** @returns undefined for what is written in another way */
  static of(text: string): TaggedFields | undefined {
    return TAGGED_START.test(text) ? new TaggedFields(text) : undefined;
  }

  /** The values before the payer's text that only the bank can have marked; the first of marks that are there twice. */
  sure(): ReadonlyMap<string, string> {
    return this.valuesUntil(this.remi);
  }

  /** Those that come before all words that payers choose. */
  sureBeforeChosen(): ReadonlyMap<string, string> {
    return this.valuesUntil(this.chosen);
  }

  /** Whether there is a mark before the payer's text, be it the bank's or not. */
  mentions(path: string): boolean {
    return this.tags.slice(0, this.remi).some((tag) => tag.path === path);
  }

  /** What may be words that a payer chose, with marks in them, or the bank's fields behind such words. */
  unsure(): string | undefined {
    const from = this.id !== -1 && !this.isSure(this.id) ? this.id : this.chosen;
    const behind = this.tags.slice(from, this.remi);
    if (from !== this.id && !behind.some(({ path }) => OF_BANK.has(path))) return undefined;
    return this.text.slice(behind[0]!.start, this.tags[this.remi]?.start);
  }

  /** All behind the first text's mark; undefined when there is none, or it may be part of an end-to-end id. */
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
