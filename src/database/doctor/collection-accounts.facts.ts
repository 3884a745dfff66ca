import type { Fact } from './fact.js';

/** Checks that no user alone changes the account to which payers of live orders transfer money. */
export const COLLECTION_ACCOUNT_FACTS: readonly Fact[] = [
  {
    name: 'collection-account-changed',
    description: 'A live collection account equals the sum of its applied changes.',
    sql: `SELECT NULL::uuid AS "merchantId", 'collection account ' || coalesce(a.id, c.id) AS subject,
        format('position %s, %s; its changes say position %s, %s', a.position,
          coalesce('disabled ' || a.disabled_at, 'in use'), c.position,
          coalesce('disabled ' || c.disabled_at, 'in use')) AS detail
      FROM (SELECT * FROM collection_accounts WHERE mode = 'live') a
      FULL JOIN (
        SELECT account_id AS id, min(currency) AS currency, min(holder) AS holder,
          min(account) AS account, min(position) AS position,
          min(applied_at) FILTER (WHERE kind = 'disable') AS disabled_at
        FROM collection_account_changes WHERE applied_at IS NOT NULL GROUP BY account_id
      ) c ON c.id = a.id
      WHERE (a.id, a.currency, a.holder, a.account, a.position, a.disabled_at) IS DISTINCT FROM
        (c.id, c.currency, c.holder, c.account, c.position, c.disabled_at)`,
  },
  {
    name: 'collection-account-two-people',
    description:
      'A change of a live collection account was confirmed by a second operator, or records the other rule that authorized it.',
    sql: `SELECT NULL::uuid AS "merchantId", 'collection account change ' || id AS subject,
        format('%s, proposed by %s, confirmed by %s', rule, proposed_by, confirmed_by) AS detail
      FROM collection_account_changes
      WHERE rule <> CASE WHEN confirmed_by IS NULL THEN 'earlier'
        WHEN proposed_by IS NULL THEN 'command_line'
        WHEN proposed_by = confirmed_by THEN 'single_operator' ELSE 'two_people' END`,
  },
];
