import { REFUND_COUNT_MAX } from '../../database/refunds/refund-list.repository.js';
import { REFUND_STATUSES, type RefundStatus } from '../../database/refunds/refund.entity.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { FilterChip } from '../kit/filter-chip.js';
import { Icon } from '../kit/icons.js';
import { REFUND_BADGES } from '../kit/refund-status.js';
import { DATE_PRESETS, presetDays } from '../order-list/date-presets.js';
import { FilterField } from '../order-list/field-filter.view.js';
import { SEARCH_MAX } from '../order-list/order-filter.js';
import { FilterPanel, FilterProblems } from '../order-list/order-filters.view.js';
import { PRESET_LABELS, rangeText, shortCount } from '../order-list/order-list-text.js';
import { refundQuery } from './refund-filter.js';
import type { RefundsPage } from './refund-list.service.js';

interface Props {
  readonly context: MerchantContext;
  readonly view: RefundsPage;
  /** Path of the list. */
  readonly path: string;
}

/** Filter form, and the statuses. */
export const RefundFilters = (props: Props) => {
  const { view, path } = props;
  return (
    <div class="filters">
      <FilterProblems problems={view.problems} />
      <form id="filters" action={path}>
        <input type="hidden" name="status" value={view.filter.statuses.join(',')} />
        <div class="filter-bar">
          <div class="filter-search" role="search" aria-label="Refunds">
            <input
              class="form-control"
              type="search"
              name="q"
              value={view.typed['q']}
              maxLength={SEARCH_MAX}
              placeholder="Order or refund number"
              aria-label="Search refunds by number or ID of the order or refund"
            />
            <button class="btn">Search</button>
          </div>
          <Days {...props} />
          {refundQuery(view) !== '' && (
            <a class="btn btn-ghost" href={path}>
              <Icon name="cross" />
              Clear filters
            </a>
          )}
        </div>
      </form>
      <Chips {...props} />
    </div>
  );
};

const Days = ({ context: { access }, view, path }: Props) => {
  const { filter, days, problems, now } = view;
  return (
    <FilterPanel
      icon="calendar"
      label={rangeText(filter, access.timeZone)}
      isSet={days.first !== null || days.last !== null}
      isOpen={problems.some(({ name }) => name === 'from' || name === 'to')}
      shown="refunds"
    >
      <ul class="presets">
        {DATE_PRESETS.map((preset) => {
          const { first, last } = presetDays(preset, access.timeZone, now);
          const isChosen = days.first === first && days.last === last;
          return (
            <li>
              <a
                class="btn btn-sm w-100"
                href={`${path}?${refundQuery(view, { from: first, to: last })}`}
                aria-current={isChosen ? 'true' : undefined}
              >
                {PRESET_LABELS[preset]}
              </a>
            </li>
          );
        })}
      </ul>
      <div class="filter-pair">
        <FilterField list={view} name="from" label="From" type="date" />
        <FilterField list={view} name="to" label="To" type="date" />
      </div>
    </FilterPanel>
  );
};

/** Refunds of these statuses. */
export function countOf({ counts }: RefundsPage, statuses: readonly RefundStatus[]) {
  const count = statuses.reduce((sum, status) => sum + counts[status], 0);
  return { count: Math.min(count, REFUND_COUNT_MAX), isMore: count > REFUND_COUNT_MAX };
}

const Chips = ({ view, path }: Props) => {
  const { statuses: chosen } = view.filter;
  const chip = (label: string, status: RefundStatus | null) => (
    <FilterChip
      label={label}
      href={`${path}?${refundQuery(view, { status: status ?? '' })}`.replace(/\?$/, '')}
      isChosen={status ? chosen.includes(status) : chosen.length === 0}
      count={shortCount(countOf(view, status ? [status] : REFUND_STATUSES))}
    />
  );
  return (
    <nav aria-label="Status">
      <ul class="chips">
        {chip('All', null)}
        {REFUND_STATUSES.map((status) => chip(REFUND_BADGES[status].label, status))}
      </ul>
    </nav>
  );
};
