import { exampleStatement } from '../bank-statements/example-statement.js';
import type { OrderWithPayment } from '../database/orders/order.entity.js';
import { type Command, CommandError } from './command.js';
import * as inputs from './inputs.js';
import { type Services, withServices } from './services.js';

export const statementExample: Command = {
  name: 'statement example',
  usage: '--order TXID',
  help:
    'Prints a bank’s notification (camt.054) in which the payer of a test order has transferred what is\n' +
    '      missing, today. It stores nothing: statement import brings it in.',
  options: ['order'],
  prepare: (options) => {
    const txid = options.required('order', inputs.ID);
    return () =>
      withServices(async (services) => {
        const { amount, amountReceived, currency, payments } = await testOrder(services, txid);
        const transfer = payments.findLast((payment) => payment.transfer)?.transfer;
        if (!transfer)
          throw new CommandError(`The payer of order ${txid} has not chosen the bank transfer.`);
        const missing = amount - amountReceived;
        if (missing <= 0) throw new CommandError(`Order ${txid} has all its money.`);
        const statement = exampleStatement(transfer, { amount: missing, currency });
        return { text: statement, json: { statement } };
      });
  },
};

/** Generated statements for live orders would be mistaken for real money. */
async function testOrder({ merchants, orders }: Services, txid: string): Promise<OrderWithPayment> {
  for (const { id: merchantId } of await merchants.list()) {
    const order = await orders.find({ merchantId, mode: 'test' }, { txid });
    if (order) return order;
  }
  throw new CommandError(`There is no test order ${txid}.`);
}
