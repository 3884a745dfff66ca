import { printedIban } from '../../../common/money/iban.js';
import type { PlatformPayout } from '../../../database/read-models/platform-payout.repository.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Detail, DetailList } from '../../kit/card.js';
import { Typed } from '../../kit/components.js';
import { FormCard } from '../../kit/fields.js';
import { formFields, FormButtons, FormField, PostForm } from '../../kit/form-components.js';
import type { Problems } from '../../kit/form.js';
import { AmountValue } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { type PayoutOutcome, REASON_MAX } from './payout-page.service.js';
import { OUTCOME_TEXTS } from './payout-text.js';
import { platformPayoutPath } from './platform-path.js';
import { MerchantName } from '../merchant-name.js';

interface OutcomePage {
  readonly context: SignedInContext;
  readonly payout: PlatformPayout;
  readonly outcome: PayoutOutcome;
  readonly form: URLSearchParams;
  readonly problems: Problems | undefined;
}

/** Asks for confirmation and a reason before the bank's result is booked. */
export function renderOutcome({ context, payout, outcome, form, problems }: OutcomePage): string {
  const { title, text, button } = OUTCOME_TEXTS[outcome];
  return renderPage({
    context,
    title,
    children: (
      <FormCard problems={problems}>
        <What payout={payout} />
        <p class="mt-3">{text}</p>
        <PostForm csrf={context.csrf}>
          {outcome !== 'paid' && (
            <FormField
              {...formFields(form, problems)('reason')}
              label="Reason from the bank"
              hint="Shown to the merchant."
              autocomplete="off"
              maxLength={REASON_MAX}
            />
          )}
          <FormButtons
            label={button}
            back={platformPayoutPath(payout)}
            kind={outcome === 'paid' ? 'primary' : 'danger'}
            isLong
          />
        </PostForm>
      </FormCard>
    ),
  });
}

const What = ({ payout }: { readonly payout: PlatformPayout }) => (
  <DetailList>
    <Detail name="Amount">
      <AmountValue minor={payout.amount} currency={payout.currency} />
    </Detail>
    <Detail name="Merchant">
      <MerchantName id={payout.merchantId} name={payout.merchantName} />
    </Detail>
    <Detail name="Account">
      <Typed text={payout.holder} />
      <div class="id">{printedIban(payout.iban)}</div>
    </Detail>
  </DetailList>
);
