import { until } from '../support/race.js';
import { FAULT, GraphQl } from './graphql.js';

interface Refund {
  readonly id: string;
  readonly state: string;
  readonly total: number;
}

/** What staff see of an order. */
export interface StaffOrder {
  readonly id: string;
  readonly state: string;
  /** The oldest first. Those that only say where the page is are left out. */
  readonly payments: readonly {
    readonly id: string;
    readonly state: string;
    readonly amount: number;
    readonly transactionId: string | null;
    readonly refunds: readonly Refund[];
  }[];
  readonly notes: readonly string[];
}

/** The people of the shop, in Vendure's Admin API. */
export class Staff {
  private constructor(private readonly api: GraphQl) {}

  static async signIn(shopUrl: string): Promise<Staff> {
    const api = new GraphQl(`${shopUrl}/admin-api`);
    await api.ask(
      `mutation { login(username: "superadmin", password: "superadmin") { __typename ${FAULT} } }`,
    );
    return new Staff(api);
  }

  async order(id: string): Promise<StaffOrder> {
    const { history, payments, ...order } = await this.api.ask<Raw>(
      `query ($id: ID!) {
         order(id: $id) {
           id state
           payments { id state amount transactionId refunds { id state total } }
           history(options: { filter: { type: { eq: "ORDER_NOTE" } } }) { items { data } }
         }
       }`,
      { id },
    );
    const notes = history.items.map(({ data }) => data.note);
    const ours = payments.filter(({ transactionId }) => transactionId);
    return { ...order, notes, payments: ours.toSorted((a, b) => Number(a.id) - Number(b.id)) };
  }

  cancelOrder(id: string): Promise<unknown> {
    return this.api.ask(
      `mutation ($input: CancelOrderInput!) {
         cancelOrder(input: $input) { __typename ... on OrderStateTransitionError { errorCode transitionError } ${FAULT} }
       }`,
      { input: { orderId: id } },
    );
  }

  settlePayment(id: string): Promise<unknown> {
    return this.api.ask(
      `mutation ($id: ID!) { settlePayment(id: $id) { __typename ... on SettlePaymentError { errorCode paymentErrorMessage } ${FAULT} } }`,
      { id },
    );
  }

  refund(paymentId: string, amount: number): Promise<Refund> {
    return this.api.ask(
      `mutation ($input: RefundOrderInput!) {
         refundOrder(input: $input) { ... on Refund { id state total } ${FAULT} }
       }`,
      { input: { paymentId, amount, shipping: 0, adjustment: 0, lines: [], reason: 'returned' } },
    );
  }

  /** Has the feed read now, and waits for the end of that. */
  async catchUp(): Promise<void> {
    const asked = await this.lastCatchUp();
    await this.api.ask('mutation { runScheduledTask(id: "payment-orders-catch-up") { success } }');
    await until('the shop has caught up', async () => (await this.lastCatchUp()) !== asked, 90);
  }

  /** As a shop does whose settings were lost. */
  losePlace(): Promise<unknown> {
    return this.api.ask(
      'mutation { setSettingsStoreValue(input: { key: "paymentOrders.cursor", value: {} }) { result } }',
    );
  }

  private async lastCatchUp(): Promise<string | null | undefined> {
    type Task = { readonly id: string; readonly lastExecutedAt: string | null };
    const tasks = await this.api.ask<Task[]>('{ scheduledTasks { id lastExecutedAt } }');
    return tasks.find(({ id }) => id === 'payment-orders-catch-up')?.lastExecutedAt;
  }
}

type Raw = Omit<StaffOrder, 'notes'> & {
  readonly history: { readonly items: readonly { readonly data: { readonly note: string } }[] };
};
