import { toMajorUnits } from '../../../common/money/money.js';
import { Card } from '../../kit/card.js';
import { Typed } from '../../kit/components.js';
import { Area } from '../../kit/fields.js';
import { formFields, FormField, PostForm } from '../../kit/form-components.js';
import { moneyText } from '../../kit/order-text.js';
import { numberText } from '../../kit/values.js';
import { ExceptionMark, StatusTag } from '../../kit/status.js';
import { TextValue } from '../../kit/values.js';
import {
  isPossibleDuplicate,
  isMarkedDistinct,
  isMarkedSame,
  mayBeTotal,
} from '../../../bank/recognition/waiting-line.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import { linePath } from './bank-path.js';
import { DayValue, LineAmount, LineTag } from './line-components.js';
import type { LineSuggestion } from './line-page.service.js';
import { suggestionText } from './line-text.js';
import type { LineProps } from './line.view.js';
import { NEVER_TOLD } from './which-order.js';
import { LINE_NOTE_MAX, ORDER_MAX, PARTS_MAX, LINE_REASON_MAX } from './line.form.js';
import { MerchantName } from '../merchant-name.js';

/** Forms of the page; problems are shown in the form that was submitted. */
export type LineForm = 'match' | 'return' | 'ignore' | 'duplicate' | 'notes';

const sentTo = (
  { sent, form, problems }: LineProps,
  name: LineForm,
  blank = new URLSearchParams(),
) => (sent === name ? formFields(form ?? blank, problems) : formFields(blank));

/** Suggested orders, each matched with one click. */
export const Suggestions = (props: LineProps) => {
  const { page } = props;
  if (page.suggestions.length === 0) return null;
  return (
    <Card id="suggestions" title="Suggested orders">
      <ol class="rows">
        {page.suggestions.map((suggestion) => (
          <Suggested {...props} suggestion={suggestion} />
        ))}
      </ol>
      {page.moreSuggestions > 0 && (
        <p class="text-secondary mb-0">
          {numberText(page.moreSuggestions)} more orders are possible. Find the right one in the
          order list, then match it below.
        </p>
      )}
    </Card>
  );
};

const Suggested = ({
  context,
  page: { line, left },
  mayAct,
  suggestion: { order, because },
}: LineProps & { readonly suggestion: LineSuggestion }) => (
  <li class="d-flex flex-wrap gap-3 align-items-start">
    <div class="flex-fill">
      <strong>
        <Typed text={order.orderMerchantId} />
      </strong>{' '}
      <StatusTag status={order.status} /> <ExceptionMark exception={order.exception} />
      <div>
        {moneyText(order.amount, order.currency)}
        {order.amountReceived > 0 &&
          `, ${moneyText(order.amountReceived, order.currency)} received`}
        , <MerchantName id={order.merchantId} name={order.merchantName} />
      </div>
      <div class="text-secondary">{suggestionText(because)}</div>
      {order.instructedAccount === null && <div class="differs">{NEVER_TOLD}</div>}
      <div class="id">{order.txid}</div>
    </div>
    {mayAct && line.currency !== null && order.currency === line.currency && left > 0 && (
      <PostForm action={`${linePath(line)}/match`} csrf={context.csrf}>
        <input type="hidden" name="order0" value={order.txid} />
        <input type="hidden" name="amount0" value={toMajorUnits(left, line.currency)} />
        <button class="btn btn-primary">
          Match<span class="visually-hidden"> to {order.orderMerchantId}</span>
        </button>
      </PostForm>
    )}
  </li>
);

/** Matches a line to one or several orders by ID. */
export function MatchForm(props: LineProps) {
  const { context, page } = props;
  const { line, left } = page;
  const field = sentTo(props, 'match');
  if (line.currency === null) return null;
  return (
    <Card id="match" title="Match to orders">
      <PostForm action={`${linePath(line)}/match`} csrf={context.csrf}>
        <p>
          {moneyText(left, line.currency)} can be matched. Enter one order, or several with an
          amount each. The rest stays unmatched.
        </p>
        <Parts row={0} field={field} />
        <FormField
          {...field('note')}
          label="Reason"
          hint="Stored as evidence."
          maxLength={LINE_REASON_MAX}
          autocomplete="off"
          isOptional
        />
        <button class="btn btn-primary">Match</button>
      </PostForm>
    </Card>
  );
}

/** Books a line as the return of a payment. */
export function ReturnForm(props: LineProps) {
  const { context, page } = props;
  const { line, returnable } = page;
  const field = sentTo(props, 'return');
  if (line.currency === null) return null;
  return (
    <Card id="return" title="Returned payment">
      <PostForm action={`${linePath(line)}/return`} csrf={context.csrf}>
        <p>
          If the bank returned a transfer or part of it, enter its order. The amount is deducted
          from the merchant’s balance, and the merchant is notified. A later payment of the order
          replaces it.
        </p>
        <div class="line-part">
          <FormField
            {...field('order')}
            label="Order"
            hint="Its txid or the merchant’s order number."
            maxLength={ORDER_MAX}
            autocomplete="off"
          />
          <FormField
            {...field('amount')}
            label="Amount"
            hint={`Leave empty for all ${moneyText(returnable, line.currency)}.`}
            maxLength={20}
            autocomplete="off"
            isOptional
          />
        </div>
        <button class="btn btn-primary">Book the return</button>
      </PostForm>
    </Card>
  );
}

interface PartProps {
  readonly row: number;
  readonly field: ReturnType<typeof formFields>;
}

/** Shows one row; further rows expand one at a time. */
function Parts({ row, field }: PartProps) {
  const next = row + 1;
  return (
    <>
      <PartRow row={row} field={field} />
      {next < PARTS_MAX && (
        <details open={isTypedFrom(next, field)}>
          <summary class="mb-3">Add another order</summary>
          <Parts row={next} field={field} />
        </details>
      )}
    </>
  );
}

const isTypedFrom = (first: number, field: PartProps['field']): boolean =>
  Array.from({ length: PARTS_MAX - first }, (_, at) => first + at).some(
    (row) => field(`order${row}`).value || field(`amount${row}`).value,
  );

function PartRow({ row, field }: PartProps) {
  return (
    <div class="line-part">
      <FormField
        {...field(`order${row}`)}
        label={row === 0 ? 'Order' : `Order ${row + 1}`}
        hint={row === 0 ? 'Its txid or the merchant’s order number.' : undefined}
        maxLength={ORDER_MAX}
        autocomplete="off"
        isOptional={row > 0}
      />
      <FormField
        {...field(`amount${row}`)}
        label={row === 0 ? 'Amount' : `Amount ${row + 1}`}
        hint={row === 0 ? 'Leave empty for the full or outstanding amount.' : undefined}
        maxLength={20}
        autocomplete="off"
        isOptional
      />
    </div>
  );
}

function duplicateTitle(line: BankLine): string {
  if (!isPossibleDuplicate(line)) return 'Compared with';
  return mayBeTotal(line)
    ? 'Possible total of this booking and others'
    : 'Possible duplicate of this booking';
}

/** The possible original of a duplicate, and the decisions about it. */
export const Duplicate = ({ context, page: { line, duplicateOf: other }, mayAct }: LineProps) =>
  other && (
    <Card id="duplicate" title={duplicateTitle(line)}>
      <p>
        <LineAmount {...other} />{' '}
        <a href={linePath(other)}>
          <DayValue day={other.bookedOn ?? other.valuedOn} />
        </a>{' '}
        <LineTag {...other} />
      </p>
      <p class="line-text">
        <TextValue text={other.text} />
      </p>
      {mayAct && isPossibleDuplicate(line) && (
        <>
          <p>
            Compare both lines with your bank account. If it is the same booking, this line is
            ignored. If it is a separate booking, it is matched automatically, and you cannot
            approve payouts of its money.
          </p>
          <div class="d-flex flex-wrap gap-2">
            <PostForm action={`${linePath(line)}/same`} csrf={context.csrf}>
              <button class="btn btn-primary">Same booking</button>
            </PostForm>
            <PostForm action={`${linePath(line)}/another`} csrf={context.csrf}>
              <button class="btn">Separate booking</button>
            </PostForm>
          </div>
        </>
      )}
      {mayAct && isMarkedSame(line) && (
        <PostForm action={`${linePath(line)}/same/undo`} csrf={context.csrf}>
          <p>If this is wrong, both lines are restored, and this one returns to review.</p>
          <button class="btn">Not the same booking</button>
        </PostForm>
      )}
      {mayAct && isMarkedDistinct(line) && (
        <PostForm action={`${linePath(line)}/another/undo`} csrf={context.csrf}>
          <p>
            An operator decided that these are two bookings. To change this, first undo the matches
            and returns of this line.
          </p>
          <button class="btn">Compare again</button>
        </PostForm>
      )}
    </Card>
  );

/** Removes a line from review, or reopens it. */
export function IgnoreForm(props: LineProps) {
  const { context, page } = props;
  const field = sentTo(props, 'ignore');
  const isOut = page.line.direction === 'out';
  if (page.line.state === 'ignored') {
    return (
      <Card id="reopen" title="Reopen this line">
        <PostForm action={`${linePath(page.line)}/reopen`} csrf={context.csrf}>
          <button class="btn">Reopen</button>
        </PostForm>
      </Card>
    );
  }
  return (
    <Card id="ignore" title={isOut ? 'Explain this payment' : 'Not a payment'}>
      <PostForm action={`${linePath(page.line)}/ignore`} csrf={context.csrf}>
        <FormField
          {...field('reason')}
          label={isOut ? 'Explanation' : 'Reason'}
          hint="For example: own transfer between two accounts."
          maxLength={LINE_REASON_MAX}
          autocomplete="off"
        />
        <button class="btn">{isOut ? 'Mark as explained' : 'Mark as not a payment'}</button>
      </PostForm>
    </Card>
  );
}

export function NoteForm(props: LineProps) {
  const field = sentTo(props, 'notes');
  return (
    <PostForm action={`${linePath(props.page.line)}/notes`} csrf={props.context.csrf}>
      <Area {...field('text')} label="Note" maxLength={LINE_NOTE_MAX} />
      <button class="btn">Save the note</button>
    </PostForm>
  );
}
