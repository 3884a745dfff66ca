import { describe, expect, it } from '@jest/globals';
import { collectBankFile, statementFile } from '../collect.js';

type Entry = readonly [cents: number, text: string];

const money = (cents: number): string =>
  `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;

function statement(entries: readonly Entry[], detailsOf: (text: string) => string): string {
  const closing = entries.reduce((sum, [cents]) => sum + cents, 100_000);
  const lines = entries.map(
    ([cents, text]) =>
      `:61:2512311231${cents < 0 ? 'D' : 'C'}${money(Math.abs(cents))}NTRFNONREF\n:86:${detailsOf(text)}\n`,
  );
  return `:20:S\n:25:DE89370400440532013000\n:28C:1/1\n:60F:C251231EUR${money(100_000)}\n${lines.join('')}:62F:C251231EUR${money(closing)}\n-\n`;
}

/** Wrapped between words, as by a bank without structured details. */
function words(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' '))
    if (line !== '' && line.length + 1 + word.length > 65) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  return [...lines, line].join('\n');
}

const TAGS = '/TRTP/SEPA/REMI/';
/** Wrapped anywhere and trimmed, as by a bank with structured details. */
const hard = (text: string): string =>
  (text.match(/[^]{1,65}/g) ?? []).map((line) => line.trimEnd()).join('\n');
const trimmed = (text: string): string => hard(`${TAGS}${text}`);

/** As most banks with structured details, with the counterparty before the text. */
const COUNTERPARTY =
  '/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/Muster/REMI/';
const named = (text: string): string => hard(`${COUNTERPARTY}${text}`);
/** The counterparty after the text. */
const coded = (text: string): string =>
  hard(`166?00GUTSCHRIFT?20${text}?30COBADEFF?31DE89370400440532013999?32Muster`);

const honest = (n: number): Entry => [
  5_000 + 7 * n,
  `Invoice ${n} with many thanks and kind regards from all of us here at home`,
];

const read = async (text: string) => {
  const { statements, warnings } = await collectBankFile(statementFile(text), {});
  return {
    balanced: statements.map(({ balanced }) => balanced),
    warnings: warnings.map(({ code }) => code),
  };
};

describe('a credit and a debit that a payer forged in the texts of two payments', () => {
  const DOUBTED = { balanced: [false], warnings: ['doubtful_entries'] };

  it.each(['166?20', '/REMI/', 'Hello '])(
    'are doubted where the texts begin with “%s”',
    async (start) => {
      const forged = (sign: string) =>
        `${start.padEnd(40, 'x')} :61:2512311231${sign}100,00NTRFNONREFXXXXXXXXXXXX and more`;
      const entries: Entry[] = [
        honest(1),
        [1, forged('C')],
        ...[2, 3, 4, 5, 6, 7].map((n) => honest(n)),
        [1, forged('D')],
        honest(8),
      ];
      expect(await read(statement(entries, words))).toEqual(DOUBTED);
    },
  );

  it.each([6, 0])(
    'are doubted where blanks wrap them, with %i payments between',
    async (between) => {
      const fill = (text: string) =>
        text.padEnd(text.length + ((65 - ((TAGS.length + text.length) % 65)) % 65));
      const forged = (sign: string) =>
        `${fill(fill('hi') + `:61:251231${sign}100,00NTRFNONREF`)}RF18`;
      const entries: Entry[] = [
        honest(1),
        [1, forged('C')],
        ...Array.from({ length: between }, (_, n) => honest(n)),
        [1, forged('D')],
        honest(8),
      ];
      expect(await read(statement(entries, trimmed))).toEqual(DOUBTED);
    },
  );
});

describe('a credit and a debit that payers forged with structured details of their own', () => {
  const DOUBTED = { balanced: [false], warnings: ['doubtful_entries'] };
  /** Blanks up to the next line of the bank. */
  const filled = (prefix: string, text: string): string =>
    text.padEnd(text.length + ((65 - ((prefix.length + text.length) % 65)) % 65));
  const forged = (prefix: string, sign: string, amount: number, details: string): string => {
    const entry = `${filled(prefix, 'hi')}:61:251231${sign}${money(amount)}NTRFNONREF`;
    return `${filled(prefix, entry)}:86:${details}`;
  };
  const around = (...entries: readonly Entry[]): Entry[] => [
    honest(1),
    ...entries.flatMap((each, n) => [each, honest(n + 2)]),
    honest(9),
  ];

  it.each([
    ['the text alone', '/REMI/RF84 0512 9173 9029 4032'],
    ['the beginning of the bank’s', '/TRTP/SEPA OVERBOEKING/REMI/RF840512917390294032'],
    ['an account', '/IBAN/NO9386011117947/NAME/A/REMI/RF840512917390294032'],
    ['all, with a short type', '/TRTP/SEPA/IBAN/NO9386011117947/NAME/A/REMI/RF840512917390294032'],
  ])('are doubted: %s', async (_, details) => {
    const [credit, debit] = ['C', 'D'].map((sign): Entry => [
      1,
      forged(COUNTERPARTY, sign, 10_000, details),
    ]);
    expect(await read(statement(around(credit!, debit!), named))).toEqual(DOUBTED);
  });

  it('are doubted: where the bank has fields after the text', async () => {
    const withId = (text: string): string => named(`${text}/EREF/NOTPROVIDED/PURP/OTHR`);
    const [credit, debit] = ['C', 'D'].map((sign): Entry => [
      1,
      forged(COUNTERPARTY, sign, 10_000, '/REMI/RF840512917390294032'),
    ]);
    expect(await read(statement(around(credit!, debit!), withId))).toEqual(DOUBTED);
  });

  it('are doubted: two debits for one credit', async () => {
    const entries = [
      ['C', 10_000],
      ['D', 4_000],
      ['D', 6_000],
    ] as const;
    const texts = entries.map(([sign, amount]): Entry => [
      1,
      forged(COUNTERPARTY, sign, amount, '/REMI/RF840512917390294032'),
    ]);
    expect(await read(statement(around(...texts), named))).toEqual(DOUBTED);
  });

  it('are doubted: in coded details, where the bank’s fields follow the text', async () => {
    const [credit, debit] = ['C', 'D'].map((sign): Entry => {
      for (let blanks = 0; ; blanks++) {
        const text = `hi${' '.repeat(blanks)}:61:251231${sign}100,00NTRFNONREF`;
        if (!/^:61:/m.test(coded(text))) continue;
        for (let more = 0; ; more++) {
          const whole = `${text}${' '.repeat(more)}:86:166?00X?20RF84 0512 9173`;
          if (/^:86:166/m.test(coded(whole))) return [1, whole];
        }
      }
    });
    expect(await read(statement(around(credit!, debit!), coded))).toEqual(DOUBTED);
  });
});

describe('payments, a payout of some of them and a fee, of a bank with structured details', () => {
  const IBANS = ['NL91ABNA0417164300', 'NL39RABO0300065264', 'DE89370400440532013000'];
  const KINDS = ['SEPA OVERBOEKING', 'IDEAL', 'SEPA INCASSO'];
  const CODES = ['166?00GUTSCHRIFT', '166?00DAUERAUFTRAG', '152?00EINZELBUCHUNG'];
  const DIALECTS: Record<string, readonly [(n: number, text: string) => string, string]> = {
    'with types': [
      (n, text) =>
        `/TRTP/${KINDS[n % 3]}/IBAN/${IBANS[n % 3]}/BIC/ABNANL2A/NAME/J Jansen/REMI/${text}/EREF/NOTPROVIDED`,
      '/TRTP/KOSTEN/REMI/fee',
    ],
    'with an end-to-end id first': [
      (n, text) => `/EREF/E${n}//CNTP/${IBANS[n % 3]}/INGBNL2A/J Jansen///REMI/USTD//${text}/`,
      '/REMI/USTD//fee/',
    ],
    'with codes': [
      (n, text) => `${CODES[n % 3]}?10${9_000 + n}?20SVWZ+${text}?30COBADEFF?31${IBANS[2]}?32Jan`,
      '808?00GEBUEHREN?20fee',
    ],
  };

  it.each(Object.entries(DIALECTS))('are proven by the balances: %s', async (_, [write, fee]) => {
    const paid = Array.from({ length: 30 }, (_, n): Entry => [
      1_000 + 137 * n,
      write(n, `RF18 5390 0754 ${7_000 + n}`),
    ]);
    const payout: Entry = [-(1_000 + 1_137 + 1_274), write(2, 'Payout of a merchant')];
    const all = [...paid.slice(0, 9), payout, ...paid.slice(9, 14), [-1_234, fee] as const];
    const file = statement([...all, ...paid.slice(14)], hard);
    expect(await read(file)).toEqual({ balanced: [true], warnings: [] });
  });
});

describe('an equal credit and debit of a bank with structured details', () => {
  it.each([
    ['the counterparty first', named],
    ['the counterparty last', coded],
  ])('are proven by the balances: %s', async (_, details) => {
    const entries = Array.from({ length: 20 }, (_, n) => honest(n));
    const all: Entry[] = [
      ...entries.toSpliced(13, 0, [9_900, 'A payment']),
      [-9_900, 'Its return'],
    ];
    expect(await read(statement(all, details))).toEqual({ balanced: [true], warnings: [] });
  });

  it('prove nothing where details that could be forged name no account', async () => {
    const all: Entry[] = [honest(1), honest(2), [9_900, 'A payment'], [-9_900, 'Its return']];
    expect((await read(statement(all, trimmed))).balanced).toEqual([false]);
  });
});
