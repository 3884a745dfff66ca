import { currencyExponent, isCurrency } from '../../common/money/currencies.js';
import { uuidOf } from '../../common/ids.js';
import { minorUnits } from '../../common/money/major-units.js';
import { isAmount, toMajorUnits } from '../../common/money/money.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
import {
  PAYOUT_FREQUENCIES,
  type PayoutFrequency,
  type PayoutSchedule,
} from '../../database/payouts/payout-schedule.entity.js';
import type { Rhythm } from '../../payouts/next-run.js';
import type { ScheduleWish } from '../../payouts/payout-schedules.service.js';
import { type ParsedForm, formWith, textOf } from '../kit/form.js';

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** Every month has at least 28 days. */
export const MONTH_DAYS_MAX = 28;

const DAY_FIELDS = {
  weekly: { name: 'weekday', max: WEEKDAYS.length },
  monthly: { name: 'monthDay', max: MONTH_DAYS_MAX },
} as const;

/** Formats a schedule, such as "Every week on Monday". */
export function rhythmText({ frequency, day }: Rhythm): string {
  if (frequency === 'daily') return 'Every day';
  if (frequency === 'weekly') return `Every week on ${WEEKDAYS[day! - 1]}`;
  return `Every month on day ${day}`;
}

/** Initial form values. */
export const blankSchedule = (
  currency: string,
  account: BankAccount | undefined,
): URLSearchParams =>
  formWith({ currency, frequency: 'weekly', bankAccountId: account?.id ?? null });

export function scheduleForm(schedule: PayoutSchedule): URLSearchParams {
  const { currency, frequency, day, minimumAmount, bankAccountId } = schedule;
  return formWith({
    currency,
    frequency,
    weekday: frequency === 'weekly' ? String(day) : null,
    monthDay: frequency === 'monthly' ? String(day) : null,
    minimum: toMajorUnits(minimumAmount, currency),
    bankAccountId,
  });
}

/** Parses the form. */
export function readSchedule(
  form: URLSearchParams,
  accounts: readonly BankAccount[],
): ParsedForm<ScheduleWish> {
  const code = textOf(form, 'currency');
  const frequency = PAYOUT_FREQUENCIES.find((known) => known === form.get('frequency'));
  const typed = {
    currency: isCurrency(code) ? code : undefined,
    frequency,
    day: frequency && dayOf(frequency, form),
    minimumAmount: minimumOf(textOf(form, 'minimum'), code),
    bankAccountId: accounts.find(({ id }) => id === uuidOf(textOf(form, 'bankAccountId')))?.id,
  };
  const wrong = Object.entries(typed).filter(([, value]) => value === undefined);
  if (wrong.length === 0) return { done: typed as ScheduleWish };
  return { problems: Object.fromEntries(wrong.flatMap(([name]) => problemOf(name, frequency))) };
}

function dayOf(frequency: PayoutFrequency, form: URLSearchParams): number | null | undefined {
  if (frequency === 'daily') return null;
  const { name, max } = DAY_FIELDS[frequency];
  const day = Number(textOf(form, name));
  return Number.isInteger(day) && day >= 1 && day <= max ? day : undefined;
}

/** Rejects ambiguous texts such as 1.249. */
function minimumOf(text: string, currency: string): number | undefined {
  const [amount, another] = minorUnits(text, currencyExponent(currency) ?? 0);
  return another === undefined && isAmount(amount) ? amount : undefined;
}

const NOT_OFFERED = 'Choose one from the list.';

/** Without a frequency, the field of the day is unknown. */
function problemOf(name: string, frequency: PayoutFrequency | undefined): [string, string][] {
  if (name === 'minimumAmount') {
    return [
      ['minimum', 'Enter an amount above 0, for example 50.00, without thousands separators.'],
    ];
  }
  if (name !== 'day') return [[name, NOT_OFFERED]];
  return frequency && frequency !== 'daily' ? [[DAY_FIELDS[frequency].name, NOT_OFFERED]] : [];
}
