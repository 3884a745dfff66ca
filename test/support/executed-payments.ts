import type { WrittenEntry } from './bank-file.js';

/** What a bank books when it carries out a pain.001 file: money out for each transfer, with its end-to-end id. */
export function executedPayments(pain001: string): WrittenEntry[] {
  return [...pain001.matchAll(/<CdtTrfTxInf>(.*?)<\/CdtTrfTxInf>/gs)].map(
    ([, transfer = ''], at) => ({
      amount: Number(contentOf(transfer, 'InstdAmt').replace('.', '')),
      direction: 'out',
      e2e: contentOf(transfer, 'EndToEndId'),
      acctSvcrRef: `OUT-${at}`,
      payer: { name: contentOf(transfer, 'Nm'), iban: contentOf(transfer, 'IBAN') },
    }),
  );
}

/** The money of such a transfer that the other bank sends back. */
export const sentBack = ({ amount, e2e, payer }: WrittenEntry): WrittenEntry => ({
  amount,
  e2e,
  payer,
  direction: 'in',
  returned: true,
  acctSvcrRef: 'BACK-0',
});

function contentOf(xml: string, name: string): string {
  const found = new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1];
  if (found === undefined) throw new Error(`no ${name} in ${xml}`);
  return found;
}
