import { CURRENCY_CODES } from '../../common/money/currencies.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
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

const COLUMNS = ['Currency', 'Frequency', 'Minimum', 'Bank account', 'Next payout', 'Actions'];

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
  /** Active accounts. */
  readonly accounts: readonly BankAccount[];
  /** Currencies with a balance. */
  readonly currencies: readonly string[];
  readonly now: Date;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  readonly done?: unknown;
}

export const renderSchedule = (page: SchedulePage): string =>
  renderPage({
    // Highlights "Bank accounts" in the menu: this page has no entry of its own.
    context: { ...page.context, path: accountsPath(page.context) },
    title: 'Automatic payouts',
    subtitle: `Requested at ${PAYOUT_HOUR} o’clock, ${page.context.access.timeZone}. Each payout still needs approval.`,
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
    <Empty title="No automatic payouts">
      {page.accounts.length > 0 ? (
        'Choose below when your available balance is paid out.'
      ) : (
        <>
          First, <a href={`${accountsPath(page.context)}/new`}>add a bank account</a> for your
          payouts.
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
      <Cell label="Frequency">{rhythmText(schedule)}</Cell>
      <Cell label="Minimum">
        <AmountValue minor={minimumAmount} currency={currency} />
      </Cell>
      <Cell label="Bank account">
        <Target account={account} now={now} />
      </Cell>
      <Cell label="Next payout">
        <When at={nextRunAt} zone={context.access.timeZone} />
      </Cell>
      <Cell label="Actions" class="actions">
        <a class="btn btn-sm" href={`${schedulePath(context)}?currency=${currency}#change`}>
          Change<span class="visually-hidden"> payouts of {currency}</span>
        </a>
        <PostForm csrf={context.csrf} action={`${schedulePath(context)}/off`}>
          <input type="hidden" name="currency" value={currency} />
          <button class="btn btn-sm">
            Disable<span class="visually-hidden"> payouts of {currency}</span>
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
  if (!account) return <Tag label="Account removed" tone="bad" icon="cross" />;
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
  const title = schedules.length > 0 ? 'Change or add' : 'Enable';
  return (
    <Card id="change" title={title} class="card form-card">
      <Trouble problems={problems} />
      <p>Each payout requests the full available balance.</p>
      <PostForm csrf={context.csrf} action={`${schedulePath(context)}#change`}>
        <Choice
          {...field('currency')}
          label="Currency"
          hint="One schedule per currency: saving replaces the existing one."
          options={currencyOptions(page.currencies, form.get('currency'))}
        />
        <Rhythm form={form} problems={problems ?? {}} />
        <FormField
          {...field('minimum')}
          label="Minimum"
          hint="For example 50.00. A smaller balance waits for the next date."
          maxLength={20}
          autocomplete="off"
        />
        <Choice
          {...field('bankAccountId')}
          label="Bank account"
          options={page.accounts.map((account) => [account.id, optionText(account, page.now)])}
        />
        <button class="btn btn-primary">Save</button>
      </PostForm>
    </Card>
  );
}

/** CSS shows only the day field of the chosen frequency, in browsers that support it. */
const Rhythm = ({ form, problems }: { form: URLSearchParams; problems: Problems }) => (
  <div class="rhythm">
    <Checks
      type="radio"
      name="frequency"
      label="Frequency"
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

/** Currencies with a balance come first. */
const currencyOptions = (known: readonly string[], chosen: string | null): Option[] => [
  ...(chosen ? [] : [['', 'Choose one'] as const]),
  ...[...new Set([...known, ...CURRENCY_CODES])].map((code): Option => [code, code]),
];

const optionText = (account: BankAccount, now: Date): string =>
  `${accountText(account)}${isUsableAccount(account, now) ? '' : ' (cannot be used yet)'}`;
