import { Card } from '../../kit/card.js';
import { FormField, Notice, PostForm } from '../../kit/form-components.js';
import { amountText } from '../../kit/values.js';
import { canBecome, OUTCOMES, REASON_MAX } from './payout-page.service.js';
import { OUTCOME_TEXTS } from './payout-text.js';
import type { PayoutProps } from './payout.view.js';
import { FreshCode } from './platform-components.js';
import { platformPayoutPath } from './platform-path.js';

/** Decisions available in the current state of the payout. */
export function DecisionForm(props: PayoutProps) {
  const { payout } = props.page;
  const outcomes = OUTCOMES.filter((outcome) => canBecome(payout, outcome));
  if (canBecome(payout, 'rejected')) {
    return (
      <Card id="decision" title="Decision">
        {payout.status === 'pending_approval' && <Approve {...props} />}
        <Reject {...props} />
      </Card>
    );
  }
  if (outcomes.length === 0) return null;
  return (
    <Card id="decision" title="Bank result">
      <div class="d-grid gap-2">
        {outcomes.map((outcome) => (
          <a class="btn" href={`${platformPayoutPath(payout)}/${outcome}`}>
            {OUTCOME_TEXTS[outcome].link}
          </a>
        ))}
      </div>
    </Card>
  );
}

function Approve({ context, page: { payout, bar }, needsCode, problems }: PayoutProps) {
  if (bar) return <Notice>{bar.text}</Notice>;
  return (
    <PostForm csrf={context.csrf} action={`${platformPayoutPath(payout)}/approve`}>
      <input
        type="hidden"
        name="contentHash"
        value={payout.contentHash?.toString('hex') ?? undefined}
      />
      {needsCode && <FreshCode problem={problems?.['code']} />}
      <button class="btn btn-primary w-100">
        Approve {amountText(payout.amount, payout.currency)} {payout.currency}
      </button>
    </PostForm>
  );
}

const Reject = ({ context, page: { payout }, problems, form }: PayoutProps) => (
  <div class={payout.status === 'pending_approval' ? 'or-else' : undefined}>
    <PostForm csrf={context.csrf} action={`${platformPayoutPath(payout)}/reject`}>
      <FormField
        name="reason"
        label="Reason for rejection"
        hint="Shown to the merchant."
        value={form?.get('reason') ?? ''}
        problem={problems?.['reason']}
        autocomplete="off"
        maxLength={REASON_MAX}
      />
      <button class="btn w-100">Reject</button>
    </PostForm>
  </div>
);
