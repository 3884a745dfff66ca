import { Injectable } from '@nestjs/common';
import {
  RequestContextService,
  ScheduledTask,
  type SettingsStoreFields,
  SettingsStoreService,
} from '@vendure/core';
import { PaymentOrdersClient } from './client';
import { PaymentOrders } from './payment-orders';

const CURSOR = 'paymentOrders.cursor';
/** Of a feed in which nothing was yet. */
const FROM_THE_BEGINNING = '';

/** Where the shop's place in the feed of events is kept. */
export const cursorField: SettingsStoreFields = { paymentOrders: [{ name: 'cursor' }] };

/** Reads the feed of events behind the webhooks: whatever did not come as one is found here. */
@Injectable()
export class CatchUp {
  constructor(
    private readonly client: PaymentOrdersClient,
    private readonly paymentOrders: PaymentOrders,
    private readonly settings: SettingsStoreService,
    private readonly contexts: RequestContextService,
  ) {}

  async run(): Promise<{ events: number }> {
    const ctx = await this.contexts.create({ apiType: 'admin' });
    let { after } = (await this.settings.get<{ after?: string }>(ctx, CURSOR)) ?? {};
    if (after === undefined) {
      // The place first: what happens while we look is found from there.
      after = (await this.client.events('latest')).next ?? FROM_THE_BEGINNING;
      await this.paymentOrders.lookAtAll();
      await this.settings.set(ctx, CURSOR, { after });
    }
    for (let events = 0; ;) {
      const page = await this.client.events(after);
      for (const event of page.data)
        if (event.type.startsWith('order.')) await this.paymentOrders.receive(event);
      after = page.next ?? after;
      events += page.data.length;
      await this.settings.set(ctx, CURSOR, { after });
      if (!page.hasMore) return { events };
    }
  }
}

export const catchUpTask = new ScheduledTask({
  id: 'payment-orders-catch-up',
  description: 'Reads what has become of payments',
  schedule: (cron) => cron.everyMinute(),
  execute: ({ injector }) => injector.get(CatchUp).run(),
});
