import type { Locale } from '../../common/locale.js';
import { formatMoney } from '../../common/money/money-format.js';
import { formatMoment } from '../../common/time/time-format.js';
import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import type { MailMessages } from './messages.js';
import type { Contents, Row } from './mail.model.js';
import { maskAccount } from '../../common/mask.js';

interface Reader {
  readonly messages: MailMessages;
  readonly locale: Locale;
  readonly timeZone: string;
}

/** Mail about a paid order: complete order data, but minimal payer data. */
export function paidMail(order: OrderWithPayment, merchant: string, reader: Reader): Contents {
  const { messages, locale } = reader;
  const { title, text, subject, fields, exceptions } = messages.paid;
  const amount = formatMoney(order.amount, order.currency, locale);
  const optional = Object.entries(order.optionalFields ?? {});
  return {
    subject: { text: subject, values: { amount, order: order.orderMerchantId } },
    title,
    amount,
    paragraphs: [{ text, values: { merchant } }],
    ...(order.exception === 'none' ? {} : { warning: exceptions[order.exception] }),
    rows: rowsOf(order, amount, reader),
    ...(optional.length === 0
      ? {}
      : {
          fields: { heading: fields, rows: optional.map(([label, value]) => ({ label, value })) },
        }),
  };
}

function rowsOf(order: OrderWithPayment, amount: string, reader: Reader): Row[] {
  const { locale, timeZone } = reader;
  const words = reader.messages.paid;
  const { payment } = order;
  const received = formatMoney(order.amountReceived, order.currency, locale);
  const rows: [string, string | null | undefined][] = [
    [words.order, order.orderMerchantId],
    [words.txid, order.txid],
    [words.amount, amount],
    [words.received, received === amount ? null : received],
    [words.time, order.paidAt && formatMoment(order.paidAt, timeZone, locale)],
    [words.method, payment && methodOf(payment)],
    [words.payer, payment?.payerAccountName],
    [words.account, payment && accountOf(payment)],
    [words.description, order.description],
  ];
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

type Payment = NonNullable<OrderWithPayment['payment']>;

const methodOf = ({ provider, method }: Payment): string =>
  provider === method ? provider : `${provider} · ${method}`;

const accountOf = ({ payerAccountNumber, payerAccountType }: Payment): string | null =>
  payerAccountNumber === null ? null : maskAccount(payerAccountNumber, payerAccountType);
