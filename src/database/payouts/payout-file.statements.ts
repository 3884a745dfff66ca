import { majorUnits } from '../exports/export-source.statements.js';

/** What no payout says: names, days, and the account that pays. None can hold an element more. */
const OF_OURS = [
  '<Nm>[^<>&]+</Nm>',
  '<CreDtTm>[^<>&]+</CreDtTm>',
  '<ReqdExctnDt>(<Dt>)?[0-9-]+(</Dt>)?</ReqdExctnDt>',
  '<DbtrAcct><Id><IBAN>[A-Z0-9]+</IBAN></Id></DbtrAcct>',
  '<DbtrAgt><FinInstnId>(<Othr><Id>NOTPROVIDED</Id></Othr>|<BIC(FI)?>[A-Z0-9]+</BIC(FI)?>)</FinInstnId></DbtrAgt>',
].join('|');

const TOTALS = `'<NbOfTxs>' || f.payouts || '</NbOfTxs><CtrlSum>'
  || ${majorUnits('f.amount', 'f.currency')} || '</CtrlSum>'`;

const END_TO_END_ID = `replace(p.id::text, '-', '')`;

/** The transfer of the payout `p`. */
const TRANSFER = `'<CdtTrfTxInf><PmtId><EndToEndId>' || ${END_TO_END_ID}
  || '</EndToEndId></PmtId><Amt><InstdAmt Ccy="' || p.currency || '">'
  || ${majorUnits('p.amount', 'p.currency')} || '</InstdAmt></Amt><Cdtr></Cdtr><CdtrAcct><Id><IBAN>'
  || p.iban || '</IBAN></Id></CdtrAcct><RmtInf><Ustrd>Payout ' || ${END_TO_END_ID}
  || '</Ustrd></RmtInf></CdtTrfTxInf>'`;

/** As `pain001` writes the file `f` of the payouts that are in it, without what is of ours. */
const OF_PAYOUTS = `(
  SELECT '<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:' || f.format || '"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>' || f.message_id || '</MsgId>' || ${TOTALS} || '<InitgPty></InitgPty></GrpHdr>
<PmtInf><PmtInfId>' || f.message_id || '</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>'
    || ${TOTALS} || CASE f.currency
      WHEN 'EUR' THEN '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><Dbtr></Dbtr><ChrgBr>SLEV'
      ELSE '<Dbtr></Dbtr><ChrgBr>SHAR' END || '</ChrgBr>
' || string_agg(${TRANSFER}, '
' ORDER BY p.id) || '
</PmtInf>
</CstmrCdtTrfInitn></Document>
' FROM payouts p WHERE p.file_id = f.id)`;

/** Whether the file `f` pays its payouts and nothing else: amounts, accounts, ids and sums are theirs. */
export const PAYS_ITS_PAYOUTS = `coalesce(
  regexp_replace(f.content, '${OF_OURS}', '', 'g') = ${OF_PAYOUTS}, false)`;

/** Whether the file `f` has the bytes that it was made with. */
export const HAS_ITS_BYTES = `sha256(convert_to(f.content, 'UTF8')) = f.sha256`;
