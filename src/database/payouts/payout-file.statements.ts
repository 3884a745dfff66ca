import { majorUnits } from '../exports/export-source.statements.js';

/**
 * Elements that do not come from payouts: names, dates and the debtor account. The patterns cannot match further
 * elements.
 */
const NOT_FROM_PAYOUTS = [
  '<Nm>[^<>&]+</Nm>',
  '<CreDtTm>[^<>&]+</CreDtTm>',
  '<ReqdExctnDt>(<Dt>)?[0-9-]+(</Dt>)?</ReqdExctnDt>',
  '<DbtrAcct><Id><IBAN>[A-Z0-9]+</IBAN></Id></DbtrAcct>',
  '<DbtrAgt><FinInstnId>(<Othr><Id>NOTPROVIDED</Id></Othr>|<BIC(FI)?>[A-Z0-9]+</BIC(FI)?>)</FinInstnId></DbtrAgt>',
].join('|');

const TOTALS = `'<NbOfTxs>' || f.payouts || '</NbOfTxs><CtrlSum>'
  || ${majorUnits('f.amount', 'f.currency')} || '</CtrlSum>'`;

const END_TO_END_ID = `replace(p.id::text, '-', '')`;

/** The transaction element of payout `p`. */
const TRANSFER = `'<CdtTrfTxInf><PmtId><EndToEndId>' || ${END_TO_END_ID}
  || '</EndToEndId></PmtId><Amt><InstdAmt Ccy="' || p.currency || '">'
  || ${majorUnits('p.amount', 'p.currency')} || '</InstdAmt></Amt><Cdtr></Cdtr><CdtrAcct><Id><IBAN>'
  || p.iban || '</IBAN></Id></CdtrAcct><RmtInf><Ustrd>' || coalesce(p.remittance, 'Payout ' || ${END_TO_END_ID})
  || '</Ustrd></RmtInf></CdtTrfTxInf>'`;

/** The expected content of file `f` from its payouts, as `pain001` writes it, without `NOT_FROM_PAYOUTS`. */
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

/** Whether file `f` pays exactly its payouts: with their amounts, accounts, ids and totals. */
export const PAYS_ITS_PAYOUTS = `coalesce(
  regexp_replace(f.content, '${NOT_FROM_PAYOUTS}', '', 'g') = ${OF_PAYOUTS}, false)`;

/** Whether file `f` is unchanged since it was created. */
export const HAS_ITS_BYTES = `sha256(convert_to(f.content, 'UTF8')) = f.sha256`;
