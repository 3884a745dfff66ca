import { toMajorUnits } from '../../../common/money.js';
import { Card } from '../../kit/card.js';
import { Typed } from '../../kit/components.js';
import { Area } from '../../kit/fields.js';
import { formFields, FormField, PostForm } from '../../kit/form-components.js';
import { moneyText } from '../../kit/order-text.js';
import { numberText } from '../../kit/values.js';
import { ExceptionMark, StatusTag } from '../../kit/status.js';
import { TextValue } from '../../kit/values.js';
import { isPossibleDuplicate, isSaidSame, mayBeTotal } from '../../../bank/waiting-line.js';
import type { BankLine } from '../../../database/bank/bank-line.entity.js';
import { linePath } from './bank-path.js';
import { DayValue, LineAmount, LineTag } from './line-components.js';
import type { LineSuggestion } from './line-page.service.js';
import { suggestionText } from './line-text.js';
import type { LineProps } from './line.view.js';
import { NEVER_TOLD } from './which-order.js';
import { LINE_NOTE_MAX, ORDER_MAX, PARTS_MAX, LINE_REASON_MAX } from './line.form.js';

/** Which form was sent, so that what is wrong with it stands beside its own fields. */
export type LineForm = 'match' | 'return' | 'ignore' | 'duplicate' | 'notes';

const sentTo = (
  { sent, form, problems }: LineProps,
  name: LineForm,
  blank = new URLSearchParams(),
) => (sent === name ? formFields(form ?? blank, problems) : formFields(blank));

/** Orders that the line may be for: one click each, with a code where one is owed. */
export const Suggestions = (props: LineProps) => {
  const { page } = props;
  if (page.suggestions.length === 0) return null;
  return (
    <Card id="suggestions" title="It may be for">
      <ol class="rows">
        {page.suggestions.map((suggestion) => (
          <Suggested {...props} suggestion={suggestion} />
        ))}
      </ol>
      {page.moreSuggestions > 0 && (
        <p class="text-secondary mb-0">
          {numberText(page.moreSuggestions)} more orders may fit. Find the right one in the list of
          orders, and match the line to it below.
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
          `, of which ${moneyText(order.amountReceived, order.currency)} have come`}
        , <Typed text={order.merchantName} />
      </div>
      <div class="text-secondary">{suggestionText(because)}</div>
      {order.toldAccount === null && <div class="differs">{NEVER_TOLD}</div>}
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

/** Orders by their ids, each with its part of the money. */
export function MatchForm(props: LineProps) {
  const { context, page } = props;
  const { line, left } = page;
  const field = sentTo(props, 'match');
  if (line.currency === null) return null;
  return (
    <Card id="match" title="Match it to orders">
      <PostForm action={`${linePath(line)}/match`} csrf={context.csrf}>
        <p>
          {moneyText(left, line.currency)} can be matched. Name one order, or several with the part
          of each. What is left waits on.
        </p>
        <Parts row={0} field={field} />
        <FormField
          {...field('note')}
          label="What you saw"
          hint="It is kept as the evidence."
          maxLength={LINE_REASON_MAX}
          autocomplete="off"
          isOptional
        />
        <button class="btn btn-primary">Match</button>
      </PostForm>
    </Card>
  );
}

/** Money that a bank took back: the order, and how much of it. */
export function ReturnForm(props: LineProps) {
  const { context, page } = props;
  const { line, returnable } = page;
  const field = sentTo(props, 'return');
  if (line.currency === null) return null;
  return (
    <Card id="return" title="Return of a payment">
      <PostForm action={`${linePath(line)}/return`} csrf={context.csrf}>
        <p>
          If the bank took back a payment by transfer, or a part of one, name its order. Its
          merchant loses the money and is told; money that comes for the order later makes up for
          it.
        </p>
        <div class="line-part">
          <FormField
            {...field('order')}
            label="Order"
            hint="Its txid, or what its merchant calls it."
            maxLength={ORDER_MAX}
            autocomplete="off"
          />
          <FormField
            {...field('amount')}
            label="Amount"
            hint={`Empty: all of the ${moneyText(returnable, line.currency)}.`}
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

/** This row is seen; those behind it open one by one. */
function Parts({ row, field }: PartProps) {
  const next = row + 1;
  return (
    <>
      <PartRow row={row} field={field} />
      {next < PARTS_MAX && (
        <details open={isTypedFrom(next, field)}>
          <summary class="mb-3">Another order</summary>
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
        hint={row === 0 ? 'Its txid, or what its merchant calls it.' : undefined}
        maxLength={ORDER_MAX}
        autocomplete="off"
        isOptional={row > 0}
      />
      <FormField
        {...field(`amount${row}`)}
        label={row === 0 ? 'Amount' : `Amount ${row + 1}`}
        hint={row === 0 ? 'Empty: all of it, or what the order lacks.' : undefined}
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
    ? 'It may be the total of this booking and others'
    : 'It may be this booking';
}

/** The line that this one may be, or is, and the ways to say so. */
export const Duplicate = ({ context, page: { line, duplicateOf: other }, mayAct }: LineProps) =>
  other && (
    <Card id="duplicate" title={duplicateTitle(line)}>
      <p>
        <LineAmount {...other} />{' '}
        <a href={linePath(other)}>
          <DayValue day={other.bookedOn} />
        </a>{' '}
        <LineTag {...other} />
      </p>
      <p class="line-text">
        <TextValue text={other.text} />
      </p>
      {mayAct && isPossibleDuplicate(line) && (
        <>
          <p>
            Compare both with what the bank shows. If it is the same booking, this line counts no
            more. If it is another one, it is matched by the rules, and whoever says so approves no
            payout of its money.
          </p>
          <div class="d-flex flex-wrap gap-2">
            <PostForm action={`${linePath(line)}/same`} csrf={context.csrf}>
              <button class="btn btn-primary">Same booking</button>
            </PostForm>
            <PostForm action={`${linePath(line)}/another`} csrf={context.csrf}>
              <button class="btn">Another booking</button>
            </PostForm>
          </div>
        </>
      )}
      {mayAct && isSaidSame(line) && (
        <PostForm action={`${linePath(line)}/same/undo`} csrf={context.csrf}>
          <p>If that was wrong, both lines become what they were, and this one waits again.</p>
          <button class="btn">It is not the same after all</button>
        </PostForm>
      )}
    </Card>
  );

/** What waits is no payment, or has a name now; what a person said of it can be taken back. */
export function IgnoreForm(props: LineProps) {
  const { context, page } = props;
  const field = sentTo(props, 'ignore');
  const isOut = page.line.direction === 'out';
  if (page.line.state === 'ignored') {
    return (
      <Card id="reopen" title="It waits after all">
        <PostForm action={`${linePath(page.line)}/reopen`} csrf={context.csrf}>
          <button class="btn">Let it wait again</button>
        </PostForm>
      </Card>
    );
  }
  return (
    <Card id="ignore" title={isOut ? 'Say what it is' : 'It is no payment'}>
      <PostForm action={`${linePath(page.line)}/ignore`} csrf={context.csrf}>
        <FormField
          {...field('reason')}
          label={isOut ? 'What it is' : 'Why'}
          hint="Such as: our own transfer between two accounts."
          maxLength={LINE_REASON_MAX}
          autocomplete="off"
        />
        <button class="btn">{isOut ? 'Mark as explained' : 'Mark as no payment'}</button>
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
