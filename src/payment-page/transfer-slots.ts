import { printedReference } from '../common/money/creditor-reference.js';
import { epcPayloadOf } from '../common/money/epc-payload.js';
import { printedIban, readIban } from '../common/money/iban.js';
import { toMajorUnits } from '../common/money/money.js';
import { formatMoney } from '../common/money/money-format.js';
import { drawQr } from '../common/qr-code.js';
import { formatDay } from '../common/time/time-format.js';
import type { PageInput, TransferSlots } from './page.model.js';
import { transferOf } from './page-state.js';

/** Transfer details for the payer; empty if no transfer is expected. */
export function transferSlots({ order, locale, lookedAt }: PageInput): Partial<TransferSlots> {
  const form = transferOf(order);
  if (!form) return {};
  const { amount, amountReceived, currency, expiresAt } = order;
  const rest = Math.max(0, amount - amountReceived);
  return {
    holder: form.holder,
    ...accountSlots(form.account),
    ...(form.bic && { bic: form.bic }),
    ...(form.bankName && { bankName: form.bankName }),
    reference: printedReference(form.reference),
    referenceBare: form.reference,
    rest: formatMoney(rest, currency, locale),
    restBare: toMajorUnits(rest, currency),
    lastDay: formatDay(expiresAt, locale),
    lastDate: expiresAt.toISOString().slice(0, 10),
    ...codeSlots(epcPayloadOf(form, rest, currency)),
    ...(lookedAt && { lookedOn: formatDay(lookedAt, locale) }),
  };
}

function accountSlots(account: string) {
  const iban = readIban(account);
  return iban ? { iban: printedIban(iban), ibanBare: iban } : { account };
}

function codeSlots(payload: string | null) {
  if (payload === null) return {};
  const { box, path } = drawQr(payload);
  return { qrBox: box, qrPath: path };
}
