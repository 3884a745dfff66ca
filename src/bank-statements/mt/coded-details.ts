import { readBic, readIban } from '../../common/iban.js';
import { reference, textOrNull } from '../counterparty.js';
import { type MtDetails, NO_DETAILS } from './mt-details.js';

/** Numbers of fields that banks write. Before any other a mark is a sign that the payer has written. */
const NUMBER = '(00|10|2\\d|3[0-8]|6[0-3]|7[01])';
/** `166?00`: the code of the booking, and the mark that its bank has before the number of each field. */
const START = new RegExp(`^(\\d{3})([?~<^@])(?=${NUMBER})`);
const FIELD_STARTS = new Map(
  [...'?~<^@'].map((mark) => [mark, new RegExp(`\\${mark}${NUMBER}`)] as const),
);
const PURPOSE = /^(?:2\d|6[0-3])$/;
const NAME = /^3[23]$/;
/** What SEPA transfers carry inside the purpose. */
const SEPA = /(EREF|KREF|MREF|SVWZ|CRED|DEBT|COAM|OAMT|ABWA|ABWE|IBAN|BIC)\+|(MTLG):/g;
/** No word ends with one of these, so that they may follow a text without a blank. */
const UNMISTAKABLE: ReadonlySet<string> = new Set(['EREF', 'KREF', 'MREF', 'SVWZ']);

interface Field {
  readonly number: string;
  readonly text: string;
}

/** What a purpose carries: the texts of its marks, and what stands before the first. */
interface Purpose {
  readonly before: string;
  readonly whole: string;
  readonly tags: ReadonlyMap<string, string>;
}

/**
 * `166?00GUTSCHRIFT?20EREF+…?21SVWZ+…?30BIC?31IBAN?32NAME`; lines break anywhere, also in a mark.
 * @returns undefined for what is written in another way
 */
export function codedDetails(glued: string): MtDetails | undefined {
  const start = START.exec(glued);
  if (!start) return undefined;
  const [, code = null, mark = ''] = start;
  const fields = fieldsOf(glued.slice(3), mark);
  const of = (wanted: RegExp) =>
    fields.map(({ number, text }) => (wanted.test(number) ? text : '')).join('');
  const { before, whole, tags } = purposeOf(fields);
  const accounts = [of(/^38$/), of(/^31$/), tags.get('IBAN')].filter((each) => textOrNull(each));
  const banks = [of(/^30$/), tags.get('BIC')];
  const purpose = tags.has('SVWZ') ? [before, tags.get('SVWZ')] : [whole];
  return {
    ...NO_DETAILS,
    code,
    party: {
      name: of(NAME),
      account: accounts.find((each) => readIban(each ?? '') !== null) ?? accounts[0],
      bic: banks.find((each) => readBic(each ?? '') !== null),
    },
    endToEndId: reference(tags.get('EREF')),
    texts: purpose,
  };
}

function fieldsOf(text: string, mark: string): Field[] {
  const parts = (text.endsWith(mark) ? text.slice(0, -1) : text).split(FIELD_STARTS.get(mark)!);
  // Behind the empty text before the first mark, numbers and texts take turns.
  return parts.flatMap((number, at) => (at % 2 ? [{ number, text: parts[at + 1]! }] : []));
}

function purposeOf(fields: readonly Field[]): Purpose {
  const parts = fields.filter(({ number }) => PURPOSE.test(number)).map(({ text }) => text);
  const whole = parts.join('');
  const found = sepaMarks(parts, whole);
  const tags = found.map((match, at) => {
    const end = found[at + 1]?.index ?? whole.length;
    return [match[1] ?? match[2]!, whole.slice(match.index + match[0].length, end)] as const;
  });
  // The first of marks that are there twice.
  return { before: whole.slice(0, found[0]?.index), whole, tags: new Map(tags.toReversed()) };
}

/** Those that are no end of a word, unless they begin a field. */
function sepaMarks(parts: readonly string[], whole: string): RegExpExecArray[] {
  const starts = new Set<number>();
  let length = 0;
  for (const part of parts) {
    starts.add(length);
    length += part.length;
  }
  return [...whole.matchAll(SEPA)].filter((match) => {
    const isInWord = !starts.has(match.index) && /\p{L}/u.test(whole[match.index - 1] ?? '');
    return !isInWord || UNMISTAKABLE.has(match[1] ?? '');
  });
}
