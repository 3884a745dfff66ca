import type { Locale } from '../common/locale.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { MerchantTheme, PageOrder, PayMethod } from './page.model.js';
import { describePage } from './page-slots.js';
import { compilePage } from './page.view.js';

export const SAMPLE_STATES = ['open', 'paid'] as const;
export type SampleState = (typeof SAMPLE_STATES)[number];

export const isSampleState = (text: unknown): text is SampleState =>
  SAMPLE_STATES.some((state) => state === text);

const HOUR_MS = 3_600_000;

interface Sample {
  readonly theme: MerchantTheme;
  readonly methods: readonly PayMethod[];
  readonly mode: Mode;
  readonly state: SampleState;
  readonly locale: Locale;
  readonly now: Date;
}

/** Sample page without an order: no updates, and its buttons do nothing. */
export function renderSample({ state, ...appearance }: Sample): string {
  const order = sampleOrder(state, appearance.now);
  const { key, slots } = describePage({
    ...appearance,
    order,
    cancelable: true,
    token: 'sample',
    stays: true,
    processingUntil: null,
    lookedAt: null,
  });
  return compilePage({ ...key, isSample: true }, { ...slots });
}

const sampleOrder = (state: SampleState, now: Date): PageOrder => ({
  orderMerchantId: 'SAMPLE-1001',
  txid: '',
  status: state,
  statusReason: null,
  exception: 'none',
  amount: 8_990,
  amountReceived: state === 'paid' ? 8_990 : 0,
  currency: 'EUR',
  description: 'Wool blanket, dark green',
  returnUrl: null,
  cancelUrl: null,
  expiresAt: new Date(now.getTime() + HOUR_MS),
  updatedAt: now,
  version: 1,
  payment: null,
  payments: [],
});
