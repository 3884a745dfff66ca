import { readBic, readIban } from '../../common/iban.js';
import { reference, textOrNull } from '../counterparty.js';
import { readCodedFields } from './coded-fields.js';
import { type MtDetails, NO_DETAILS } from './mt-details.js';

/** What SEPA transfers carry inside the purpose, in the order in which banks write it. */
const ORDER = [
  'EREF',
  'KREF',
  'MREF',
  'CRED',
  'DEBT',
  'COAM',
  'OAMT',
  'SVWZ',
  'ABWA',
  'ABWE',
  'MTLG',
];
const SEPA = new RegExp(`(${ORDER.slice(0, -1).join('|')})\\+|(MTLG):`, 'g');
/** No word ends with one of these, so that they may follow a text without a blank. */
const UNMISTAKABLE: ReadonlySet<string> = new Set(['EREF', 'KREF', 'MREF', 'SVWZ']);
/** For whom the payment is made, behind the payer's text. */
const OF_OTHERS: ReadonlySet<string> = new Set(['ABWA', 'ABWE']);
/** Of an end-to-end id. */
const ID_LENGTH = 35;

interface SepaMark {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Where a field begins: a bank puts its marks there, unless it writes the purpose as one text. */
  readonly beginsField: boolean;
}

/** What a purpose says. */
interface Purpose {
  readonly endToEndId: string | null;
  /** What the payer wrote, then what else the bank wrote there. */
  readonly texts: readonly string[];
}

/**
 * `166?00GUTSCHRIFT?20EREF+…?21SVWZ+…?30BIC?31IBAN?32NAME`; lines break anywhere, also in a mark.
 * @returns undefined for what is written in another way
 */
export function codedDetails(glued: string): MtDetails | undefined {
  const fields = readCodedFields(glued);
  if (!fields) return undefined;
  const { code, purpose, unsure, sure, name, bank } = fields;
  const accounts = [sure('38'), sure('31')].filter((each) => textOrNull(each));
  const { endToEndId, texts } = readPurpose(purpose);
  const account = accounts.find((each) => readIban(each ?? '') !== null) ?? accounts[0];
  return {
    ...NO_DETAILS,
    code,
    party: {
      name,
      account,
      bic: isBankOf(account, bank) ? bank : sure('30'),
    },
    endToEndId,
    texts: [...texts, ...unsure],
  };
}

/** An account says in which country its bank is, where `?30` may as well be the end of a payer's text. */
const isBankOf = (account: string | undefined, bank: string | undefined): boolean =>
  account !== undefined && readBic(bank ?? '')?.slice(4, 6) === account.slice(0, 2);

/**
 * What stands behind `SVWZ+` is what the payer wrote, whatever marks it has. An end-to-end id is written by payers, too:
 * where marks in it could be the payer's, nothing is taken for it, and all of the purpose is text.
 */
function readPurpose(parts: readonly string[]): Purpose {
  const whole = parts.join('');
  const marks = sepaMarks(parts, whole);
  const at = marks.findIndex(({ name }) => name === 'SVWZ');
  const head = at === -1 ? marks : marks.slice(0, at + 1);
  const valueOf = (mark: SepaMark) => whole.slice(mark.end, marks[marks.indexOf(mark) + 1]?.start);
  const id = head.find(({ name }) => name === 'EREF');
  const hasOneText = marks.filter(({ name }) => name === 'SVWZ').length < 2;
  const isSure =
    areInOrder(head) && (!id || (hasOneText && valueOf(id).trim().length <= ID_LENGTH));
  if (!isSure) return { endToEndId: null, texts: [whole] };
  const endToEndId = id ? reference(valueOf(id)) : null;
  if (at === -1) return { endToEndId, texts: [whole] };
  const others = head.filter(({ name }) => name !== 'EREF' && name !== 'SVWZ');
  const behind = marks.slice(at + 1).filter((mark) => mark.beginsField && OF_OTHERS.has(mark.name));
  const cuts = [head[at]!.end, ...behind.map(({ start }) => start)];
  const texts = [
    whole.slice(0, head[0]!.start),
    ...cuts.map((start, each) => whole.slice(start, cuts[each + 1])),
    ...others.map((mark) => whole.slice(mark.start, mark.end) + valueOf(mark)),
  ];
  return { endToEndId, texts };
}

/** Each mark of the bank is there once, in its order, and all of them begin fields, or none has to. */
function areInOrder(head: readonly SepaMark[]): boolean {
  const ascends = head.every(
    ({ name }, at) => at === 0 || ORDER.indexOf(name) > ORDER.indexOf(head[at - 1]!.name),
  );
  return ascends && (head.at(-1)?.beginsField === false || head.every((mark) => mark.beginsField));
}

/** Those that are no end of a word, unless they begin a field. */
function sepaMarks(parts: readonly string[], whole: string): SepaMark[] {
  const starts = new Set<number>();
  let length = 0;
  for (const part of parts) {
    starts.add(length);
    length += part.length;
  }
  return [...whole.matchAll(SEPA)].flatMap(({ 0: found, 1: name = 'MTLG', index: start }) => {
    const beginsField = starts.has(start);
    const isInWord = !beginsField && /\p{L}/u.test(whole[start - 1] ?? '');
    if (isInWord && !UNMISTAKABLE.has(name)) return [];
    return [{ name, start, end: start + found.length, beginsField }];
  });
}
