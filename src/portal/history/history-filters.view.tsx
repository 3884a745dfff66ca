import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';
import { ORDER_STATUSES, type OrderStatus } from '../../database/entities/order.entity.js';
import type { HistoryCount } from '../../database/repositories/history.repository.js';
import { Icon, type IconName } from '../layout/icons.js';
import { STATUS_LOOKS } from '../layout/status.js';
import { Notice } from '../layout/parts.js';
import { shortId } from '../payouts/payout-words.js';
import { may } from '../roles.js';
import { addressOf, filterQuery } from './history-address.js';
import { HISTORY_PRESETS } from './history-dates.js';
import { FilterChoice, FilterField } from './history-field.view.js';
import type { HistoryFilter } from './history-filter.js';
import type { HistoryLook } from './history.service.js';
import { daysText, PRESET_WORDS, shortCount } from './history-words.js';

interface Props {
  readonly look: HistoryLook;
}

/** One form with everything but the search box, which stands above and belongs to it too. */
export const Filters = ({ look }: Props) => (
  <div class="filters">
    {look.problems.length > 0 && <Problems look={look} />}
    <form id="filters" action={`${look.place.base}/orders`}>
      <input type="hidden" name="status" value={look.filter.statuses.join(',')} />
      {look.preset && <input type="hidden" name="preset" value={look.preset} />}
      <div class="filter-bar">
        <Days look={look} />
        <Amounts look={look} />
        <More look={look} />
        {filterQuery(look).size > 0 && (
          <a class="btn btn-ghost" href={`${look.place.base}/orders`}>
            <Icon name="cross" />
            Clear filters
          </a>
        )}
      </div>
    </form>
    <Chips look={look} />
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
  exception: 'Exceptions',
  field: 'Optional field',
  payout: 'Payout',
  q: 'Search',
};

const Problems = ({ look }: Props) => (
  <Notice kind="warn">
    <p class="mb-1">Part of the filter was left out:</p>
    <ul class="mb-0">
      {look.problems.map(({ name, text }) => (
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
  /** Whether it holds back orders. */
  readonly isSet: boolean;
  /** Whether something in it is wrong, and should be seen. */
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}

const Panel = ({ icon, label, isSet, isOpen, children }: PanelProps) => (
  <details class="filter" name="filter" open={isOpen}>
    <summary class={isSet ? 'btn set' : 'btn'}>
      <Icon name={icon} />
      <bdi>{selfContained(label)}</bdi>
    </summary>
    <div class="filter-panel">
      {children}
      <button class="btn btn-primary w-100">Show orders</button>
    </div>
  </details>
);

const hasProblem = ({ problems }: HistoryLook, ...names: string[]): boolean =>
  problems.some(({ name }) => names.includes(name));

const Days = ({ look }: Props) => (
  <Panel
    icon="calendar"
    label={daysText(look)}
    isSet={look.filter.from !== null || look.filter.until !== null || look.filter.basis === 'paid'}
    isOpen={hasProblem(look, 'from', 'to', 'preset', 'basis')}
  >
    <ul class="presets">
      {HISTORY_PRESETS.map((preset) => (
        <li>
          <a
            class="btn btn-sm w-100"
            href={addressOf({ ...look, preset }, '/orders')}
            aria-current={preset === look.preset ? 'true' : undefined}
          >
            {PRESET_WORDS[preset]}
          </a>
        </li>
      ))}
    </ul>
    <div class="filter-pair">
      <FilterField look={look} name="from" label="From" type="date" />
      <FilterField look={look} name="to" label="To" type="date" />
    </div>
    <fieldset class="mb-3">
      <legend class="form-label">These are days on which orders were</legend>
      {(['created', 'paid'] as const).map((basis) => (
        <label class="form-check form-check-inline">
          <input
            class="form-check-input"
            type="radio"
            name="basis"
            value={basis}
            checked={look.filter.basis === basis}
          />
          <span class="form-check-label">{basis}</span>
        </label>
      ))}
    </fieldset>
  </Panel>
);

const Amounts = ({ look }: Props) => {
  const { amountFrom, amountTo, currency } = look.filter;
  const range = [look.typed.get('amountFrom'), look.typed.get('amountTo')];
  const label =
    amountFrom === null && amountTo === null ? currency : `${range.join(' – ').trim()} ${currency}`;
  return (
    <Panel
      icon="coins"
      label={label ?? 'Amount'}
      isSet={currency !== null}
      isOpen={hasProblem(look, 'currency', 'amountFrom', 'amountTo')}
    >
      <FilterChoice
        look={look}
        name="currency"
        label="Currency"
        choices={look.choices.currencies}
        chosen={currency}
      />
      <div class="filter-pair">
        <FilterField look={look} name="amountFrom" label="From" isDecimal />
        <FilterField look={look} name="amountTo" label="To" isDecimal />
      </div>
    </Panel>
  );
};

const More = ({ look }: Props) => {
  const { provider, exceptionsOnly, field, payout } = look.filter;
  const parts = [
    provider,
    exceptionsOnly ? 'exceptions' : null,
    field && `${field.name} = ${field.value}`,
    payout && `payout ${shortId(payout)}`,
  ].filter((part) => part !== null);
  return (
    <Panel
      icon="filter"
      label={parts.join(', ') || 'More filters'}
      isSet={parts.length > 0}
      isOpen={hasProblem(look, 'provider', 'exception', 'field', 'payout')}
    >
      <FilterChoice
        look={look}
        name="provider"
        label="Payment provider"
        choices={look.choices.providers}
        chosen={provider}
      />
      <FilterField look={look} name="field" label="Optional field" hint="Such as colour=red" />
      {may(look.place.role, 'payouts.read') && (
        <FilterField look={look} name="payout" label="Payout" hint="Its whole id" maxLength={36} />
      )}
      <label class="form-check mb-3">
        <input
          class="form-check-input"
          type="checkbox"
          name="exception"
          value="only"
          checked={exceptionsOnly}
        />
        <span class="form-check-label">Only orders with an exception</span>
      </label>
    </Panel>
  );
};

const Chips = ({ look }: Props) => (
  <nav aria-label="Status">
    <ul class="chips">
      <Chip look={look} label="All" statuses={[]} count={look.counts.everyStatus} />
      {ORDER_STATUSES.map((status) => (
        <Chip
          look={look}
          label={STATUS_LOOKS[status].word}
          statuses={[status]}
          count={countOf(status, look)}
        />
      ))}
    </ul>
  </nav>
);

/** Where statuses are not counted one by one, the list itself tells of the one that it shows. */
function countOf(status: OrderStatus, { counts, filter }: HistoryLook): HistoryCount | null {
  if (counts.statuses) return counts.statuses[status];
  return filter.statuses.length === 1 && filter.statuses[0] === status ? counts.count : null;
}

interface ChipProps extends Props {
  readonly label: string;
  readonly statuses: HistoryFilter['statuses'];
  /** Null where nobody has counted. */
  readonly count: HistoryCount | null;
}

function Chip({ look, label, statuses, count }: ChipProps) {
  const chosen = look.filter.statuses;
  const [status] = statuses;
  const isChosen = status ? chosen.includes(status) : chosen.length === 0;
  return (
    <li>
      <a
        class="chip"
        href={addressOf(look, '/orders', { statuses })}
        aria-current={isChosen ? 'true' : undefined}
      >
        {label} {count && <span>{shortCount(count)}</span>}
      </a>
    </li>
  );
}
