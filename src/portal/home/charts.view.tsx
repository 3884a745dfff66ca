import type { ComponentChildren } from 'preact';
import { dateFormats } from '../../common/time/date-formats.js';
import { amountText, numberText } from '../kit/values.js';
import type { DayFigures, Figures } from './figures.js';

interface ChartProps {
  readonly currency: string;
  readonly days: readonly DayFigures[];
  readonly total: Figures['total'];
}

/** SVG units; the chart is stretched to its container. */
const DAY_WIDTH = 10;
const BAR_WIDTH = 7;
const HEIGHT = 60;

/** From bottom to top of a column. */
const OUTCOMES = ['paid', 'expired', 'failed', 'cancelled'] as const;

const dayFormat = dateFormats('en-GB', { day: 'numeric', month: 'short' });

/** Formats `2026-11-20` as "20 Nov". */
const shortDay = (day: string): string => dayFormat('UTC').format(new Date(`${day}T00:00:00Z`));

interface CardProps {
  readonly id: string;
  readonly title: string;
  /** Key figure. */
  readonly figure: ComponentChildren;
  readonly children: ComponentChildren;
}

const ChartCard = ({ id, title, figure, children }: CardProps) => (
  <section class="card" aria-labelledby={id}>
    <div class="card-body">
      <h3 class="card-title" id={id}>
        {title}
      </h3>
      <p class="chart-figure">{figure}</p>
      {children}
    </div>
  </section>
);

interface DrawingProps {
  readonly id: string;
  readonly title: string;
  /** Text alternative. */
  readonly text: string;
  readonly width: number;
  readonly children: ComponentChildren;
}

const Drawing = ({ id, title, text, width, children }: DrawingProps) => (
  <svg
    class="drawing"
    viewBox={`0 0 ${width} ${HEIGHT}`}
    preserveAspectRatio="none"
    role="img"
    aria-labelledby={`${id}-title ${id}-text`}
  >
    <title id={`${id}-title`}>{title}</title>
    <desc id={`${id}-text`}>{text}</desc>
    {children}
  </svg>
);

/** First and last day, below the chart. */
const Axis = ({ days }: Pick<ChartProps, 'days'>) => (
  <div class="axis" aria-hidden="true">
    <span>{shortDay(days[0]!.day)}</span>
    <span>{shortDay(days.at(-1)!.day)}</span>
  </div>
);

interface TableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Exact figures of the chart as a table. */
const AsTable = ({ caption, heads, rows }: TableProps) => (
  <details class="fold">
    <summary>Show as table</summary>
    <div class="table-responsive" role="region" aria-label={caption} tabindex={0}>
      <table class="table table-sm mb-0">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th scope="col" class={i === 0 ? undefined : 'num'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells]) => (
            <tr>
              <th scope="row">{first}</th>
              {cells.map((cell) => (
                <td class="num">{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

const xOf = (i: number): number => i * DAY_WIDTH + (DAY_WIDTH - BAR_WIDTH) / 2;
const rounded = (units: number): number => Math.round(units * 100) / 100;

/** Height of a bar; `bigint` keeps large sums exact. */
const shareOf = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : rounded((Number((part * 10_000n) / whole) / 10_000) * HEIGHT);

export function VolumeCard({ currency, days, total }: ChartProps) {
  const most = days.reduce((max, { volume }) => (volume > max ? volume : max), 0n);
  const best = days.find(({ volume }) => volume === most)!;
  const text =
    most === 0n
      ? 'No paid orders.'
      : `Peak: ${amountText(most, currency)} ${currency} on ${shortDay(best.day)}`;
  return (
    <ChartCard
      id="volume"
      title="Paid"
      figure={
        <>
          {amountText(total.volume, currency)} <span class="currency">{currency}</span>
        </>
      }
    >
      <Drawing
        id="volume-chart"
        title={`Paid per day, in ${currency}`}
        text={text}
        width={days.length * DAY_WIDTH}
      >
        {days.map(({ volume }, i) => {
          const height = shareOf(volume, most);
          return (
            <rect
              class="bar"
              x={xOf(i)}
              y={rounded(HEIGHT - height)}
              width={BAR_WIDTH}
              height={height}
            />
          );
        })}
      </Drawing>
      <Axis days={days} />
      <p class="text-secondary mb-2">{text}</p>
      <AsTable
        caption={`Paid per day, in ${currency}`}
        heads={['Day', 'Paid orders', `Paid, ${currency}`]}
        rows={days.map((each) => [
          shortDay(each.day),
          numberText(each.paid),
          amountText(each.volume, currency),
        ])}
      />
    </ChartCard>
  );
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

export function OutcomesCard({ days, total }: ChartProps) {
  const endedOn = (day: DayFigures): number =>
    OUTCOMES.reduce((sum, outcome) => sum + day[outcome], 0);
  const most = Math.max(...days.map(endedOn));
  const counts = OUTCOMES.map((outcome) => `${numberText(total[outcome])} ${outcome}`).join(', ');
  return (
    <ChartCard id="outcomes" title="Orders by outcome" figure={`${numberText(total.paid)} paid`}>
      <Drawing
        id="outcomes-chart"
        title="Orders by outcome per day"
        text={`Total: ${counts}.`}
        width={days.length * DAY_WIDTH}
      >
        {days.map((day, i) => (
          <Column day={day} x={xOf(i)} most={most} />
        ))}
      </Drawing>
      <Axis days={days} />
      <ul class="legend">
        {OUTCOMES.map((outcome) => (
          <li>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={`bar-${outcome}`} width="10" height="10" />
            </svg>
            {numberText(total[outcome])} {outcome}
          </li>
        ))}
      </ul>
      <AsTable
        caption="Orders by outcome per day"
        heads={['Day', ...OUTCOMES.map(capital)]}
        rows={days.map((day) => [
          shortDay(day.day),
          ...OUTCOMES.map((outcome) => numberText(day[outcome])),
        ])}
      />
    </ChartCard>
  );
}

interface ColumnProps {
  readonly day: DayFigures;
  readonly x: number;
  /** Number of orders in the highest column. */
  readonly most: number;
}

function Column({ day, x, most }: ColumnProps) {
  let top = HEIGHT;
  return (
    <>
      {OUTCOMES.filter((outcome) => day[outcome] > 0).map((outcome) => {
        const height = rounded((day[outcome] / most) * HEIGHT);
        top = rounded(top - height);
        return <rect class={`bar-${outcome}`} x={x} y={top} width={BAR_WIDTH} height={height} />;
      })}
    </>
  );
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

export function FunnelCard({ total }: ChartProps) {
  const steps = [
    ['Created', total.created],
    ['Payment started', total.started],
    ['Paid', total.paid],
  ] as const;
  const step = HEIGHT / steps.length;
  const text = steps.map(([name, count]) => `${name}: ${numberText(count)}`).join(', ');
  return (
    <ChartCard
      id="funnel"
      title="From order to payment"
      figure={`${percent(total.paid, total.created)} paid`}
    >
      <div class="funnel">
        <ol>
          {steps.map(([name, count]) => (
            <li>
              {name} <strong>{numberText(count)}</strong>
            </li>
          ))}
        </ol>
        <Drawing id="funnel-chart" title="From order to payment" text={`${text}.`} width={100}>
          {steps.map(([, count], i) => (
            <rect
              class="bar"
              x="0"
              y={rounded(i * step + step * 0.2)}
              width={total.created === 0 ? 0 : rounded((100 * count) / total.created)}
              height={rounded(step * 0.6)}
            />
          ))}
        </Drawing>
      </div>
      <AsTable
        caption="Steps from order to payment"
        heads={['Step', 'Orders', 'Of all']}
        rows={steps.map(([name, count]) => [
          name,
          numberText(count),
          percent(count, total.created),
        ])}
      />
    </ChartCard>
  );
}
