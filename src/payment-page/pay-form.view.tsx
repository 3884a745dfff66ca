import { fill } from '../common/markup.js';
import type { PageView } from './page-components.js';

/** Payment methods, and the button to start. Beside a transfer a single method is named, too. */
export function PayForm({ pageKey: { methods, locale, isSample }, slot, messages }: PageView) {
  const amount = <bdi>{slot.amountDue ?? slot.amount}</bdi>;
  return (
    <form method="post" action={`/pay/${slot.token}/start`}>
      <input type="hidden" name="due" value={slot.due} />
      {methods.length === 1 && !slot.reference ? (
        <input type="hidden" name="method" value={methods[0]?.id} />
      ) : (
        <fieldset>
          <legend>{messages.chooseMethod}</legend>
          {methods.map(({ id, labels }, i) => (
            <label class="method">
              <input type="radio" name="method" value={id} checked={i === 0} required />
              {labels[locale]}
            </label>
          ))}
        </fieldset>
      )}
      <button class="button" type={isSample ? 'button' : undefined}>
        {fill(messages.pay, { amount })}
      </button>
    </form>
  );
}
