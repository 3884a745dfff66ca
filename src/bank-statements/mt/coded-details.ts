import { readBic, readIban } from '../../common/money/iban.js';
import { reference, textOrNull } from '../counterparty.js';
import { readCodedFields } from './coded-fields.js';
import { type MtDetails, NO_DETAILS } from './mt-details.js';

/** SEPA tags inside the purpose (remittance text), in the order in which banks write them. */
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
/** No word ends with these tags, so they are valid directly after a letter. */
const UNAMBIGUOUS_TAGS: ReadonlySet<string> = new Set(['EREF', 'KREF', 'MREF', 'SVWZ']);
/** Tags of the ultimate debtor and creditor, after the payer's text. */
const ULTIMATE_PARTY_TAGS: ReadonlySet<string> = new Set(['ABWA', 'ABWE']);
/** Maximum length of an end-to-end id. */
const ID_LENGTH = 35;

interface SepaTag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** At the start of a subfield, where banks write tags, unless they write the purpose as one text. */
  readonly beginsField: boolean;
}

interface Purpose {
  readonly endToEndId: string | null;
  /** Payer's text, then the other values of the bank. */
  readonly texts: readonly string[];
}

/**
 * Parses `166?00GUTSCHRIFT?20EREF+…?21SVWZ+…?30BIC?31IBAN?32NAME`, wrapped anywhere, even inside a tag.
 * @returns undefined for details in another format
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

/** Whether the BIC in `?30` is in the country of the IBAN; otherwise it may be the payer's text. */
const isBankOf = (account: string | undefined, bank: string | undefined): boolean =>
  account !== undefined && readBic(bank ?? '')?.slice(4, 6) === account.slice(0, 2);

/**
 * Everything after `SVWZ+` is the payer's text, including any tags in it. The payer also chooses the end-to-end id: if
 * a tag in it may be the payer's, the id is null, and the whole purpose is text.
 */
function readPurpose(parts: readonly string[]): Purpose {
  const whole = parts.join('');
  const marks = sepaMarks(parts, whole);
  const at = marks.findIndex(({ name }) => name === 'SVWZ');
  const head = at === -1 ? marks : marks.slice(0, at + 1);
  const valueOf = (mark: SepaTag) => whole.slice(mark.end, marks[marks.indexOf(mark) + 1]?.start);
  const id = head.find(({ name }) => name === 'EREF');
  const hasOneText = marks.filter(({ name }) => name === 'SVWZ').length < 2;
  const isSure =
    areOrderedTags(head) && (!id || (hasOneText && valueOf(id).trim().length <= ID_LENGTH));
  if (!isSure) return { endToEndId: null, texts: [whole] };
  const endToEndId = id ? reference(valueOf(id)) : null;
  if (at === -1) return { endToEndId, texts: [whole] };
  const others = head.filter(({ name }) => name !== 'EREF' && name !== 'SVWZ');
  const behind = marks
    .slice(at + 1)
    .filter((mark) => mark.beginsField && ULTIMATE_PARTY_TAGS.has(mark.name));
  const cuts = [head[at]!.end, ...behind.map(({ start }) => start)];
  const texts = [
    whole.slice(0, head[0]!.start),
    ...cuts.map((start, each) => whole.slice(start, cuts[each + 1])),
    ...others.map((mark) => whole.slice(mark.start, mark.end) + valueOf(mark)),
  ];
  return { endToEndId, texts };
}

/** Whether the tags occur once each, in their order, and all start a subfield if the last one does. */
function areOrderedTags(head: readonly SepaTag[]): boolean {
  const ascends = head.every(
    ({ name }, at) => at === 0 || ORDER.indexOf(name) > ORDER.indexOf(head[at - 1]!.name),
  );
  return ascends && (head.at(-1)?.beginsField === false || head.every((mark) => mark.beginsField));
}

/** Finds tags. Directly after a letter, a tag is the end of a word unless it starts a subfield or is unmistakable. */
function sepaMarks(parts: readonly string[], whole: string): SepaTag[] {
  const starts = new Set<number>();
  let length = 0;
  for (const part of parts) {
    starts.add(length);
    length += part.length;
  }
  return [...whole.matchAll(SEPA)].flatMap(({ 0: found, 1: name = 'MTLG', index: start }) => {
    const beginsField = starts.has(start);
    const isInWord = !beginsField && /\p{L}/u.test(whole[start - 1] ?? '');
    if (isInWord && !UNAMBIGUOUS_TAGS.has(name)) return [];
    return [{ name, start, end: start + found.length, beginsField }];
  });
}
