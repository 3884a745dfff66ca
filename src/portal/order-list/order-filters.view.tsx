import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';
import {
  EXCEPTION_FILTERS,
  type ExceptionFilter,
  ORDER_STATUSES,
} from '../../database/orders/order.entity.js';
import { may } from '../../people/roles.js';
import { FilterChip } from '../kit/filter-chip.js';
import { Notice } from '../kit/form-components.js';
import { Icon, type IconName } from '../kit/icons.js';
import { providerName } from '../kit/order-text.js';
import { shortId } from '../kit/payout-text.js';
import { exceptionLabel, STATUS_BADGES } from '../kit/status.js';
import { DATE_PRESETS } from './date-presets.js';
import { FilterChoice, FilterField } from './field-filter.view.js';
import type { OrderFilter } from './order-filter.js';
import { addressOf, filterQuery } from './order-list-address.js';
import type { ListLook, ListTexts } from './order-list-look.js';
import { daysText, PRESET_LABELS } from './order-list-text.js';

interface Props {
  readonly list: ListLook;
}

interface ChipsProps extends Props {
  readonly texts: ListTexts;
}

/** Filter form. The search box in the top bar belongs to it through its `form` attribute. */
export const Filters = ({ list, texts }: ChipsProps) => (
  <div class="filters">
    <FilterProblems problems={list.problems} />
    <form id="filters" action={`${list.access.base}/orders`}>
      <input type="hidden" name="status" value={list.filter.statuses.join(',')} />
      {list.preset && <input type="hidden" name="preset" value={list.preset} />}
      <div class="filter-bar">
        <Days list={list} />
        <Amounts list={list} />
        <More list={list} />
        {filterQuery(list).size > 0 && (
          <a class="btn btn-ghost" href={`${list.access.base}/orders`}>
            <Icon name="cross" />
            Clear filters
          </a>
        )}
      </div>
    </form>
    <Chips list={list} texts={texts} />
  </div>
);

const NAMES: Readonly<Record<string, string>> = {
  basis: 'Date of',
  preset: 'Days',
  from: 'From',
  to: 'To',
  status: 'Status',
  currency: 'Currency',
  amountFrom: 'Smallest amount',
  amountTo: 'Largest amount',
  provider: 'Provider',
  exception: 'Payment discrepancy',
  field: 'Optional field',
  payout: 'Payout',
  q: 'Search',
};

/** Names the ignored parameters; nothing without any. */
export const FilterProblems = ({ problems }: Pick<ListLook, 'problems'>) =>
  problems.length === 0 ? null : (
    <Notice kind="warn">
      <p class="mb-1">Some filters were ignored:</p>
      <ul class="mb-0">
        {problems.map(({ name, text }) => (
          <li>
            <strong>{NAMES[name]}:</strong> {text}
          </li>
        ))}
      </ul>
    </Notice>
  );

interface PanelProps {
  readonly icon: IconName;
  readonly label: string;
  /** Whether its filters are active. */
  readonly isSet: boolean;
  /** Whether it contains a problem. */
  readonly isOpen: boolean;
  /** What the button shows. */
  readonly shown?: string;
  readonly children: ComponentChildren;
}

/** A part of a filter that folds away. */
export const FilterPanel = ({
  icon,
  label,
  isSet,
  isOpen,
  shown = 'orders',
  children,
}: PanelProps) => (
  <details class="filter" name="filter" open={isOpen}>
    <summary class={isSet ? 'btn set' : 'btn'}>
      <Icon name={icon} />
      <bdi>{selfContained(label)}</bdi>
    </summary>
    <div class="filter-panel">
      {children}
      <button class="btn btn-primary w-100">Show {shown}</button>
    </div>
  </details>
);

const hasProblem = ({ problems }: ListLook, ...names: string[]): boolean =>
  problems.some(({ name }) => names.includes(name));

const Days = ({ list }: Props) => (
  <FilterPanel
    icon="calendar"
    label={daysText(list)}
    isSet={list.filter.from !== null || list.filter.until !== null || list.filter.basis === 'paid'}
    isOpen={hasProblem(list, 'from', 'to', 'preset', 'basis')}
  >
    <ul class="presets">
      {DATE_PRESETS.map((preset) => (
        <li>
          <a
            class="btn btn-sm w-100"
            href={addressOf({ ...list, preset }, '/orders')}
            aria-current={preset === list.preset ? 'true' : undefined}
          >
            {PRESET_LABELS[preset]}
          </a>
        </li>
      ))}
    </ul>
    <div class="filter-pair">
      <FilterField list={list} name="from" label="From" type="date" />
      <FilterField list={list} name="to" label="To" type="date" />
    </div>
    <fieldset class="mb-3">
      <legend class="form-label">Date of</legend>
      {(['created', 'paid'] as const).map((basis) => (
        <label class="form-check form-check-inline">
          <input
            class="form-check-input"
            type="radio"
            name="basis"
            value={basis}
            checked={list.filter.basis === basis}
          />
          <span class="form-check-label">{basis}</span>
        </label>
      ))}
    </fieldset>
  </FilterPanel>
);

const Amounts = ({ list }: Props) => {
  const { amountFrom, amountTo, currency } = list.filter;
  const range = [list.typed['amountFrom'], list.typed['amountTo']];
  const label =
    amountFrom === null && amountTo === null ? currency : `${range.join(' – ').trim()} ${currency}`;
  return (
    <FilterPanel
      icon="coins"
      label={label ?? 'Amount'}
      isSet={currency !== null}
      isOpen={hasProblem(list, 'currency', 'amountFrom', 'amountTo')}
    >
      <FilterChoice
        list={list}
        name="currency"
        label="Currency"
        choices={list.choices.currencies}
        chosen={currency}
      />
      <div class="filter-pair">
        <FilterField list={list} name="amountFrom" label="From" isDecimal />
        <FilterField list={list} name="amountTo" label="To" isDecimal />
      </div>
    </FilterPanel>
  );
};

const filterName = (exception: ExceptionFilter): string =>
  exception === 'only' ? 'Any discrepancy' : exceptionLabel(exception);

const More = ({ list }: Props) => {
  const { provider, exception, field, payout } = list.filter;
  const parts = [
    provider,
    exception && filterName(exception),
    field && `${field.name} = ${field.value}`,
    payout && `payout ${shortId(payout)}`,
  ].filter((part) => part !== null);
  return (
    <FilterPanel
      icon="filter"
      label={parts.join(', ') || 'More filters'}
      isSet={parts.length > 0}
      isOpen={hasProblem(list, 'provider', 'exception', 'field', 'payout')}
    >
      <FilterChoice
        list={list}
        name="provider"
        label="Payment provider"
        choices={list.choices.providers}
        chosen={provider}
        nameOf={providerName}
      />
      <FilterChoice
        list={list}
        name="exception"
        label="Payment discrepancy"
        choices={EXCEPTION_FILTERS}
        chosen={exception}
        nameOf={filterName}
      />
      <FilterField list={list} name="field" label="Optional field" hint="For example colour=red" />
      {may(list.access.role, 'payouts.read') && (
        <FilterField
          list={list}
          name="payout"
          label="Payout"
          hint="Full payout ID"
          maxLength={36}
        />
      )}
    </FilterPanel>
  );
};

const Chips = ({ list, texts }: ChipsProps) => (
  <nav aria-label="Status">
    <ul class="chips">
      <Chip list={list} label="All" statuses={[]} count={texts.everyStatus} />
      {ORDER_STATUSES.map((status) => (
        <Chip
          list={list}
          label={STATUS_BADGES[status].label}
          statuses={[status]}
          count={texts[status]}
        />
      ))}
    </ul>
  </nav>
);

interface ChipProps extends Props {
  readonly label: string;
  readonly statuses: OrderFilter['statuses'];
  /** Null if not counted. */
  readonly count: string | null;
}

function Chip({ list, label, statuses, count }: ChipProps) {
  const chosen = list.filter.statuses;
  const [status] = statuses;
  const isChosen = status ? chosen.includes(status) : chosen.length === 0;
  const href = addressOf(list, '/orders', { statuses });
  return <FilterChip label={label} href={href} isChosen={isChosen} count={count} />;
}
