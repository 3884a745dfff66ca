import { textOrNull } from '../counterparty.js';
import { codedDetails } from './coded-details.js';
import { type MtDetails, NO_DETAILS } from './mt-details.js';
import { taggedDetails } from './tagged-details.js';

/** The whole width of a line: a longer text goes on in the next one, in the middle of a word. */
const WIDTH = 65;
/** Accounts and names as some Dutch banks put them at the end. */
const COUNTER = /\bREK: ?([A-Z]{2}\d\d[A-Z0-9]+)\/NAAM: ?(.*)$/;

/** @param fields the lines of each :86: of an entry; most have one, in northern countries one a line */
export function readMtDetails(fields: readonly (readonly string[])[]): MtDetails {
  const structured = fields.map((lines) => structuredDetails(lines.join('')));
  const plain = fields.filter((_, at) => !structured[at]).flat();
  const all = [...structured.flatMap((each) => each ?? []), plainDetails(plain)];
  return all.reduce(both);
}

const structuredDetails = (glued: string): MtDetails | undefined =>
  codedDetails(glued) ?? taggedDetails(glued);

function plainDetails(lines: readonly string[]): MtDetails {
  const text = textOrNull(lines.map((line) => (line.length < WIDTH ? `${line} ` : line)).join(''));
  const counter = COUNTER.exec(text ?? '');
  return { ...NO_DETAILS, texts: [text], party: { account: counter?.[1], name: counter?.[2] } };
}

/** What one says, then what only the other says. */
const both = (one: MtDetails, other: MtDetails): MtDetails => ({
  code: one.code ?? other.code,
  party: {
    name: one.party.name || other.party.name,
    account: one.party.account || other.party.account,
    bic: one.party.bic || other.party.bic,
  },
  payer: one.payer ?? other.payer,
  payee: one.payee ?? other.payee,
  references: [...one.references, ...other.references],
  endToEndId: one.endToEndId ?? other.endToEndId,
  returned: one.returned || other.returned,
  texts: [...one.texts, ...other.texts],
});
