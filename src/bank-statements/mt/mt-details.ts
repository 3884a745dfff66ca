import { readIban } from '../../common/iban.js';
import { type PartyTexts, textOrNull, reference } from '../counterparty.js';
import type { LineReference } from '../statement.js';

/** What a field :86: says, in whichever of the three ways in which banks write it. */
export interface MtDetails {
  /** The code of German banks for the kind of the booking, three digits. */
  readonly code: string | null;
  readonly party: PartyTexts;
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly returned: boolean;
  readonly text: string | null;
}

const NOTHING: MtDetails = {
  code: null,
  party: {},
  references: [],
  endToEndId: null,
  returned: false,
  text: null,
};

/** The whole width of a line: a longer text goes on in the next one, in the middle of a word. */
const WIDTH = 65;

export function readMtDetails(lines: readonly string[]): MtDetails {
  const glued = lines.join('');
  const coded = /^(\d{3})([?~<^@])(?=\d\d)/.exec(glued);
  if (coded) return codedDetails(coded[1]!, coded[2]!, glued.slice(coded[0].length - 1));
  if (TAGGED.test(glued)) return taggedDetails(glued);
  return plainDetails(lines);
}

/** Numbers of the fields that hold the purpose, the name and other parts of a German :86:. */
const PURPOSE = /^(?:2\d|6[0-3])$/;
const NAME = /^3[23]$/;
/** What SEPA transfers carry inside the purpose. */
const SEPA = /(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC)\+|(MTLG):/g;

/** `166?00GUTSCHRIFT?20EREF+…?21SVWZ+…?30BIC?31IBAN?32NAME`; lines break anywhere, also in a mark. */
function codedDetails(code: string, mark: string, glued: string): MtDetails {
  const parts = glued.split(mark).slice(1);
  const fields = parts.map((part) => [part.slice(0, 2), part.slice(2)] as const);
  const of = (wanted: RegExp) =>
    fields.map(([number, text]) => (wanted.test(number) ? text : '')).join('');
  const purpose = of(PURPOSE);
  const sepa = pairs(purpose, SEPA);
  const account = [of(/^38$/), of(/^31$/)];
  return {
    ...NOTHING,
    code,
    party: {
      name: of(NAME),
      account: account.find((each) => readIban(each) !== null) ?? account.find(Boolean),
      bic: of(/^30$/),
    },
    endToEndId: reference(sepa.get('EREF')),
    text: textOrNull(sepa.get('SVWZ') ?? purpose),
  };
}

/** Marks of the Dutch and of SWIFT: `/EREF/…/ORDP//NAME/…/REMI/…`. */
const CODES =
  'EREF|KREF|PREF|RREF|MARF|CSID|CNTP|REMI|PURP|ULTC|ULTD|ULTB|TRTP|TRCD|IBAN|BIC|NAME|ORDP|BENM|ISDT|RTRN|ADDR|SVCL|CREF|INIT|SVWZ|ID';
const TAGGED = new RegExp(`^/(?:${CODES})/`);
const TAGS = new RegExp(`/(${CODES})/`, 'g');

function taggedDetails(glued: string): MtDetails {
  const tags = pairs(glued, TAGS);
  const clean = (name: string) => tags.get(name)?.replace(/^\/+|\/+$/g, '');
  // The account, the bank and the name of the other side, one after the other.
  const [account, bic, name] = (tags.get('CNTP') ?? '').split('/');
  const remitted = clean('REMI') ?? '';
  const structured = /^STRD\/([A-Z]+)\/+(.+)$/.exec(remitted);
  return {
    ...NOTHING,
    party: {
      name: clean('NAME') || name || clean('ORDP'),
      account: clean('IBAN') || account,
      bic: clean('BIC') || bic,
    },
    references: structured ? [{ type: structured[1]!, value: structured[2]!.trim() }] : [],
    endToEndId: reference(clean('EREF')),
    returned: tags.has('RTRN'),
    text: textOrNull(remitted.replace(/^(?:USTD|STRD\/[A-Z]+)\/+/, '')) ?? textOrNull(glued),
  };
}

/** Accounts and names as some Dutch banks put them at the end. */
const COUNTER = /\bREK: ?([A-Z]{2}\d\d[A-Z0-9]+)\/NAAM: ?(.*)$/;

function plainDetails(lines: readonly string[]): MtDetails {
  const text = textOrNull(lines.map((line) => (line.length < WIDTH ? `${line} ` : line)).join(''));
  const counter = COUNTER.exec(text ?? '');
  return { ...NOTHING, text, party: { account: counter?.[1], name: counter?.[2] } };
}

/** What follows each of some marks, up to the next one; the first of marks that are there twice. */
function pairs(text: string, marks: RegExp): Map<string, string> {
  const found = [...text.matchAll(marks)];
  const entries = found.map((match, at) => {
    const end = found[at + 1]?.index ?? text.length;
    return [match[1] ?? match[2]!, text.slice(match.index + match[0].length, end)] as const;
  });
  return new Map(entries.toReversed());
}
