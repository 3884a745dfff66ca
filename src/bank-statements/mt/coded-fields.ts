import { readBic } from '../../common/iban.js';

/** Field numbers that banks use, in order. A separator before any other number is the payer's text. */
const NUMBER = '(00|10|2\\d|3[0-8]|6[0-3]|7[01])';
/** `166?00`: the booking code, and the bank's separator before each field number. */
export const CODED_START = new RegExp(`^(\\d{3})([?~<^@])(?=${NUMBER})`);
const FIELD_STARTS = new Map(
  [...'?~<^@'].map((mark) => [mark, new RegExp(`\\${mark}${NUMBER}`, 'g')] as const),
);
const PURPOSE = /^(?:2\d|6[0-3])$/;
const NAME = /^3[23]$/;
/** Fields with the payer's text, which is wrapped after a fixed number of characters, also inside of words. */
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
  /** Fields of the bank or words of the payer, with their separators. */
  readonly unsure: readonly string[];
  /** Value of a field that only the bank can have written; undefined if it is missing or may be the payer's text. */
  readonly sure: (number: string) => string | undefined;
  /** Name of the counterparty, if the bank gave it; its end is a best guess. */
  readonly name: string | undefined;
  /** Bank of the counterparty; best guess. */
  readonly bank: string | undefined;
}

/** Whether a field has more than a bank code or a booking text. */
const isWords = ({ number, text }: CodedField): boolean =>
  number === '30' ? readBic(text) === null && !/^\d{8}$/.test(text) : !/^\d{0,3}$/.test(text);

/** A separator with a field number: of the bank, or in a payer's text. */
interface Sign {
  readonly number: string;
  readonly at: number;
}

/** @returns undefined for details in another style */
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
  const fields = reading.likeliest();
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
 * Decides which separators are the bank's. Its field numbers ascend, and only within a purpose or name, of at most 27
 * characters, a separator can be the payer's. Most texts have one reading; where several are possible, a field is used
 * only if all agree.
 */
class Reading {
  /** Separators from which the text can be read to its end, as the bank's. */
  private readonly ends: boolean[] = [];
  /** Separators that are the bank's in at least one reading. */
  private readonly possible: boolean[] = [true];
  /** Number of possible readings, step by step, that skip a separator. */
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

  /** Most likely fields: in a purpose the next number follows, else the next possible separator. */
  likeliest(): CodedField[] {
    const fields: CodedField[] = [];
    for (let at = 0; at < this.signs.length;) {
      const { number } = this.signs[at]!;
      const steps = this.steps(at);
      const following = steps.find(
        (next) => Number(this.signs[next]?.number) === Number(number) + 1,
      );
      // If no reading is possible, every separator starts a field.
      const next = this.ends[0] ? (following ?? steps[0]!) : at + 1;
      fields.push({ number, text: this.valueOf(at, next) });
      at = next;
    }
    return fields;
  }

  /** Separators that can be the bank's next one and allow reading the rest; the number of separators marks the end. */
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
