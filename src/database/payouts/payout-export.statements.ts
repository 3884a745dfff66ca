import type { CopySource } from '../copy/copy-session.js';
import { literal } from '../copy/literals.js';
import { guarded, majorUnits } from '../exports/export-source.statements.js';
import {
  type ListingColumns,
  listingSource,
  offsetTime,
} from '../exports/listing-source.statements.js';
import type { Owner, PayoutKey } from '../keys.js';
import type { PayoutStatus } from './payout.entity.js';

const ASKED_BY = `CASE WHEN p.requested_by IS NULL THEN 'schedule' ELSE ${guarded('u.name')} END`;

/** Same masking as on portal pages. */
const MASKED_IBAN = `left(p.iban, 2) || '•••• ' || right(p.iban, 4)`;

/** In column order. Stable: new columns are appended. */
const PAYOUT_COLUMNS: ListingColumns = {
  payout_id: 'p.id',
  mode: 'p.mode',
  status: 'p.status',
  status_reason: guarded('p.status_reason'),
  amount: majorUnits('p.amount', 'p.currency'),
  currency: 'p.currency',
  bank_account_holder: guarded('p.holder'),
  iban: 'p.iban',
  requested_by: ASKED_BY,
  requested_at: offsetTime('asked.at'),
  approved_at: offsetTime('p.approved_at'),
  paid_at: offsetTime('p.paid_at'),
  bank_reference: `replace(p.id::text, '-', '')`,
};
export const PAYOUT_HEADERS: readonly string[] = Object.keys(PAYOUT_COLUMNS);

/** In column order. Stable: new columns are appended. */
const LINE_COLUMNS: ListingColumns = {
  payout_id: 'l.payout_id',
  line: 'l.number',
  kind: 'l.kind',
  txid: 'l.txid',
  order_merchant_id: guarded('o.order_merchant_id'),
  paid_at: offsetTime('o.paid_at'),
  amount: majorUnits('l.amount', 'p.currency'),
  currency: 'p.currency',
};
export const LINE_HEADERS: readonly string[] = Object.keys(LINE_COLUMNS);

export interface PayoutFilter {
  /** Empty = all. */
  readonly statuses: readonly PayoutStatus[];
  /** For users without access to full account numbers. */
  readonly maskIban: boolean;
}

/** Payouts, newest first, as CSV without header. */
export const payoutsSource = (
  { merchantId, mode }: Owner,
  { statuses, maskIban }: PayoutFilter,
): CopySource =>
  listingSource({
    columns: maskIban ? { ...PAYOUT_COLUMNS, iban: MASKED_IBAN } : PAYOUT_COLUMNS,
    from: `FROM payouts p LEFT JOIN users u ON u.id = p.requested_by
      LEFT JOIN LATERAL (
        SELECT min(e.created_at) AS at FROM events e WHERE e.merchant_id = p.merchant_id
          AND e.payout_id = p.id AND e.type = 'payout.requested'
      ) asked ON true
      WHERE p.merchant_id = ${literal(merchantId)} AND p.mode = ${literal(mode)} AND p.refund_id IS NULL
        ${statuses.length > 0 ? `AND p.status = ANY (${literal(statuses)}::text[])` : ''}`,
    key: '(p.created_at, p.id)',
    order: 'p.created_at DESC, p.id DESC',
    beyond: '<',
    place: `format('(%L::timestamptz, %L::uuid)', p.created_at, p.id)`,
  });

/** The lines of one payout, by number. */
export const linesSource = ({ merchantId, id }: PayoutKey): CopySource =>
  listingSource({
    columns: LINE_COLUMNS,
    from: `FROM payout_lines l
      JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
      JOIN orders o ON o.merchant_id = l.merchant_id AND o.txid = l.txid
      WHERE l.merchant_id = ${literal(merchantId)} AND l.payout_id = ${literal(id)}`,
    key: 'l.number',
    order: 'l.number',
    beyond: '>',
    place: 'l.number::text',
  });
