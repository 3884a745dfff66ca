import { readBic } from '../../common/money/iban.js';

/** Subfield numbers of banks, in ascending order. A separator before any other number is the payer's text. */
const NUMBER = '(00|10|2\\d|3[0-8]|6[0-3]|7[01])';
/** `166?00`: the booking code, and the bank's separator before each subfield number. */
export const CODED_START = new RegExp(`^(\\d{3})([?~<^@])(?=${NUMBER})`);
const FIELD_STARTS = new Map(
  [...'?~<^@'].map((mark) => [mark, new RegExp(`\\${mark}${NUMBER}`, 'g')] as const),
);
const PURPOSE = /^(?:2\d|6[0-3])$/;
const NAME = /^3[23]$/;
/** Subfields with the payer's text, wrapped after `WIDTH` characters, also inside words. */
const PAYER_WRITTEN = new RegExp(`${PURPOSE.source}|${NAME.source}`);
const WIDTH = 27;
const MARK_LENGTH = 3;

export interface CodedField {
  readonly number: string;
  readonly text: string;
}

export interface CodedFields {
  /** Booking code, three digits. */
  readonly code: string;
  /** Parts of the purpose. */
  readonly purpose: readonly string[];
  /** Subfields that may be the bank's or the payer's text, with their separators. */
  readonly unsure: readonly string[];
  /** Value of a subfield that only the bank can have written; undefined if missing or possibly the payer's text. */
  readonly sure: (number: string) => string | undefined;
  /** Name of the counterparty, if the bank gave it; its end is a best guess. */
  readonly name: string | undefined;
  /** Bank of the counterparty; best guess. */
  readonly bank: string | undefined;
}

/** Whether a subfield has more than a BIC or bank code (`?30`), or a text key of at most three digits. */
const isWords = ({ number, text }: CodedField): boolean =>
  number === '30' ? readBic(text) === null && !/^\d{8}$/.test(text) : !/^\d{0,3}$/.test(text);

/** A separator with a subfield number, from the bank or in the payer's text. */
interface Sign {
  readonly number: string;
  readonly at: number;
}

/** @returns undefined for details in another format */
export function readCodedFields(glued: string): CodedFields | undefined {
  const start = CODED_START.exec(glued);
  if (!start) return undefined;
  const [, code = '', mark = ''] = start;
  const text = glued.endsWith(mark) ? glued.slice(0, -1) : glued;
  const signs = [...text.matchAll(FIELD_STARTS.get(mark)!)].map((match) => ({
    number: match[1]!,
    at: match.index,
  }));
  const reading = new Reading(text, signs);
  const fields = reading.mostLikelyFields();
  const others = fields.filter(({ number }) => !PURPOSE.test(number));
  const numbers = new Set(others.map(({ number }) => number));
  const sure = new Map([...numbers].map((number) => [number, reading.sure(number)]));
  const isKnown = ({ number }: CodedField): boolean =>
    sure.get(number) !== undefined || (NAME.test(number) && sure.get('32') !== undefined);
  const names = others.filter((field) => NAME.test(field.number) && isKnown(field));
  const unsure = others.filter((field) => !isKnown(field) && isWords(field));
  return {
    code,
    purpose: fields.filter(({ number }) => PURPOSE.test(number)).map((field) => field.text),
    unsure: unsure.map((field) => `${mark}${field.number}${field.text}`),
    sure: (number) => sure.get(number),
    name: names.length === 0 ? undefined : names.map((field) => field.text).join(''),
    bank: others.find(({ number }) => number === '30')?.text,
  };
}

/**
 * Decides which separators are the bank's. The bank's subfield numbers ascend, and a separator can be the payer's only
 * inside a purpose or name subfield of at most 27 characters. If several readings are possible, a subfield is used only
 * if all readings agree.
 */
class Reading {
  /** Whether the text can be read to its end if this separator is the bank's. */
  private readonly ends: boolean[] = [];
  /** Whether this separator is the bank's in at least one reading. */
  private readonly possible: boolean[] = [true];
  /** Number of possible steps that skip this separator. */
  private readonly passed: number[];

  constructor(
    private readonly text: string,
    private readonly signs: readonly Sign[],
  ) {
    const count = signs.length;
    this.passed = Array.from({ length: count + 1 }, () => 0);
    this.ends[count] = true;
    for (let at = count - 1; at >= 0; at--) this.ends[at] = this.steps(at).length > 0;
    this.possible[0] = this.ends[0]!;
    for (let at = 0; at < count; at++) {
      for (const next of this.possible[at] ? this.steps(at) : []) {
        this.possible[next] = true;
        for (let between = at + 1; between < next; between++) this.passed[between]! += 1;
      }
    }
  }

  sure(number: string): string | undefined {
    const found = this.signs.flatMap((sign, at) =>
      sign.number === number && this.possible[at] ? [at] : [],
    );
    const [only] = found;
    if (only === undefined || found.length > 1 || this.passed[only]! > 0) return undefined;
    return this.valueOf(only, only + 1);
  }

  /** Most likely subfields: the next number if possible, otherwise the next possible separator. */
  mostLikelyFields(): CodedField[] {
    const fields: CodedField[] = [];
    for (let at = 0; at < this.signs.length;) {
      const { number } = this.signs[at]!;
      const steps = this.steps(at);
      const following = steps.find(
        (next) => Number(this.signs[next]?.number) === Number(number) + 1,
      );
      // If no reading is possible, every separator starts a subfield.
      const next = this.ends[0] ? (following ?? steps[0]!) : at + 1;
      fields.push({ number, text: this.valueOf(at, next) });
      at = next;
    }
    return fields;
  }

  /** Indexes of separators that can be the bank's next one and let the rest be read; `signs.length` is the end. */
  private steps(at: number): number[] {
    const { signs, text } = this;
    const { number, at: start } = signs[at]!;
    const found: number[] = [];
    for (let next = at + 1; next <= signs.length; next++) {
      const length = (signs[next]?.at ?? text.length) - start - MARK_LENGTH;
      if (next > at + 1 && (!PAYER_WRITTEN.test(number) || length > WIDTH)) break;
      const following = signs[next]?.number;
      if (this.ends[next] && (following === undefined || following > number)) found.push(next);
    }
    return found;
  }

  private valueOf(at: number, next: number): string {
    return this.text.slice(this.signs[at]!.at + MARK_LENGTH, this.signs[next]?.at);
  }
}
