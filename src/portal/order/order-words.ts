import type { DeliveryStatus } from '../../database/entities/delivery.entity.js';
import type { PaymentStatus } from '../../database/entities/payment.entity.js';
import type { IconName } from '../layout/icons.js';
import { amountText, dayText } from '../layout/values.js';

/** How something is shown that is good, under way, to be looked at, bad, or over. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | '';

export interface Look {
  readonly word: string;
  readonly tone: Tone;
  readonly icon: IconName;
}

export const PAYMENT_LOOKS: Readonly<Record<PaymentStatus, Look>> = {
  pending: { word: 'Under way', tone: 'busy', icon: 'clock' },
  succeeded: { word: 'Succeeded', tone: 'good', icon: 'check' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { word: 'Stopped', tone: '', icon: 'ended' },
};

export const DELIVERY_LOOKS: Readonly<Record<DeliveryStatus, Look>> = {
  pending: { word: 'On its way', tone: 'busy', icon: 'clock' },
  delivered: { word: 'Delivered', tone: 'good', icon: 'check' },
  failed: { word: 'Given up', tone: 'bad', icon: 'cross' },
  cancelled: { word: 'Cancelled', tone: '', icon: 'ended' },
};

/** `insufficient_funds` as a person writes it. */
export const inWords = (code: string): string => code.replaceAll('_', ' ');

/** `1,249.00 EUR`. */
export const moneyText = (minor: number | bigint, currency: string): string =>
  `${amountText(minor, currency)} ${currency}`;

/** Who is behind an address; the rest of it can hold a secret. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** "2 Apr 2026, 12:00" on the clocks of the zone. */
export function momentText(moment: Date, timeZone: string): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return `${dayText(moment, timeZone)}, ${time.format(moment)}`;
}

/** Where a payment was made: some providers have one method, of the same name. */
export const providerText = (provider: string, method: string): string =>
  provider === method ? provider : `${provider}, ${method}`;
