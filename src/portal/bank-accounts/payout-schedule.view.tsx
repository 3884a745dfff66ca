import { CURRENCY_CODES } from '../../common/currencies.js';
import type { BankAccount } from '../../database/payouts/bank-account.entity.js';
import type { PayoutSchedule } from '../../database/payouts/payout-schedule.entity.js';
import { isUsableAccount } from '../../payouts/bank-accounts.service.js';
import { PAYOUT_HOUR } from '../../payouts/next-run.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Card } from '../kit/card.js';
import { Cell, Empty, Rows, Typed, When } from '../kit/components.js';
import { Checks, Choice, type Option, Trouble } from '../kit/fields.js';
import { formFields, FormField, PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { Tag } from '../kit/status.js';
import { AmountValue } from '../kit/values.js';
import { accountsPath } from '../kit/payout-text.js';
import { renderPage } from '../layout/shell.view.js';
import { AccountDone, Iban } from './account-components.js';
import { accountText } from './account-text.js';
import { MONTH_DAYS_MAX, rhythmText, WEEKDAYS } from './payout-schedule.form.js';

const COLUMNS = ['Currency', 'When', 'At least', 'To', 'Next time', 'Actions'];

const WEEKDAY_OPTIONS = WEEKDAYS.map((name, i): Option => [String(i + 1), name]);
const MONTH_DAY_OPTIONS = Array.from({ length: MONTH_DAYS_MAX }, (_, i): Option => [
  String(i + 1),
  String(i + 1),
]);

export const schedulePath = ({ access }: MerchantContext): string =>
  `${pathOf(access)}/payout-schedule`;

export interface SchedulePage {
  readonly context: MerchantContext;
  readonly schedules: readonly PayoutSchedule[];
  /** Those in use. */
  readonly accounts: readonly BankAccount[];
  /** Currencies that the merchant has money in. */
  readonly currencies: readonly string[];
  readonly now: Date;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  readonly done?: unknown;
}

export const renderSchedule = (page: SchedulePage): string =>
  renderPage({
    // The menu has no place for it but that of the bank accounts.
    context: { ...page.context, path: accountsPath(page.context) },
    title: 'Automatic payouts',
    subtitle: `Asked for at ${PAYOUT_HOUR} o’clock, ${page.context.access.timeZone}. Each still has to be approved.`,
    actions: (
      <>
        <a class="btn" href={`${pathOf(page.context.access)}/payouts`}>
          Payouts
        </a>
        <a class="btn" href={accountsPath(page.context)}>
          Bank accounts
        </a>
      </>
    ),
    children: (
      <>
        <AccountDone word={page.done} />
        <div class="card mb-3">
          <Schedules {...page} />
        </div>
        {page.accounts.length > 0 && <ScheduleForm {...page} />}
      </>
    ),
  });

const Schedules = (page: SchedulePage) =>
  page.schedules.length > 0 ? (
    <Rows caption="Automatic payouts" columns={COLUMNS}>
      {page.schedules.map((schedule) => (
        <Row {...page} schedule={schedule} />
      ))}
    </Rows>
  ) : (
    <Empty title="Nothing is paid out by itself">
      {page.accounts.length > 0 ? (
        'Choose below when all that is available shall be paid out.'
      ) : (
        <>
          First <a href={`${accountsPath(page.context)}/new`}>add a bank account</a> that payouts
          can go to.
        </>
      )}
    </Empty>
  );

function Row({ context, accounts, now, schedule }: SchedulePage & { schedule: PayoutSchedule }) {
  const { currency, minimumAmount, bankAccountId, nextRunAt } = schedule;
  const account = accounts.find(({ id }) => id === bankAccountId);
  return (
    <tr>
      <Cell label="Currency" class="strong">
        {currency}
      </Cell>
      <Cell label="When">{rhythmText(schedule)}</Cell>
      <Cell label="At least">
        <AmountValue minor={minimumAmount} currency={currency} />
      </Cell>
      <Cell label="To">
        <Target account={account} now={now} />
      </Cell>
      <Cell label="Next time">
        <When at={nextRunAt} zone={context.access.timeZone} />
      </Cell>
      <Cell label="Actions" class="actions">
        <a class="btn btn-sm" href={`${schedulePath(context)}?currency=${currency}#change`}>
          Change<span class="visually-hidden"> payouts of {currency}</span>
        </a>
        <PostForm csrf={context.csrf} action={`${schedulePath(context)}/off`}>
          <input type="hidden" name="currency" value={currency} />
          <button class="btn btn-sm">
            Switch off<span class="visually-hidden"> payouts of {currency}</span>
          </button>
        </PostForm>
      </Cell>
    </tr>
  );
}

interface TargetProps {
  readonly account: BankAccount | undefined;
  readonly now: Date;
}

function Target({ account, now }: TargetProps) {
  if (!account) return <Tag label="The account was removed" tone="bad" icon="cross" />;
  return (
    <>
      <Typed text={account.holder} />
      <div>
        <Iban iban={account.iban} />
      </div>
      {!isUsableAccount(account, now) && (
        <div class="mt-1">
          <Tag label="Cannot be used yet" tone="warn" icon="clock" />
        </div>
      )}
    </>
  );
}

function ScheduleForm({ context, schedules, form, problems, ...page }: SchedulePage) {
  const field = formFields(form, problems);
  const title = schedules.length > 0 ? 'Change or add' : 'Switch on';
  return (
    <Card id="change" title={title} class="card form-card">
      <Trouble problems={problems} />
      <p>At that time, all that is available is asked for.</p>
      <PostForm csrf={context.csrf} action={`${schedulePath(context)}#change`}>
        <Choice
          {...field('currency')}
          label="Currency"
          hint="Each has one rhythm: what you save replaces what was there."
          options={currencyOptions(page.currencies, form.get('currency'))}
        />
        <Rhythm form={form} problems={problems ?? {}} />
        <FormField
          {...field('minimum')}
          label="At least"
          hint="In the currency, such as 50.00. Less than this waits for the next time."
          maxLength={20}
          autocomplete="off"
        />
        <Choice
          {...field('bankAccountId')}
          label="To"
          options={page.accounts.map((account) => [account.id, optionText(account, page.now)])}
        />
        <button class="btn btn-primary">Save</button>
      </PostForm>
    </Card>
  );
}

/** The field for the day is there that the rhythm needs, where the browser can tell. */
const Rhythm = ({ form, problems }: { form: URLSearchParams; problems: Problems }) => (
  <div class="rhythm">
    <Checks
      type="radio"
      name="frequency"
      label="When"
      options={[
        ['daily', 'Every day'],
        ['weekly', 'Every week'],
        ['monthly', 'Every month'],
      ]}
      chosen={[form.get('frequency') ?? '']}
      problem={problems['frequency']}
    />
    <div class="rhythm-weekly">
      <Choice
        name="weekday"
        label="Day of the week"
        options={WEEKDAY_OPTIONS}
        value={form.get('weekday') ?? '1'}
        problem={problems['weekday']}
      />
    </div>
    <div class="rhythm-monthly">
      <Choice
        name="monthDay"
        label="Day of the month"
        options={MONTH_DAY_OPTIONS}
        value={form.get('monthDay') ?? '1'}
        problem={problems['monthDay']}
      />
    </div>
  </div>
);

/** Those that the merchant has money in come first. */
const currencyOptions = (known: readonly string[], chosen: string | null): Option[] => [
  ...(chosen ? [] : [['', 'Choose one'] as const]),
  ...[...new Set([...known, ...CURRENCY_CODES])].map((code): Option => [code, code]),
];

const optionText = (account: BankAccount, now: Date): string =>
  `${accountText(account)}${isUsableAccount(account, now) ? '' : ' (cannot be used yet)'}`;
