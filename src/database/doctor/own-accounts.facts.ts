import type { Fact } from './fact.js';

/** Lines of accounts that never were a collection account of their mode and currency. */
const FOREIGN = `(
  SELECT l.id, l.mode, l.account, l.currency FROM bank_lines l
  LEFT JOIN (SELECT DISTINCT mode, account, currency FROM collection_accounts) c
    ON c.mode = l.mode AND c.account = l.account AND c.currency = l.currency
  WHERE c.mode IS NULL)`;

/** The debtor account of a payout file. */
const DEBTOR = `substring(left(f.content, 2000) FROM '<DbtrAcct><Id><IBAN>([^<]*)<')`;

/** Checks that statements of other accounts move no money. */
export const OWN_ACCOUNT_FACTS: readonly Fact[] = [
  {
    name: 'bank-line-own-account',
    description: 'An order is paid only by money on a collection account of its mode and currency.',
    sql: `SELECT a.merchant_id AS "merchantId", 'payment ' || a.payment_id AS subject,
        format('paid by the line %s in %s mode, on the account %s in %s', l.id, l.mode, l.account,
          l.currency) AS detail
      FROM bank_allocations a JOIN ${FOREIGN} l ON l.id = a.line_id
      WHERE a.undone_at IS NULL OR a.undone_by_line_id IS NOT NULL`,
  },
  {
    name: 'payout-own-account',
    description:
      'A payout is completed only by a bank line of a collection account, or of the file’s debtor account.',
    sql: `SELECT b.merchant_id AS "merchantId", 'payout ' || b.payout_id AS subject,
        format('linked to the line %s in %s mode, on the account %s in %s', l.id, l.mode, l.account,
          l.currency) AS detail
      FROM bank_payout_lines b JOIN ${FOREIGN} l ON l.id = b.line_id
      LEFT JOIN payouts p ON p.merchant_id = b.merchant_id AND p.id = b.payout_id
      LEFT JOIN payout_files f ON f.id = p.file_id
      WHERE l.account IS DISTINCT FROM ${DEBTOR}`,
  },
];
