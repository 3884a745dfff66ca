import type { SchemaObject } from '@nestjs/swagger';
import { CURRENCY_CODES } from '../common/money/currencies.js';
import { uuidOf } from '../common/ids.js';
import { AMOUNT_MAX } from '../common/money/money.js';
import { ORDER_MERCHANT_ID, orderMerchantIdOf } from '../common/order-merchant-id.js';
import type {
  OrderCursor,
  OrderFilter,
} from '../database/read-models/order-list/order-list.model.js';
import { EXCEPTION_FILTERS, ORDER_STATUSES } from '../database/orders/order.entity.js';
import { LIMIT, type QueryParameter, queryOf, UUID_SCHEMA } from '../http/parameters.js';
import { Problem } from '../http/problems/problem.js';
import {
  IDS_MAX,
  idsOf,
  invalidParameter,
  limitOf,
  listOf,
  parameterOf,
  type Query,
  timeParameter,
} from '../http/query.js';
import { parseCursor } from './order-cursor.js';
import {
  type AmountSpelling,
  choice,
  type FilterName,
  type FilterTexts,
  read,
  readFilter,
  SEARCH_EXPECTS,
  SEARCH_MAX,
  searchOf,
} from './order-filter.js';

const SORTS = ['newest', 'oldest'] as const;
const CUSTOMER_EMAIL_MAX = 254;

type Name = FilterName | 'payer' | 'customerEmail' | 'sort';

/** Filter and page of a search. */
export interface OrderSearch {
  readonly filter: OrderFilter;
  readonly sort: (typeof SORTS)[number];
  readonly after: OrderCursor | null;
  readonly limit: number;
  /** Whether paging parameters are present. */
  readonly isPaged: boolean;
}

/** Reads parameters that must not repeat and must be valid. */
class QueryTexts implements FilterTexts<Name> {
  constructor(private readonly query: Query) {}

  text(name: Name): string | null {
    return parameterOf(this.query, name) ?? null;
  }

  texts(name: Name): readonly string[] {
    return listOf(this.query, name) ?? [];
  }

  refuse(name: Name, why: string): never {
    throw new Problem('invalid_parameter', {
      detail: `The query parameter \`${name}\` is not valid. ${why}`,
    });
  }
}

const IN_MINOR_UNITS: AmountSpelling = {
  parse: (text) => {
    const amount = /^\d{1,11}$/.test(text) ? Number(text) : Infinity;
    return amount <= AMOUNT_MAX ? amount : undefined;
  },
  expects: () => `a whole number of minor units, from 0 to ${AMOUNT_MAX}`,
};

/** @throws Problem `invalid_parameter` */
export function readSearch(query: Query): OrderSearch {
  const texts = new QueryTexts(query);
  const [from, until] = [timeParameter(query, 'from'), timeParameter(query, 'to')];
  if (from && until && until <= from) throw invalidParameter('to', 'later than `from`');
  return {
    filter: {
      ...readFilter(texts, IN_MINOR_UNITS),
      from,
      until,
      payer: read(texts, 'payer', SEARCH_EXPECTS, searchOf),
      customerEmail: read(texts, 'customerEmail', 'a whole e-mail address', addressOf),
      txids: idsOf(query, 'txid', uuidOf),
      orderMerchantIds: idsOf(query, 'orderMerchantId', orderMerchantIdOf),
      payerSight: 'full',
    },
    sort: choice(texts, 'sort', SORTS) ?? 'newest',
    after: afterOf(query),
    limit: limitOf(query),
    isPaged: ['sort', 'after', 'limit'].some((name) => query[name] !== undefined),
  };
}

/** Trimmed like the stored field. */
function addressOf(text: string): string | undefined {
  const address = text.trim();
  const isOne = address.length <= CUSTOMER_EMAIL_MAX && /^[^\s\0]+@[^\s\0]+$/.test(address);
  return isOne ? address : undefined;
}

function afterOf(query: Query): OrderCursor | null {
  const text = parameterOf(query, 'after');
  if (text === undefined) return null;
  const cursor = parseCursor(text);
  if (!cursor) throw invalidParameter('after', 'the `next` of a page');
  return cursor;
}

const one = (
  name: string,
  component: string,
  description: string,
  schema: SchemaObject,
): QueryParameter => ({ name, component, description, schema, errors: ['invalid_parameter'] });

const some = (
  name: string,
  component: string,
  description: string,
  items: SchemaObject,
  maxItems?: number,
): QueryParameter => ({
  ...one(name, component, `${description} Separated by commas.`, {
    type: 'array',
    minItems: 1,
    ...(maxItems && { maxItems }),
    items,
  }),
  style: 'form',
  explode: false,
});

const AMOUNT = { type: 'integer', format: 'int64', minimum: 0, maximum: AMOUNT_MAX } as const;
const TIME = { type: 'string', format: 'date-time' } as const;
const FREE = { type: 'string', minLength: 1, maxLength: SEARCH_MAX } as const;

/** Search parameters; others are rejected. */
export const SearchQuery = queryOf(
  readSearch,
  some(
    'txid',
    'OrderTxids',
    'Only these orders, by the service’s own names.',
    UUID_SCHEMA,
    IDS_MAX,
  ),
  some(
    'orderMerchantId',
    'OrderMerchantIds',
    'Only these orders, by your own names: with one that was used again, all its orders.',
    { type: 'string', pattern: ORDER_MERCHANT_ID.source },
    IDS_MAX,
  ),
  some('status', 'OrderStatuses', 'Only orders in these statuses.', {
    type: 'string',
    enum: [...ORDER_STATUSES],
  }),
  one('exception', 'OrderExceptions', 'Only orders with this exception; `only` means any.', {
    type: 'string',
    enum: [...EXCEPTION_FILTERS],
  }),
  one(
    'basis',
    'OrderBasis',
    'Which time `from`, `to` and the order of the answer mean: of creation or of payment. With `paid`, only orders that were paid.',
    { type: 'string', enum: ['created', 'paid'], default: 'created' },
  ),
  one('from', 'OrderFrom', 'Only orders from this time on.', TIME),
  one('to', 'OrderTo', 'Only orders before this time.', TIME),
  one('currency', 'OrderCurrency', 'Only orders in this currency.', {
    type: 'string',
    enum: [...CURRENCY_CODES],
  }),
  one(
    'amountFrom',
    'OrderAmountFrom',
    'The smallest amount, in minor units of `currency`, which must be there.',
    AMOUNT,
  ),
  one('amountTo', 'OrderAmountTo', 'The largest amount, likewise.', AMOUNT),
  one('provider', 'OrderProvider', 'Only orders whose payment is at this provider.', {
    type: 'string',
    pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  }),
  one(
    'payer',
    'OrderPayer',
    'The payer’s account, its last four characters, or the payer’s name or how it begins (from three characters on).',
    FREE,
  ),
  one('customerEmail', 'OrderCustomerEmail', 'The customer’s whole e-mail address, in any case.', {
    type: 'string',
    maxLength: CUSTOMER_EMAIL_MAX,
  }),
  one(
    'field',
    'OrderField',
    'An optional field and its whole value, such as `colour=red`. In the name, `=` is written `%3D` and `%` is `%25`.',
    { type: 'string' },
  ),
  one(
    'payout',
    'OrderPayout',
    'The id of a payout: the orders that it pays. The key needs `payouts:read`, too.',
    UUID_SCHEMA,
  ),
  one(
    'q',
    'OrderText',
    'Whatever one has in hand: an identifier, the customer’s e-mail address, the payer’s name or account, or the amount as people write it.',
    FREE,
  ),
  one('sort', 'OrderSort', 'Which come first.', {
    type: 'string',
    enum: [...SORTS],
    default: 'newest',
  }),
  one('after', 'OrderAfter', 'The `next` of the page before.', { type: 'string' }),
  LIMIT,
);
