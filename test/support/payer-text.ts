import fc from 'fast-check';
import { type Booking, RENDER_FORMATS, type RenderFormat } from './statement-renderers.js';

/** A name and an account that only texts tell. */
export const FOREIGN_NAME = 'Mallory';
const FOREIGN_ACCOUNT = 'LT121000011101001000';

/** Formats that book and always tell the payer's text whole. */
const PLAIN_FORMATS = RENDER_FORMATS.filter((format) => format !== 'mt942');

const AMOUNTS = [100, 1_000, 9_900] as const;
const BOOKINGS_MAX = 7;
/** References that the texts of a statement can name: first those that its payers were asked to write. */
export const REFERENCES = 12;
const TEXT_MAX = 140;
const END_TO_END_MAX = 35;

/** A booking of a bank. Its texts name references by their places in a list, its own is that of its own place. */
interface Drawn {
  readonly amount: number;
  readonly payer: number;
  readonly endToEndId: readonly Piece[] | null;
  readonly text: readonly Piece[];
}

export interface Scenario {
  readonly bookings: readonly Drawn[];
  readonly hasBankReferences: boolean;
  readonly files: readonly RenderFormat[];
}

/** Part of a text: words, or a mark with the reference that follows it. */
interface Piece {
  readonly before: string;
  /** Which reference, and how much of it; null for none. */
  readonly reference: number | 'own' | null;
  readonly part: 'whole' | 'first' | 'second';
}

/** What banks write between the texts of payers, and what payers could write to look like a bank. */
const MARKS = [
  '',
  FOREIGN_ACCOUNT,
  ' ',
  'EREF+',
  'KREF+',
  'MREF+',
  'SVWZ+',
  ' SVWZ+',
  'CRED+',
  'ABWA+' + FOREIGN_NAME,
  'IBAN+' + FOREIGN_ACCOUNT,
  ' IBAN+' + FOREIGN_ACCOUNT + ' BIC+RETBLT21',
  '?20',
  '?21',
  '?20EREF+',
  '?22SVWZ+',
  '?30RETBLT21?31' + FOREIGN_ACCOUNT + '?32' + FOREIGN_NAME,
  '?31' + FOREIGN_ACCOUNT,
  '?32' + FOREIGN_NAME,
  '?60',
  '166?00GUTSCHRIFT?20',
  '/EREF/',
  '/REMI/',
  '/REMI/USTD//',
  '/REMI/STRD/CUR/',
  '/RTRN/',
  '/PREF/',
  '/IBAN/' + FOREIGN_ACCOUNT + '/',
  '/NAME/' + FOREIGN_NAME + '/',
  '/ORDP//NAME/' + FOREIGN_NAME + '/REMI/',
  '/CNTP/' + FOREIGN_ACCOUNT + '/RETBLT21/' + FOREIGN_NAME + '/',
  'REK: ' + FOREIGN_ACCOUNT + '/NAAM: ' + FOREIGN_NAME,
  ':86:',
  ':61:2611261126C9900,00NTRFNONREF',
  ':61:2611261126C99,00NTRF',
  ':62F:C261126EUR99,00',
  ':20:X',
  '-',
  '-}',
  '--',
  'NOTPROVIDED',
  ';;"',
  ';99,00;',
] as const;

const WIDTHS = [27, 65] as const;

const filler = fc
  .tuple(fc.constantFrom(...WIDTHS), fc.nat(65))
  .map(([width, less]) => 'X'.repeat(Math.max(0, width - (less % width))));

const mark = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 1, arbitrary: filler },
  { weight: 1, arbitrary: fc.stringMatching(/^[ -~]{0,12}$/) },
);

const piece: fc.Arbitrary<Piece> = fc.record({
  before: fc.array(mark, { minLength: 1, maxLength: 2 }).map((all) => all.join('')),
  reference: fc.oneof(fc.constant('own' as const), fc.constant(null), fc.nat(REFERENCES - 1)),
  part: fc.constantFrom('whole', 'whole', 'first', 'second'),
});

const ASKED: Piece = { before: '', reference: 'own', part: 'whole' };

const booking = (isHonest: boolean): fc.Arbitrary<Drawn> =>
  fc.record({
    amount: fc.constantFrom(...AMOUNTS),
    payer: fc.nat(5),
    endToEndId: isHonest
      ? fc.constant(null)
      : fc.option(fc.array(piece, { minLength: 1, maxLength: 2 })),
    text: isHonest ? fc.constant([ASKED]) : fc.array(piece, { maxLength: 4 }),
  });

/** Statements of an account, as its bank tells of them in some formats, in some order. */
export function scenarios({ isHonest = false } = {}): fc.Arbitrary<Scenario> {
  const formats = isHonest ? PLAIN_FORMATS : RENDER_FORMATS;
  return fc.record({
    bookings: fc.array(booking(isHonest), { minLength: 1, maxLength: BOOKINGS_MAX }),
    hasBankReferences: fc.boolean(),
    files: fc.shuffledSubarray([...formats], { minLength: 1, maxLength: 4 }),
  });
}

function textOf(pieces: readonly Piece[], own: string, references: readonly string[]): string {
  return pieces
    .map(({ before, reference, part }) => {
      if (reference === null) return before;
      const whole = reference === 'own' ? own : references[reference]!;
      const half = Math.ceil(whole.length / 2);
      if (part === 'first') return before + whole.slice(0, half);
      return before + (part === 'second' ? whole.slice(half) : whole);
    })
    .join('');
}

const payerName = (payer: number): string => `Paula Payer ${'ABCDEF'[payer]}`;

/** The IBANs of honest payers and of our own accounts. */
export function ibanOf(number: number): string {
  const account = `37040044${String(number).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

const payerAccount = (payer: number): string => ibanOf(9_000_000 + payer);

/** What the bank books: texts cut to what its forms allow. */
export function allowed(
  { bookings, hasBankReferences, files }: Scenario,
  references: readonly string[],
  now: Date,
): { readonly bookings: readonly Booking[]; readonly files: readonly RenderFormat[] } {
  const day = now.toISOString().slice(0, 10);
  return {
    files,
    bookings: bookings.map(({ amount, payer, endToEndId, text }, at) => ({
      amount,
      bookedOn: day,
      valuedOn: day,
      payerName: payerName(payer),
      payerAccount: payerAccount(payer),
      endToEndId:
        endToEndId === null
          ? null
          : textOf(endToEndId, references[at]!, references).slice(0, END_TO_END_MAX).trim() || null,
      text: textOf(text, references[at]!, references).slice(0, TEXT_MAX),
      bankReference: hasBankReferences ? `BANK${String(at).padStart(6, '0')}` : null,
    })),
  };
}

/** Who really paid. */
export const honest = ({ bookings }: Scenario) => ({
  accounts: bookings.map(({ payer }) => payerAccount(payer)),
  names: bookings.map(({ payer }) => payerName(payer)),
});
