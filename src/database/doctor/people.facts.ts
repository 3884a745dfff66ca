import type { Fact } from './fact.js';

/** Format of stored passwords (PHC string): algorithm, cost, salt and hash. */
const PHC = String.raw`^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`;

export const PEOPLE_FACTS: readonly Fact[] = [
  {
    name: 'secret-hashes',
    description:
      'API keys, sessions and links are stored only as hashes, and passwords as slow hashes.',
    sql: `SELECT merchant_id AS "merchantId", 'API key ' || id AS subject,
        format('a hash of %s bytes and a hint of %s characters', octet_length(key_hash),
          char_length(hint)) AS detail
      FROM api_keys WHERE octet_length(key_hash) <> 32 OR char_length(hint) > 4
      UNION ALL
      SELECT NULL, 'session ' || id, format('a hash of %s bytes', octet_length(token_hash))
      FROM user_sessions WHERE octet_length(token_hash) <> 32
      UNION ALL
      SELECT merchant_id, 'link ' || id, format('a hash of %s bytes', octet_length(token_hash))
      FROM user_links WHERE octet_length(token_hash) <> 32
      UNION ALL
      SELECT NULL, 'user ' || id, 'the password hash has another format'
      FROM users WHERE password_hash !~ '${PHC}'`,
  },
  {
    name: 'link-token',
    description: 'The token of a used link is deleted.',
    sql: `SELECT merchant_id AS "merchantId", 'link ' || id AS subject, kind AS detail
      FROM user_links WHERE used_at IS NOT NULL AND token IS NOT NULL`,
  },
  {
    name: 'session-life',
    description: 'No session was used for longer than 12 hours.',
    sql: `SELECT NULL::uuid AS "merchantId", 'session ' || id AS subject,
        format('started %s, used %s', created_at, seen_at) AS detail
      FROM user_sessions WHERE seen_at > created_at + interval '12 hours'`,
  },
  {
    name: 'disabled-people',
    description: 'No disabled user is signed in.',
    sql: `SELECT NULL::uuid AS "merchantId", 'session ' || s.id AS subject,
        format('user %s was disabled %s', u.id, u.disabled_at) AS detail
      FROM user_sessions s JOIN users u ON u.id = s.user_id
      WHERE u.disabled_at IS NOT NULL AND s.ended_at IS NULL`,
  },
  {
    name: 'one-side',
    description: 'No platform user is a member of a merchant.',
    sql: `SELECT m.merchant_id AS "merchantId", 'user ' || u.id AS subject,
        format('%s of the platform, %s of the merchant', u.platform_role, m.role) AS detail
      FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.platform_role IS NOT NULL`,
  },
  {
    name: 'key-maker',
    description:
      'A live API key that can read payouts was created by an owner or on the command line.',
    sql: `SELECT k.merchant_id AS "merchantId", 'API key ' || k.id AS subject,
        format('created by user %s, who is not known as an owner: an owner must roll or revoke it',
          k.created_by) AS detail
      FROM api_keys k
      LEFT JOIN memberships m ON m.merchant_id = k.merchant_id AND m.user_id = k.created_by
        AND m.role = 'owner'
      LEFT JOIN former_owners f ON f.merchant_id = k.merchant_id AND f.user_id = k.created_by
        AND f.until >= k.created_at
      WHERE k.mode = 'live' AND 'payouts:read' = ANY (k.scopes) AND k.created_by IS NOT NULL
        AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > (SELECT now FROM clock))
        AND m.user_id IS NULL AND f.user_id IS NULL`,
  },
  {
    name: 'merchant-people',
    description: 'Every member of a merchant is recorded in its membership history.',
    sql: `SELECT m.merchant_id AS "merchantId", 'user ' || m.user_id AS subject,
        format('%s since %s', m.role, m.created_at) AS detail
      FROM memberships m LEFT JOIN merchant_people p
        ON p.merchant_id = m.merchant_id AND p.user_id = m.user_id
      WHERE p.user_id IS NULL`,
  },
  {
    name: 'merchant-owner',
    description: 'A merchant that had an owner still has one.',
    sql: `SELECT f.merchant_id AS "merchantId", 'merchant ' || f.merchant_id AS subject,
        format('owned by %s until %s', f.user_id, f.until) AS detail
      FROM former_owners f LEFT JOIN memberships m
        ON m.merchant_id = f.merchant_id AND m.role = 'owner'
      WHERE m.user_id IS NULL`,
  },
  {
    name: 'endpoint-maker',
    description:
      'A webhook endpoint receives payout events only when its creator could read payouts.',
    // A creator whose role changed since is found in the audit log.
    sql: `SELECT t.merchant_id AS "merchantId", 'endpoint ' || t.id AS subject,
        format('created by the API key %s', k.id) AS detail
      FROM webhook_endpoints t
      JOIN api_keys k ON k.merchant_id = t.merchant_id AND k.id = t.made_by_key
      WHERE t.sees_payouts AND t.deleted_at IS NULL AND NOT 'payouts:read' = ANY (k.scopes)
      UNION ALL
      SELECT t.merchant_id, 'endpoint ' || t.id, format('created by user %s, a developer', m.user_id)
      FROM webhook_endpoints t
      JOIN memberships m ON m.merchant_id = t.merchant_id AND m.user_id = t.made_by
        AND m.role = 'developer' AND m.created_at <= t.created_at
      LEFT JOIN audit_entries e ON e.merchant_id = t.merchant_id
        AND e.action = 'member.role-changed' AND e.subject = t.made_by::text
        AND e.created_at >= t.created_at
      WHERE t.sees_payouts AND t.deleted_at IS NULL AND e.id IS NULL`,
  },
];
