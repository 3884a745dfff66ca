/**
 * Joins `payout`, the current payout of order `o`: the newest active or completed one, if parts are in several. Unpaid
 * orders are skipped.
 */
export const PAYOUT_OF_ORDER = `LEFT JOIN LATERAL (
  SELECT w.id, w.status, w.paid_at FROM payout_lines l
  JOIN payouts w ON w.merchant_id = l.merchant_id AND w.id = l.payout_id
    AND w.status NOT IN ('draft', 'rejected', 'cancelled', 'failed', 'returned')
  WHERE o.paid_at IS NOT NULL
    AND l.merchant_id = o.merchant_id AND l.txid = o.txid AND l.kind = 'order'
  ORDER BY l.payout_id DESC LIMIT 1
) payout ON true`;
