import { readBic } from '../../common/iban.js';

/** The numbers of fields that banks write, in their order. Before any other a mark is a sign that the payer has written. */
const NUMBER = '(00|10|2\\d|3[0-8]|6[0-3]|7[01])';
/** `166?00`: the code of the booking, and the mark that its bank has before the number of each field. */
export const CODED_START = new RegExp(`^(\\d{3})([?~<^@])(?=${NUMBER})`);
const FIELD_STARTS = new Map(
  [...'?~<^@'].map((mark) => [mark, new RegExp(`\\${mark}${NUMBER}`, 'g')] as const),
);
const PURPOSE = /^(?:2\d|6[0-3])$/;
const NAME = /^3[23]$/;
/** What a payer writes stands in these, cut after so many characters wherever a word is. */
const PAYER_WRITTEN = new RegExp(`${PURPOSE.source}|${NAME.source}`);
const WIDTH = 27;
const MARK_LENGTH = 3;

export interface CodedField {
  readonly number: string;
  readonly text: string;
}

export interface CodedFields {
  /** The code of the booking, three digits. */
  readonly code: string;
  /** The parts of the purpose. */
  readonly purpose: readonly string[];
  /** What may be fields of the bank, or words of the payer: with their marks. */
  readonly unsure: readonly string[];
  /** The value of a field of the bank; undefined when it is missing, or a payer's text could have made it. */
  readonly sure: (number: string) => string | undefined;
  /** Of the other side, if the bank gave it: where it ends is as far as one can tell. */
  readonly name: string | undefined;
  /** The bank of the other side, as far as one can tell. */
  readonly bank: string | undefined;
}

/** Whether a field says more than which bank it is of, or how the booking was made. */
const isWords = ({ number, text }: CodedField): boolean =>
  number === '30' ? readBic(text) === null && !/^\d{8}$/.test(text) : !/^\d{0,3}$/.test(text);

/** A mark with a number behind it: of the bank, or in a text that a payer has written. */
interface Sign {
  readonly number: string;
  readonly at: number;
}

/** @returns undefined for what is written in another way */
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
 * Which signs are the bank's. The numbers of its fields ascend, and only within a purpose or a name, in at most 27
 * characters, a sign can be the payer's. That leaves one reading of most texts. Where it leaves several, a field counts only if all of
 * them agree about it.
 */
class Reading {
  /** From which signs, being the bank's, the text can be read to its end. */
  private readonly ends: boolean[] = [];
  /** Which signs are the bank's in one reading at least. */
  private readonly possible: boolean[] = [true];
  /** How many readings there are, step by step, that go past a sign. */
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

  /** The fields as they most likely are: in a purpose the next number follows, else the next sign that can. */
  likeliest(): CodedField[] {
    const fields: CodedField[] = [];
    for (let at = 0; at < this.signs.length;) {
      const { number } = this.signs[at]!;
      const steps = this.steps(at);
      const following = steps.find(
        (next) => Number(this.signs[next]?.number) === Number(number) + 1,
      );
      // A text that cannot be read so has all its signs taken for fields.
      const next = this.ends[0] ? (following ?? steps[0]!) : at + 1;
      fields.push({ number, text: this.valueOf(at, next) });
      at = next;
    }
    return fields;
  }

  /** Which sign can be the bank's next one, so that the rest can be read; the number of signs stands for the end. */
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
