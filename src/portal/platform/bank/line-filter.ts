import { CURRENCY_CODES, currencyExponent } from '../../../common/money/currencies.js';
import { minorUnits } from '../../../common/money/major-units.js';
import type {
  ListedState,
  QueueFilter,
} from '../../../database/bank/matching/bank-queue.repository.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { Query } from '../../../http/query.js';
import { readListQuery } from '../../kit/list-query.js';

/** Tabs and the states they show; the first two need an operator. */
export const TABS = {
  waiting: ['unmatched', 'suggested'],
  unknown_money_out: ['unknown_money_out'],
  matched: ['matched'],
  other: ['not_a_payment'],
  ignored: ['ignored'],
  announced: ['announced'],
  superseded: ['superseded'],
} as const satisfies Record<string, readonly ListedState[]>;

export type Tab = keyof typeof TABS;

const isTab = (text: unknown): text is Tab => typeof text === 'string' && Object.hasOwn(TABS, text);

/** Maximum length of an account in a URL. */
const ACCOUNT_MAX = 64;
const AMOUNT_MAX = 30;
const DECIMALS = [0, 2, 3];

/** Currencies whose number of decimals is not two. */
export const ODD_DECIMALS: Readonly<Record<string, number>> = Object.fromEntries(
  CURRENCY_CODES.map((code) => [code, currencyExponent(code)!] as const).filter(
    ([, decimals]) => decimals !== 2,
  ),
);

/** The filters of a URL, as typed. */
export interface QueueQuery {
  readonly tab: Tab;
  readonly account: string;
  readonly day: string;
  readonly amount: string;
  readonly text: string;
  readonly after: string | null;
}

/** Ignores parameters that it cannot parse: an old or mistyped link still opens the page. */
export function readQueueQuery(query: Query): QueueQuery {
  const text = (name: string, max: number): string => {
    const value = query[name];
    return typeof value === 'string' ? value.trim().slice(0, max) : '';
  };
  const list = readListQuery(query);
  const day = text('day', 10);
  return {
    tab: isTab(query['tab']) ? query['tab'] : 'waiting',
    account: text('account', ACCOUNT_MAX),
    day: isDay(day) ? day : '',
    amount: text('amount', AMOUNT_MAX),
    text: list.text,
    after: list.after,
  };
}

export const isNarrowed = ({ account, day, amount, text }: QueueQuery): boolean =>
  [account, day, amount, text].some((each) => each !== '');

/** Whether the tab needs an operator. */
export const isWaitingList = ({ tab }: Pick<QueueQuery, 'tab'>): boolean =>
  tab === 'waiting' || tab === 'unknown_money_out';

/** Open tasks are sorted oldest first, all other lists newest first. */
export const lineFilter = (mode: Mode, query: QueueQuery): QueueFilter => ({
  mode,
  states: TABS[query.tab],
  account: query.account || null,
  day: query.day || null,
  amounts: amountsIn(query.amount),
  text: query.text || null,
  after: query.after,
  order: isWaitingList(query) ? 'oldest' : 'newest',
});

/** The query as URL parameters, without empty values. */
export function lineAddress(query: Partial<QueueQuery>): string {
  const { tab, account, day, amount, text, after } = query;
  const values = { tab: tab === 'waiting' ? '' : tab, account, day, amount, q: text, after };
  const pairs = Object.entries(values).filter((pair): pair is [string, string] => !!pair[1]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}

/** An invalid amount finds nothing, rather than everything. */
function amountsIn(text: string): QueueFilter['amounts'] {
  if (text === '') return null;
  return Object.fromEntries(DECIMALS.map((decimals) => [decimals, minorUnits(text, decimals)]));
}

function isDay(text: string): boolean {
  const moment = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return moment?.toJSON()?.startsWith(text) ?? false;
}
