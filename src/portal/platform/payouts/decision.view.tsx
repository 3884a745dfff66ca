import { Field, Notice, PostForm } from '../../layout/parts.js';
import { amountText } from '../../layout/values.js';
import { Card } from '../../order/order-parts.js';
import { FreshCode } from './desk-parts.js';
import { payoutPath } from './desk-path.js';
import { canBecome, OUTCOMES, REASON_MAX } from './payout-page.service.js';
import { OUTCOME_WORDS } from './payout-words.js';
import type { PayoutProps } from './payout.view.js';

/** What can be decided about the payout now. */
export function Decision(props: PayoutProps) {
  const { payout } = props.page;
  const outcomes = OUTCOMES.filter((outcome) => canBecome(payout, outcome));
  if (canBecome(payout, 'rejected')) {
    return (
      <Card id="decision" title="Your decision">
        {payout.status === 'pending_approval' && <Approve {...props} />}
        <Reject {...props} />
      </Card>
    );
  }
  if (outcomes.length === 0) return null;
  return (
    <Card id="decision" title="What the bank says">
      <div class="d-grid gap-2">
        {outcomes.map((outcome) => (
          <a class="btn" href={`${payoutPath(payout)}/${outcome}`}>
            {OUTCOME_WORDS[outcome].link}
          </a>
        ))}
      </div>
    </Card>
  );
}

function Approve({ visit, page: { payout, bar }, owesCode, problems }: PayoutProps) {
  if (bar) return <Notice>{bar.text}</Notice>;
  return (
    <PostForm csrf={visit.csrf} action={`${payoutPath(payout)}/approve`}>
      <input
        type="hidden"
        name="contentHash"
        value={payout.contentHash?.toString('hex') ?? undefined}
      />
      {owesCode && <FreshCode problem={problems?.['code']} />}
      <button class="btn btn-primary w-100">
        Approve {amountText(payout.amount, payout.currency)} {payout.currency}
      </button>
    </PostForm>
  );
}

const Reject = ({ visit, page: { payout }, problems, form }: PayoutProps) => (
  <div class={payout.status === 'pending_approval' ? 'or-else' : undefined}>
    <PostForm csrf={visit.csrf} action={`${payoutPath(payout)}/reject`}>
      <Field
        name="reason"
        label="Reason not to pay it"
        hint="The merchant reads it."
        value={form?.get('reason') ?? ''}
        problem={problems?.['reason']}
        autocomplete="off"
        maxLength={REASON_MAX}
      />
      <button class="btn w-100">Reject</button>
    </PostForm>
  </div>
);
