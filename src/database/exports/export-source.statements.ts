import { CURRENCY_CODES, currencyExponent } from '../../common/money/currencies.js';
import type { CopySource } from '../copy/copy-session.js';
import { literal, withLiterals } from '../copy/literals.js';
import {
  type OrderFilter,
  type OrderScope,
  orderListSource,
} from '../read-models/order-list/order-list.statements.js';
import { NET, SUMS } from '../read-models/order-list/order-sums.js';
import { PAYOUT_OF_ORDER } from '../orders/order-payout.statements.js';

/** `text` is user input, `word` a value of the service; an `amount` is in minor units of the order's currency. */
export type ColumnKind = 'text' | 'word' | 'amount' | 'time';

interface Column {
  readonly kind: ColumnKind;
  readonly sql: string;
  /** Value for users who may not see payers. */
  readonly masked?: string;
  /** Join needed only for this column. */
  readonly join?: string;
}

/** Format of the cells. */
export interface CellStyle {
  readonly delimiter: ',' | ';';
  readonly decimal: '.' | ',';
  /** Local times for spreadsheets, or RFC 3339 with offset. */
  readonly times: 'local' | 'rfc3339';
  readonly maskPayer: boolean;
}

export interface ExportQuery {
  readonly scope: OrderScope;
  readonly filter: OrderFilter;
  /** Names of `EXPORT_COLUMNS` and of optional fields, in column order. */
  readonly columns: readonly string[];
  readonly style: CellStyle;
}

/** Prefix of columns with an optional field. */
export const FIELD_PREFIX = 'field.';
/** Optional fields without a column of their own, as JSON. */
export const OTHER_FIELDS = 'other_fields';
/** Rows per chunk on the embedded database. */
const PART_ROWS = 2_000;

/** A masked account, as by `maskAccount`. */
function maskedAccount(sql: string, type: string): string {
  const compact = `regexp_replace(${sql}, '\\s', '', 'g')`;
  return `CASE WHEN ${type} = 'masked_card' THEN ${sql}
    WHEN ${sql} LIKE '%@%' THEN left(${sql}, 1) || '••••' || substring(${sql} FROM '@[^@]*$')
    WHEN char_length(${compact}) < 8 THEN '••••'
    ELSE CASE ${type} WHEN 'iban' THEN left(${compact}, 2) ELSE '' END
      || '•••• ' || right(${compact}, 4) END`;
}

/** Initials of a name, as by `initials`. */
const maskedName = (sql: string): string =>
  `(SELECT string_agg(left(part, 1) || '.', ' ' ORDER BY place)
    FROM regexp_split_to_table(btrim(${sql}, E' \\t\\r\\n'), '\\s+') WITH ORDINALITY s (part, place)
    WHERE place <= 3 AND part <> '')`;

const word = (sql: string): Column => ({ kind: 'word', sql });
const text = (sql: string): Column => ({ kind: 'text', sql });
const amount = (sql: string): Column => ({ kind: 'amount', sql });
const time = (sql: string): Column => ({ kind: 'time', sql });
const personName = (sql: string): Column => ({ ...text(sql), masked: maskedName(sql) });
const accountOf = (sql: string, type: string): Column => ({
  ...text(sql),
  masked: maskedAccount(sql, type),
});

/** In column order. Stable: new columns are appended. */
export const EXPORT_COLUMNS = {
  merchant: text('m.name'),
  txid: word('o.txid'),
  order_merchant_id: text('o.order_merchant_id'),
  mode: word('o.mode'),
  status: word('o.status'),
  status_reason: word('o.status_reason'),
  exception: word('o.exception'),
  created_at: time('o.created_at'),
  paid_at: time('o.paid_at'),
  amount: amount('o.amount'),
  currency: word('o.currency'),
  amount_received: amount('o.amount_received'),
  amount_refunded: amount('o.amount_refunded'),
  fee: amount('o.fee'),
  net: amount(NET),
  payment_provider: word('p.provider'),
  payment_method: word('p.method'),
  provider_reference: text('p.provider_reference'),
  payer_account_number: accountOf('p.payer_account_number', 'p.payer_account_type'),
  payer_account_type: word('p.payer_account_type'),
  payer_account_name: personName('p.payer_account_name'),
  customer_name: personName('o.customer_name'),
  customer_email: accountOf('o.customer_email', `'email'`),
  description: text('o.description'),
  payout_id: { ...word('payout.id'), join: PAYOUT_OF_ORDER },
  payout_date: { ...time('payout.paid_at'), join: PAYOUT_OF_ORDER },
} as const satisfies Record<string, Column>;

const columnOf = (name: string): Column | undefined =>
  Object.hasOwn(EXPORT_COLUMNS, name)
    ? EXPORT_COLUMNS[name as keyof typeof EXPORT_COLUMNS]
    : undefined;

export const kindOf = (name: string): ColumnKind => columnOf(name)?.kind ?? 'text';

/**
 * `= + - @`, TAB, LF, CR and the full-width variants: spreadsheets take them as the start of a formula (CSV injection).
 */
const FORMULA_STARTS = [...'=+-@\t\n\r＝＋－＠'].map((sign) => sign.codePointAt(0));

/**
 * Start of a formula inside a cell for programs that split the file at another delimiter and ignore our quotes. Valid
 * in PostgreSQL and JavaScript.
 */
export const INNER_FORMULA = '([;,\\t\\r\\n]"*)([=+@＝＋－＠-])';

const guardedInside = (sql: string): string =>
  `regexp_replace(${sql}, '${INNER_FORMULA}', '\\1''\\2', 'g')`;

/** Escapes a text, so that spreadsheets take no part of it as a formula. */
export const guarded = (sql: string): string =>
  `CASE WHEN ascii(${sql}) IN (${FORMULA_STARTS.join(', ')}) THEN '''' ELSE '' END
    || ${guardedInside(sql)}`;

const currenciesWith = (exponent: number): string =>
  CURRENCY_CODES.filter((code) => currencyExponent(code) === exponent)
    .map((code) => `'${code}'`)
    .join(', ');

/** Exact, by PostgreSQL's numeric. Most currencies have two decimals. */
export const majorUnits = (sql: string, currency: string): string =>
  `CASE WHEN ${currency} IN (${currenciesWith(0)}) THEN (${sql})::text
    WHEN ${currency} IN (${currenciesWith(3)}) THEN ((${sql}) * 0.001)::text
    ELSE ((${sql}) * 0.01)::text END`;

const LOCAL_TIME = `'YYYY-MM-DD HH24:MI:SS'`;
const RFC_3339 = `'YYYY-MM-DD"T"HH24:MI:SS.MS'`;

/** In the session's time zone and in UTC. */
function times(sql: string, style: CellStyle): string[] {
  const utc = `${sql} AT TIME ZONE 'UTC'`;
  if (style.times === 'local') return [sql, utc].map((each) => `to_char(${each}, ${LOCAL_TIME})`);
  return [`to_char(${sql}, ${RFC_3339} || 'TZH:TZM')`, `to_char(${utc}, ${RFC_3339} || '"Z"')`];
}

function cells(name: string, named: readonly string[], style: CellStyle): string[] {
  if (name === OTHER_FIELDS) return [otherFields(named)];
  const column = columnOf(name);
  if (!column)
    return [guarded(`(o.optional_fields ->> ${literal(name.slice(FIELD_PREFIX.length))})`)];
  const sql = style.maskPayer ? (column.masked ?? column.sql) : column.sql;
  switch (column.kind) {
    case 'time':
      return times(sql, style);
    case 'amount': {
      const major = majorUnits(sql, 'o.currency');
      return [style.decimal === '.' ? major : `replace(${major}, '.', ',')`];
    }
    case 'text':
      return [guarded(sql)];
    case 'word':
      return [sql];
  }
}

function otherFields(columns: readonly string[]): string {
  const named = columns
    .filter((name) => name.startsWith(FIELD_PREFIX))
    .map((name) => name.slice(FIELD_PREFIX.length));
  const others = `(o.optional_fields::jsonb - ${literal(named)}::text[])::text`;
  return guardedInside(`nullif(${others}, '{}')`);
}

/** Sort key of the list, newest first. */
const keyOf = ({ basis }: OrderFilter): string => (basis === 'paid' ? 'o.paid_at' : 'o.created_at');

const source = (
  { scope, filter }: Pick<ExportQuery, 'scope' | 'filter'>,
  joins: readonly string[] = [],
): string => withLiterals(orderListSource(scope, filter, joins));

const joinsOf = (columns: readonly string[]): string[] => [
  ...new Set(columns.flatMap((name) => columnOf(name)?.join ?? [])),
];

const orderBy = (filter: OrderFilter): string => `ORDER BY ${keyOf(filter)} DESC, o.txid DESC`;

/** The rows of the list as CSV without header. */
export function exportSource(query: ExportQuery): CopySource {
  const { filter, columns, style } = query;
  const key = `(${keyOf(filter)}, o.txid)`;
  const list = columns.flatMap((name) => cells(name, columns, style)).join(', ');
  const between = (from: string, after: string | null, to: string | null): string =>
    [from, ...(after ? [`${key} < ${after}`] : []), ...(to ? [`${key} >= ${to}`] : [])].join(
      ' AND ',
    );
  const [bare, shown] = [source(query), source(query, joinsOf(columns))];
  return {
    rows: (after, to) =>
      `COPY (SELECT ${list} ${between(shown, after, to)} ${orderBy(filter)})
       TO STDOUT (FORMAT csv, DELIMITER '${style.delimiter}')`,
    totals: (after, to) =>
      `SELECT ${SUMS} ${between(bare, after, to)} GROUP BY o.currency ORDER BY o.currency`,
    lastPlace: (after) =>
      `SELECT format('(%L::timestamptz, %L::uuid)', ${keyOf(filter)}, o.txid) AS place
       ${between(bare, after, null)} ${orderBy(filter)} OFFSET ${PART_ROWS - 1} LIMIT 1`,
  };
}

/** Counts the rows. */
export const exportCountSql = (query: Pick<ExportQuery, 'scope' | 'filter'>): string =>
  `SELECT count(*)::integer AS rows ${source(query)}`;

/** The first `max` of the names, in the order of their characters. */
const firstNames = (sql: string, max: number): string =>
  `(array_agg(DISTINCT ${sql} COLLATE "C") FILTER (WHERE ${sql} IS NOT NULL))[1:${max}] AS names`;

/**
 * Names of the optional fields in the newest `rowsMax` rows, or in all, and the number of rows read. There can be
 * hundreds of thousands of names, so at most the first `namesMax` are returned.
 */
export function fieldNamesSql(
  query: Pick<ExportQuery, 'scope' | 'filter'>,
  rowsMax: number | null,
  namesMax: number,
): string {
  const newest = rowsMax === null ? '' : `${orderBy(query.filter)} LIMIT ${rowsMax}`;
  return `SELECT ${firstNames('f.name', namesMax)},
      (count(*) FILTER (WHERE f.place IS NULL OR f.place = 1))::integer AS rows
    FROM (SELECT o.optional_fields ${source(query)} ${newest}) r
    LEFT JOIN LATERAL json_object_keys(
      CASE WHEN r.optional_fields::text <> '{}' THEN r.optional_fields END
    ) WITH ORDINALITY AS f (name, place) ON true`;
}

/** The first `max` names used in any order, by a loose index scan for each merchant. */
export function knownFieldNamesSql({ merchantId, mode }: OrderScope, max: number): string {
  const next = `SELECT f.name FROM order_fields f
    WHERE f.merchant_id = m.id AND f.mode = ${literal(mode)}`;
  return `SELECT ${firstNames('k.name', max)} FROM merchants m CROSS JOIN LATERAL (
      WITH RECURSIVE known AS (
        (${next} ORDER BY f.name LIMIT 1)
        UNION ALL SELECT n.name FROM known
          CROSS JOIN LATERAL (${next} AND f.name > known.name ORDER BY f.name LIMIT 1) n
      ) SELECT name FROM known LIMIT ${max}
    ) k ${merchantId === null ? '' : `WHERE m.id = ${literal(merchantId)}`}`;
}
