import { camtFile, type CamtMessage, csvFile, type WrittenStatement } from './bank-file.js';

/** Money that came in, as its bank knows it. Everything that a payer can choose may hold any text. */
export interface Booking {
  /** Minor units. */
  readonly amount: number;
  /** `YYYY-MM-DD` */
  readonly bookedOn: string;
  readonly valuedOn: string;
  readonly payerName: string | null;
  /** An IBAN. */
  readonly payerAccount: string | null;
  readonly endToEndId: string | null;
  readonly text: string;
  readonly bankReference: string | null;
}

export interface RenderedStatement {
  readonly account: string;
  readonly currency: string;
  /** Minor units. */
  readonly openingBalance: number;
  /** Default: what the bookings come to. */
  readonly closingBalance?: number;
  readonly number: number;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly bookings: readonly Booking[];
}

/**
 * Three Dutch banks write their marks in three orders: `mt940-dutch` is that of Rabobank. `mt940-below` is a bank that
 * puts the payer's own reference where that one has the account.
 */
export const RENDER_FORMATS = [
  'camt.052',
  'camt.053',
  'camt.054',
  'mt940-german',
  'mt940-dutch',
  'mt940-dutch-ing',
  'mt940-dutch-abn',
  'mt940-below',
  'mt940-plain',
  'mt940-glued',
  'mt942',
  'csv',
] as const;
export type RenderFormat = (typeof RENDER_FORMATS)[number];

/**
 * The file of an honest and careless bank: it guards neither marks nor starts of lines that a payer has written. XML is
 * escaped, and CSV (read by `csvProfileOf` of bank-file) is quoted.
 */
export function render(format: RenderFormat, statement: RenderedStatement): string {
  if (format === 'csv') return csvFile(written(statement));
  if (format.startsWith('camt'))
    return camtFile(format.slice(-3) as CamtMessage, written(statement));
  if (format === 'mt942') return mt942(statement);
  const id = format === 'mt940-dutch' ? `940S${shortDay(statement.day)}` : `S${statement.number}`;
  return mt940(id, statement, MT[format as keyof typeof MT]);
}

function written(statement: RenderedStatement): WrittenStatement {
  const { account, currency, openingBalance, number, day, bookings } = statement;
  return {
    account,
    currency,
    id: `S${number}`,
    sequence: String(number),
    day,
    opening: openingBalance,
    closing: closingOf(statement),
    entries: bookings.map(({ endToEndId, bankReference, ...booking }) => ({
      ...booking,
      ...(endToEndId === null ? {} : { e2e: endToEndId }),
      ...(bankReference === null ? {} : { acctSvcrRef: bankReference }),
      payer: {
        ...(booking.payerName === null ? {} : { name: booking.payerName }),
        ...(booking.payerAccount === null ? {} : { iban: booking.payerAccount }),
      },
    })),
  };
}

const closingOf = ({ openingBalance, closingBalance, bookings }: RenderedStatement): number =>
  closingBalance ?? bookings.reduce((sum, { amount }) => sum + amount, openingBalance);

/** What a bank writes below an entry and in its details. */
interface Details {
  /** Of the payer, in the entry itself (the reference for the account owner). */
  readonly reference?: string;
  readonly below?: string;
  readonly details: string;
}

const MT = {
  'mt940-german': germanDetails,
  'mt940-glued': gluedDetails,
  'mt940-dutch': rabobankDetails,
  'mt940-dutch-ing': ingDetails,
  'mt940-dutch-abn': abnDetails,
  'mt940-below': referenceBelow,
  'mt940-plain': plainDetails,
};

/** Purpose fields have 27 characters; each mark begins a new one. */
function germanDetails({ endToEndId, text, ...other }: Booking): Details {
  const marked = [
    ...cut(endToEndId === null ? '' : `EREF+${endToEndId}`, 27),
    ...cut(`SVWZ+${text}`, 27),
  ];
  return { details: coded(marked, other) };
}

/** The same, but marks follow each other behind a blank, wherever a field ends. */
function gluedDetails({ endToEndId, text, ...other }: Booking): Details {
  const purpose = `${endToEndId === null ? '' : `EREF+${endToEndId} `}SVWZ+${text}`;
  return { details: coded(cut(purpose, 27), other) };
}

function coded(
  purpose: readonly string[],
  { payerAccount, payerName }: Pick<Booking, 'payerAccount' | 'payerName'>,
): string {
  const fields = (parts: readonly string[], first: number) =>
    parts.map((part, at) => `?${first + at}${part}`).join('');
  const account = payerAccount === null ? '' : `?31${payerAccount}`;
  const name = fields(cut(payerName ?? '', 27).slice(0, 2), 32);
  const rest = fields(purpose.slice(10, 14), 60);
  return `166?00GUTSCHRIFT?10931${fields(purpose.slice(0, 10), 20)}${account}${name}?34000${rest}`;
}

const marked = (mark: string, value: string | null): string => (value ? `/${mark}/${value}` : '');

function rabobankDetails({
  endToEndId,
  payerAccount,
  payerName,
  text,
  bookedOn,
}: Booking): Details {
  return {
    reference: endToEndId === null ? 'NONREF' : 'EREF',
    ...(payerAccount === null ? {} : { below: payerAccount }),
    details: `${marked('EREF', endToEndId)}${marked('ORDP//NAME', payerName)}/REMI/${text}/ISDT/${bookedOn}`,
  };
}

function ingDetails({ endToEndId, payerAccount, payerName, text }: Booking): Details {
  const party = `/CNTP/${payerAccount ?? ''}/INGBNL2A/${payerName ?? ''}//`;
  return { details: `/EREF/${endToEndId ?? 'NOTPROVIDED'}/${party}/REMI/USTD//${text}/` };
}

function abnDetails({ endToEndId, payerAccount, payerName, text }: Booking): Details {
  const party = `${marked('IBAN', payerAccount)}/BIC/ABNANL2A${marked('NAME', payerName)}`;
  return {
    details: `/TRTP/SEPA OVERBOEKING${party}/REMI/${text}/EREF/${endToEndId ?? 'NOTPROVIDED'}`,
  };
}

function referenceBelow({ endToEndId, payerName, text }: Booking): Details {
  return {
    ...(endToEndId === null ? {} : { below: endToEndId }),
    details: `/TRTP/SEPA OVERBOEKING${marked('NAME', payerName)}/REMI/${text}/EREF/${endToEndId ?? 'NOTPROVIDED'}`,
  };
}

/** The bank's own words first, then what the payer wrote; the payer's reference is in the entry. */
function plainDetails({ endToEndId, payerAccount, payerName, text }: Booking): Details {
  return {
    reference: (endToEndId ?? 'NONREF').slice(0, 16),
    details: ['INCOMING', payerAccount, payerName, text].filter(Boolean).join(' '),
  };
}

function mt940(
  id: string,
  statement: RenderedStatement,
  write: (booking: Booking) => Details,
): string {
  const { account, currency, openingBalance, number, day, bookings } = statement;
  const balance = (tag: string, amount: number) =>
    `:${tag}:${amount < 0 ? 'D' : 'C'}${shortDay(day)}${currency}${decimal(Math.abs(amount))}\n`;
  const entries = bookings.map((booking) => entry(booking, write(booking))).join('');
  return `:20:${id}\n:25:${account}\n:28C:${number}/1\n${balance('60F', openingBalance)}${entries}${balance('62F', closingOf(statement))}-\n`;
}

function mt942({ account, currency, number, day, bookings }: RenderedStatement): string {
  const entries = bookings.map((booking) => entry(booking, germanDetails(booking))).join('');
  return `:20:S${number}\n:25:${account}\n:28C:${number}/1\n:34F:${currency}0,\n:13D:${shortDay(day)}1200+0100\n${entries}-\n`;
}

function entry(booking: Booking, { reference = 'NONREF', below, details }: Details): string {
  const { amount, bookedOn, valuedOn, bankReference } = booking;
  const bank = bankReference === null ? '' : `//${bankReference.slice(0, 16)}`;
  const first = `:61:${shortDay(valuedOn)}${shortDay(bookedOn).slice(2)}C${decimal(amount)}NTRF${reference}${bank}\n`;
  return `${first}${below === undefined ? '' : `${below}\n`}:86:${cut(details, 65).join('\n')}\n`;
}

/** Parts of so many characters, as a bank cuts a text: anywhere. */
const cut = (text: string, width: number): string[] =>
  text.match(new RegExp(`[^]{1,${width}}`, 'gu')) ?? [];

/** `YYMMDD` */
const shortDay = (day: string): string => day.slice(2).replaceAll('-', '');

/** Of two decimals. */
function decimal(amount: number): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}
