import { knownOf } from '../../common/known.js';
import { dateFormats } from '../../common/time/date-formats.js';
import type { DeliveryStatus } from '../../database/notifications/delivery.entity.js';
import type { PaymentStatus } from '../../database/payments/payment.entity.js';
import type { Badge } from './status.js';
import { amountText, dayText } from './values.js';

export const PAYMENT_BADGES: Readonly<Record<PaymentStatus, Badge>> = {
  pending: { label: 'Pending', tone: 'busy', icon: 'clock' },
  succeeded: { label: 'Succeeded', tone: 'good', icon: 'check' },
  failed: { label: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { label: 'Cancelled', tone: '', icon: 'ended' },
};

export const DELIVERY_BADGES: Readonly<Record<DeliveryStatus, Badge>> = {
  pending: { label: 'On its way', tone: 'busy', icon: 'clock' },
  delivered: { label: 'Delivered', tone: 'good', icon: 'check' },
  failed: { label: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { label: 'Cancelled', tone: '', icon: 'ended' },
};

/** Formats a code such as `insufficient_funds` as text. */
export const plainText = (code: string): string => code.replaceAll('_', ' ');

/** `1,249.00 EUR`. */
export const moneyText = (minor: number | bigint, currency: string): string =>
  `${amountText(minor, currency)} ${currency}`;

/** Host of a URL; the rest may contain secrets. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const minuteFormat = dateFormats('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Formats as "2 Apr 2026, 12:00" in the time zone. */
export function momentText(moment: Date, timeZone: string): string {
  return `${dayText(moment, timeZone)}, ${minuteFormat(timeZone).format(moment)}`;
}

const PROVIDER_NAMES: Readonly<Record<string, string>> = { bank_transfer: 'Bank transfer' };

export const providerName = (provider: string): string =>
  knownOf(PROVIDER_NAMES, provider) ?? provider;

/** Provider and method; only one of them if they have the same name. */
export const providerText = (provider: string, method: string): string =>
  provider === method ? providerName(provider) : `${provider}, ${method}`;
