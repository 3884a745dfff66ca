import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { TtlCache } from '../common/ttl-cache.js';
import { Config } from '../config/config.js';
import { processingUntil } from '../lifecycle/processing-until.js';
import type { Locale } from '../common/locale.js';
import { AccountLookRepository } from '../database/bank/collection-accounts/account-look.repository.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { Merchant } from '../database/merchants/merchant.entity.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { OrderWithPayment } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { Problem } from '../http/problems/problem.js';
import { CancellationService } from '../payments/cancellation.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { TransferOffersService } from '../payments/transfer-offers.service.js';
import { BANK_TRANSFER } from '../providers/bank-transfer/bank-transfer.provider.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { CompiledPageCache } from './compiled-page-cache.js';
import { PageOpenings } from './page-openings.js';
import { describePage } from './page-slots.js';
import type { PayMethod } from './page.model.js';
import { transferOf } from './page-state.js';
import { renderSample, type SampleState } from './sample-page.js';
import type { Owner } from '../database/keys.js';

/** Milliseconds until changes of a merchant's name, colour or providers are visible. */
const SHOP_CACHE_MS = 5_000;
const SHOPS_MAX = 1_000;
/** Milliseconds for which the day of the last statement is cached. */
const LOOK_CACHE_MS = 5_000;
const LOOKS_MAX = 1_000;

interface Shop {
  readonly merchant: Merchant;
  readonly methods: readonly PayMethod[];
}

export interface RenderedPage {
  readonly html: string;
  /** The payer is redirected to the shop in a moment. */
  readonly takesBack: boolean;
  /** Origins to which the payment can redirect. The script updates an open page, but not its CSP. */
  readonly origins: readonly string[];
}

@Injectable()
export class PaymentPageService {
  private readonly shops = new TtlCache<Shop>(() => SHOP_CACHE_MS, SHOPS_MAX);
  private readonly looks = new TtlCache<Date | null>(() => LOOK_CACHE_MS, LOOKS_MAX);

  constructor(
    private readonly orders: OrderRepository,
    private readonly merchants: MerchantRepository,
    private readonly accountLooks: AccountLookRepository,
    private readonly providers: ProviderRegistry,
    private readonly payments: PaymentsService,
    private readonly transferOffers: TransferOffersService,
    private readonly cancellation: CancellationService,
    private readonly pages: CompiledPageCache,
    private readonly openings: PageOpenings,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  find(token: string): Promise<OrderWithPayment | null> {
    return this.orders.findByPageToken(token);
  }

  /** @param stays whether the payer must not be redirected to the shop */
  async render(order: OrderWithPayment, locale: Locale, stays: boolean): Promise<RenderedPage> {
    this.openings.note(order);
    const { merchant, methods } = await this.shopOf(order);
    const { key, slots } = describePage({
      order,
      cancelable: this.cancellation.isCancelable(order),
      token: order.pageToken,
      theme: merchant,
      methods,
      mode: order.mode,
      locale,
      stays,
      processingUntil: processingUntil(order, this.config.unknownOutcomeDays),
      lookedAt: await this.lookedAt(order),
      now: this.clock.now(),
    });
    return {
      html: this.pages.render(key, slots),
      takesBack: key.takesBack,
      origins: this.originsOf(order, methods),
    };
  }

  /** Sample page with the merchant's current appearance. */
  async sample({ merchantId, mode }: Owner, state: SampleState, locale: Locale): Promise<string> {
    const theme = await this.merchants.find(merchantId);
    if (!theme) throw new Problem('route_not_found');
    const methods = await this.methodsOf(merchantId, mode);
    return renderSample({ theme, methods, mode, state, locale, now: this.clock.now() });
  }

  /** @param due amount shown to the payer. @returns next URL for the payer; null = the page itself explains */
  async start(
    order: OrderWithPayment,
    methodId: string | null,
    due: string | null,
  ): Promise<string | null> {
    const { methods } = await this.shopOf(order);
    const method = methods.find(({ id }) => id === methodId);
    if (!method) return null;
    return unlessConflict(async () => {
      const started = await this.payments.start(order, {
        provider: method.provider,
        method: method.id,
        due: due === null ? undefined : /^\d+$/.test(due) ? Number(due) : NaN,
      });
      return started.redirectUrl;
    });
  }

  async cancel(order: OrderWithPayment): Promise<void> {
    await unlessConflict(async () => {
      await this.cancellation.cancel(order, order.txid, 'by_payer');
      return null;
    });
  }

  /** The payer returned: polls the outcome instead of trusting the redirect. */
  async returned(order: OrderWithPayment): Promise<void> {
    if (order.status === 'processing' && order.payment) await this.payments.poll(order.payment);
  }

  /** Only needed for transfers. */
  private async lookedAt(order: OrderWithPayment): Promise<Date | null> {
    const account = transferOf(order)?.account;
    if (account === undefined) return null;
    const { mode } = order;
    const find = () => this.accountLooks.lastLookAt(mode, account);
    return this.looks.get(`${mode} ${account}`, find);
  }

  private async shopOf(order: OrderWithPayment): Promise<Shop> {
    const { merchantId, mode } = order;
    const shop = await this.shops.get(`${merchantId} ${mode}`, async () => {
      const merchant = await this.merchants.find(merchantId);
      if (!merchant) throw new Error('an order has no merchant');
      return { merchant, methods: await this.methodsOf(merchantId, mode) };
    });
    if (!(await this.transferOffers.accountFor(order))) return shop;
    return { ...shop, methods: [...shop.methods, ...this.methodsAt(BANK_TRANSFER, mode)] };
  }

  private originsOf({ status }: OrderWithPayment, methods: readonly PayMethod[]): string[] {
    if (status !== 'open' && status !== 'processing') return [];
    return methods.flatMap(({ provider }) => this.providers.find(provider)?.origins ?? []);
  }

  private async methodsOf(merchantId: string, mode: Mode): Promise<PayMethod[]> {
    const accounts = await this.merchants.listEnabledAccounts(merchantId, mode);
    return accounts.flatMap(({ provider }) => this.methodsAt(provider, mode));
  }

  private methodsAt(provider: string, mode: Mode): PayMethod[] {
    return (this.providers.find(provider)?.methods ?? [])
      .filter(({ modes }) => modes.includes(mode))
      .map(({ id, labels }) => ({ id, labels, provider }));
  }
}

/** Another tab, the shop or the expiry was faster; the page shows the current state. */
async function unlessConflict(work: () => Promise<string | null>): Promise<string | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && [409, 412].includes(error.status)) return null;
    throw error;
  }
}
