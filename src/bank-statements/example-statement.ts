import { readIban } from '../common/money/iban.js';
import { toMajorUnits } from '../common/money/money.js';

/** Transfer details that the payer received. */
interface IssuedTransfer {
  readonly account: string;
  readonly reference: string;
}

interface Money {
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

export const EXAMPLE_PAYER = { name: 'Max Muster', iban: 'AT483200000012345864' };

/**
 * Example camt.054 notification of one transfer, dated today. It has no balances, so other transfers on the account
 * do not contradict it. Its bank reference distinguishes equal payments of two payers.
 */
export function exampleStatement(
  { account, reference }: IssuedTransfer,
  { amount, currency }: Money,
): string {
  const day = new Date().toISOString().slice(0, 10);
  const ours = readIban(account)
    ? `<IBAN>${account}</IBAN>`
    : `<Othr><Id>${escaped(account)}</Id></Othr>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><Ntfctn>
<Id>EXAMPLE-${reference}</Id>
<Acct><Id>${ours}</Id><Ccy>${currency}</Ccy></Acct>
<Ntry>
<Amt Ccy="${currency}">${toMajorUnits(amount, currency)}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>EXAMPLE-${reference}</AcctSvcrRef>
<NtryDtls><TxDtls>
<RltdPties>
<Dbtr><Pty><Nm>${EXAMPLE_PAYER.name}</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>${EXAMPLE_PAYER.iban}</IBAN></Id></DbtrAcct>
</RltdPties>
<RmtInf><Ustrd>Lamp, ${reference.toLowerCase()}</Ustrd></RmtInf>
</TxDtls></NtryDtls>
</Ntry>
</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
