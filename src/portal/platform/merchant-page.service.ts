import { Injectable } from '@nestjs/common';
import { isCurrency } from '../../common/money/currencies.js';
import { toMajorUnits } from '../../common/money/money.js';
import type { FeeRate } from '../../database/ledger/fee-rate.entity.js';
import type { Merchant } from '../../database/merchants/merchant.entity.js';
import { percentText, readFixed, readPercent } from '../../ledger/fee-rate.js';
import { FeesService } from '../../ledger/fees.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { AuditService } from '../../people/audit.service.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { formWith, type Problems, textOf } from '../kit/form.js';

export interface MerchantPage {
  readonly merchant: Merchant;
  readonly fees: readonly FeeRate[];
  /** Names of the payment providers. */
  readonly providers: readonly string[];
}

@Injectable()
export class MerchantPageService {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly fees: FeesService,
    private readonly providers: ProviderRegistry,
    private readonly audit: AuditService,
  ) {}

  /** @throws Refusal 404 */
  async open(id: string): Promise<MerchantPage> {
    const [merchant, fees] = await Promise.all([this.merchants.find(id), this.fees.list(id)]);
    if (!merchant) throw notFound();
    return { merchant, fees, providers: this.providers.names() };
  }

  /** Form values of an existing fee, or of a new one. */
  formFor({ fees }: MerchantPage, provider: unknown, currency: unknown): URLSearchParams {
    const fee = fees.find((each) => each.provider === provider && each.currency === currency);
    if (!fee) return new URLSearchParams();
    return formWith({
      provider: fee.provider,
      currency: fee.currency,
      percent: percentText(fee.partsPerMillion),
      fixed: toMajorUnits(fee.fixed, fee.currency),
    });
  }

  /** @returns the problems of the form, or null if the fee was saved */
  async setFee(
    context: SignedInContext,
    merchantId: string,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const { rate, problems } = this.read(form);
    if (!rate) return problems;
    const data = { ...rate, percent: percentText(rate.partsPerMillion) };
    await this.fees.set({ merchantId, ...rate }, (tx) =>
      this.audit.record(tx, context, { action: 'fee.changed', merchantId, data }),
    );
    return null;
  }

  /** Enables or disables bank transfers for live orders of the merchant. */
  async allowTransfers(
    context: SignedInContext,
    merchantId: string,
    takesTransfers: boolean,
  ): Promise<void> {
    const action = takesTransfers ? 'merchant.transfers-allowed' : 'merchant.transfers-stopped';
    const { userId } = context.session;
    const terms = takesTransfers
      ? { takesTransfers, transfersAllowedBy: userId }
      : { takesTransfers };
    await this.merchants.setTransfers(merchantId, terms, (tx) =>
      this.audit.record(tx, context, { action, subject: merchantId, merchantId }),
    );
  }

  private read(form: URLSearchParams) {
    const provider = textOf(form, 'provider');
    const currency = textOf(form, 'currency').toUpperCase();
    const partsPerMillion = readPercent(textOf(form, 'percent'));
    const fixed = readFixed(textOf(form, 'fixed'), currency);
    const problems: Record<string, string> = {};
    if (!this.providers.find(provider)) problems['provider'] = 'Choose a provider.';
    if (!isCurrency(currency)) problems['currency'] = 'Enter a currency, for example EUR.';
    if (partsPerMillion === undefined) {
      problems['percent'] = 'Enter 0 to 100 with at most 4 decimals, for example 2.9.';
    } else if (fixed !== undefined && Object.keys(problems).length === 0) {
      return { rate: { provider, currency, partsPerMillion, fixed }, problems: null };
    }
    if (fixed === undefined) {
      problems['fixed'] =
        `Enter an amount, for example 0.30, with at most the decimals of ${currency || 'the currency'}.`;
    }
    return { rate: null, problems };
  }
}
