import type { SeenAllocation } from '../../../database/bank/matching/bank-queue.repository.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import type { AccountType } from '../../../database/payments/payment.entity.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Detail, DetailList } from '../../kit/card.js';
import { Typed } from '../../kit/components.js';
import { Choice } from '../../kit/fields.js';
import { formFields, FormField } from '../../kit/form-components.js';
import { formWith, type Problems } from '../../kit/form.js';
import { StatusTag } from '../../kit/status.js';
import { AmountValue, TextValue } from '../../kit/values.js';
import { renderForm } from '../../layout/form-page.view.js';
import { linePath } from './bank-path.js';
import { AccountValue } from './line-components.js';
import { PAYER_ACCOUNT_MAX, PAYER_NAME_MAX, LINE_REASON_MAX } from './line.form.js';
import { MerchantName } from '../merchant-name.js';

interface Props {
  readonly context: SignedInContext;
  readonly line: BankLine;
  readonly allocation: SeenAllocation;
  /** The submitted values. */
  readonly form?: URLSearchParams;
  readonly problems?: Problems | undefined;
}

/** Asks for the reason before a match is undone. */
export function renderUndo({ context, line, allocation, form, problems }: Props): string {
  const field = formFields(form ?? new URLSearchParams(), problems);
  return renderForm({
    context,
    title: 'Undo this match?',
    problems,
    intro: (
      <>
        <Matched allocation={allocation} />
        <p class="mt-3">
          The order loses this payment: it opens again, or expires if its time is over. The merchant
          is notified. The line returns to review.
        </p>
      </>
    ),
    children: (
      <FormField
        {...field('reason')}
        label="Reason"
        maxLength={LINE_REASON_MAX}
        autocomplete="off"
      />
    ),
    button: 'Undo the match',
    back: linePath(line),
  });
}

const KINDS: readonly (readonly [AccountType, string])[] = [
  ['iban', 'IBAN'],
  ['domestic', 'Other account number'],
  ['unknown', 'Unknown'],
];

/** Asks for payer details that the bank did not provide. */
export function renderPayer({ context, line, allocation, form, problems }: Props): string {
  const field = formFields(form ?? formWith({ type: 'iban' }), problems);
  const { payerAccountName: name, payerAccountNumber: account } = allocation;
  return renderForm({
    context,
    title: 'Add the payer',
    problems,
    intro: (
      <>
        <Matched allocation={allocation} />
        <p class="mt-3">Details from the bank are not changed. The merchant is notified.</p>
      </>
    ),
    children: (
      <>
        {name === null && (
          <FormField
            {...field('name')}
            label="Payer’s name"
            maxLength={PAYER_NAME_MAX}
            autocomplete="off"
            isOptional
          />
        )}
        {account === null && (
          <>
            <FormField
              {...field('account')}
              label="Payer’s account"
              maxLength={PAYER_ACCOUNT_MAX}
              autocomplete="off"
              isOptional
            />
            <Choice {...field('type')} label="Account type" options={KINDS} />
          </>
        )}
      </>
    ),
    button: 'Save payer',
    back: linePath(line),
  });
}

const Matched = ({ allocation }: Pick<Props, 'allocation'>) => (
  <DetailList>
    <Detail name="Order">
      <Typed text={allocation.orderMerchantId} />
      <div class="id">{allocation.txid}</div>
    </Detail>
    <Detail name="Merchant">
      <MerchantName id={allocation.merchantId} name={allocation.merchantName} />
    </Detail>
    <Detail name="Status">
      <StatusTag status={allocation.status} />
    </Detail>
    <Detail name="Amount">
      <AmountValue minor={allocation.amount} currency={allocation.currency} />
    </Detail>
    <Detail name="Payer">
      <TextValue text={allocation.payerAccountName} />
      {allocation.payerAccountNumber !== null && (
        <div>
          <AccountValue
            account={allocation.payerAccountNumber}
            type={allocation.payerAccountType}
          />
        </div>
      )}
    </Detail>
  </DetailList>
);
