import { LOCALE_FACTS, LOCALES } from '../../common/locale.js';
import type { OrderSum } from '../../database/read-models/order-list/order-sums.js';
import { COLUMN_NAMES } from '../../exports/columns.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { CsrfField, Notice } from '../kit/form-components.js';
import { Icon } from '../kit/icons.js';
import { AmountValue, numberText } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import { addressOf, filterQuery } from '../order-list/order-list-address.js';
import { countedText, daysText } from '../order-list/order-list-text.js';
import type { AskedOrders } from '../order-list/order-list.service.js';
import type { ExportChoice } from './export-choice.js';
import { AT_ONCE_MAX, type ExportContent } from './export-pages.service.js';

interface ExportForm {
  readonly asked: AskedOrders;
  readonly content: ExportContent;
  readonly choice: ExportChoice;
}

export function renderExportForm(context: SignedInContext, page: ExportForm): string {
  const { asked, content } = page;
  return renderPage({
    context,
    title: 'Download orders',
    subtitle: <a href={addressOf(asked, '/orders')}>Back to the list</a>,
    children: (
      <div class="card download-card">
        <div class="card-body">
          <h2>Contents of the file</h2>
          <p>
            The current list: <strong>{countedText(content.count)}</strong> (
            {daysText(asked).toLowerCase()}), newest first.
            {asked.access.visibility !== 'full' && ' Payers and customers are masked.'}
          </p>
          {content.sums ? <Sums sums={content.sums} /> : <SumsLink asked={asked} />}
        </div>
        <Form context={context} page={page} />
      </div>
    ),
  });
}

/** Totals of very many orders take a second or two, so they are loaded on request. */
const SumsLink = ({ asked }: { readonly asked: AskedOrders }) => (
  <p class="mb-0">
    <a href={addressOf(asked, '/orders/download', {}, { sums: 'yes' })}>Show count and totals</a>
  </p>
);

interface SumsProps {
  readonly sums: readonly OrderSum[];
}

const Sums = ({ sums }: SumsProps) =>
  sums.length === 0 ? null : (
    <div class="table-responsive" role="region" aria-label="Totals" tabindex={0}>
      <table class="table table-sm mb-0">
        <caption class="visually-hidden">Totals by currency</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            {['Orders', 'Amount', 'Received', 'Refunded', 'Fees', 'Net of paid'].map((head) => (
              <th scope="col" class="num">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sums.map(({ currency, orders, amount, amountReceived, amountRefunded, fee, net }) => (
            <tr>
              <th scope="row">{currency}</th>
              <td class="num">{numberText(orders)}</td>
              {[amount, amountReceived, amountRefunded, fee, net].map((sum) => (
                <td class="num">
                  <AmountValue minor={sum} currency={currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

interface FormProps {
  readonly context: SignedInContext;
  readonly page: ExportForm;
}

/** Large files are created in the background; all others download immediately. */
function Form({ context, page: { asked, content, choice } }: FormProps) {
  const { base } = asked.access;
  const isLarge = content.count.isMore || content.count.count > AT_ONCE_MAX;
  const target = isLarge
    ? ({ action: `${base}/exports`, method: 'post' } as const)
    : ({ action: `${base}/orders/download.csv`, method: 'get' } as const);
  return (
    <form {...target} class="card-body border-top">
      {isLarge && <CsrfField csrf={context.csrf} />}
      {[...filterQuery(asked)].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Style choice={choice} />
      <Columns choice={choice} />
      {isLarge && (
        <Notice>
          This is a large file. It is created in the background and available under Downloads for 7
          days.
        </Notice>
      )}
      <button class="btn btn-primary">
        <Icon name="download" />
        {isLarge ? 'Create file' : 'Download CSV'}
      </button>
    </form>
  );
}

interface ChoiceProps {
  readonly choice: ExportChoice;
}

const Style = ({ choice }: ChoiceProps) => (
  <>
    <fieldset class="mb-3">
      <legend class="h3">Format</legend>
      <Radio name="file" value="excel" isChosen={choice.preset === 'excel'}>
        Excel or another spreadsheet: local times, numbers in the format of the language below
      </Radio>
      <Radio name="file" value="machine" isChosen={choice.preset === 'machine'}>
        Program: commas, decimal points, times with UTC offset
      </Radio>
    </fieldset>
    <div class="mb-3">
      <label class="form-label" for="language">
        Language of the spreadsheet
      </label>
      <select class="form-select w-auto" id="language" name="language">
        {LOCALES.map((locale) => (
          <option value={locale} selected={locale === choice.locale}>
            {LOCALE_FACTS[locale].name}
          </option>
        ))}
      </select>
      <small class="form-hint">
        German spreadsheets, for example, use semicolons and decimal commas. Spreadsheets drop
        leading zeros of account numbers; import that column as text to keep them.
      </small>
    </div>
  </>
);

const Columns = ({ choice: { columns } }: ChoiceProps) => (
  <fieldset class="mb-3">
    <legend class="h3">Columns</legend>
    <Radio name="columns" value="all" isChosen={columns === null}>
      All, including one per optional field
    </Radio>
    <Radio name="columns" value="chosen" isChosen={columns !== null}>
      Only the columns selected below
    </Radio>
    <details open={columns !== null} class="mt-2">
      <summary>Choose columns</summary>
      <div class="choices mt-2">
        {COLUMN_NAMES.map((column) => (
          <label class="form-check mb-0">
            <input
              class="form-check-input"
              type="checkbox"
              name="column"
              value={column}
              checked={columns === null || columns.includes(column)}
            />
            <span class="form-check-label">{column}</span>
          </label>
        ))}
      </div>
      <label class="form-label mt-3" for="fields">
        Optional fields <span class="text-secondary">(names, separated by commas)</span>
      </label>
      <input class="form-control" id="fields" name="fields" autocomplete="off" />
    </details>
  </fieldset>
);

interface RadioProps {
  readonly name: string;
  readonly value: string;
  readonly isChosen: boolean;
  readonly children: string;
}

const Radio = ({ name, value, isChosen, children }: RadioProps) => (
  <label class="form-check">
    <input class="form-check-input" type="radio" name={name} value={value} checked={isChosen} />
    <span class="form-check-label">{children}</span>
  </label>
);
