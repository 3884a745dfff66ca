import { selfContained } from '../common/markup.js';
import { isLongAmount } from '../common/money/money-format.js';
import { Document, html } from '../http/document.view.js';

export interface SandboxBankPage {
  merchantName: string;
  /** Formatted, with its currency. */
  amountText: string;
  reference: string;
  /** The bank has answered; no choice is left. */
  answered: boolean;
  /** Where the payer continues after the answer. */
  returnHref?: string;
  styleHref: string;
}

const TITLE = 'Sandbox bank';

const OUTCOMES = [
  ['paid', 'Pay', 'The bank accepts at once.'],
  ['pending', 'Pay later', 'The bank accepts, but takes its time.'],
  ['declined', 'Decline', 'The bank refuses.'],
  ['unknown', 'Time out', 'The bank never answers.'],
  ['cancelled', 'Cancel', 'The payer turns back at the bank.'],
] as const;

export function renderSandboxBankPage(page: SandboxBankPage): string {
  return html(
    <Document locale="en" title={TITLE} styleHref={page.styleHref}>
      <header class="test">This bank is a simulation. No money moves.</header>
      <main>
        <Merchant {...page} />
        {page.answered ? <Answered {...page} /> : <Choice {...page} />}
      </main>
    </Document>,
  );
}

function Merchant({ merchantName, reference }: SandboxBankPage) {
  return (
    <div class="merchant">
      <span class="logo" aria-hidden="true">
        S
      </span>
      <div>
        <p class="name">{TITLE}</p>
        <p class="order">
          For <bdi>{selfContained(merchantName)}</bdi>, reference <bdi>{reference}</bdi>
        </p>
      </div>
    </div>
  );
}

function Answered({ amountText, returnHref }: SandboxBankPage) {
  return (
    <section class="card">
      <div class="sum">
        <h1>The bank has already answered</h1>
        <Amount text={amountText} />
      </div>
      <div class="act">
        <p>A payment is answered once. Start another attempt from the payment page.</p>
        {returnHref && (
          <a class="button" href={returnHref}>
            Back to the payment page
          </a>
        )}
      </div>
    </section>
  );
}

function Amount({ text }: { text: string }) {
  return (
    <p class={isLongAmount(text) ? 'amount long' : 'amount'}>
      <bdi>{text}</bdi>
    </p>
  );
}

function Choice({ amountText }: SandboxBankPage) {
  return (
    <section class="card calm">
      <div class="sum">
        <h1>Confirm your payment</h1>
        <Amount text={amountText} />
      </div>
      <form class="act" method="post">
        <Outcomes />
        <div class="later">
          <Field name="afterSeconds" label="Seconds to wait" hint="Empty: 10" />
        </div>
        <details>
          <summary>Change the payer or the amount</summary>
          <Field name="payerAccountNumber" label="Your account" value="DE89370400440532013000" />
          <Field name="payerAccountName" label="Your name" value="Erika Mustermann" />
          <Field name="amount" label="Another amount" hint="In minor units; empty: as ordered" />
        </details>
        <button class="button">Answer</button>
      </form>
    </section>
  );
}

function Outcomes() {
  return (
    <fieldset>
      <legend>What does the bank answer?</legend>
      {OUTCOMES.map(([value, label, meaning], i) => (
        <label class="method">
          <input type="radio" name="outcome" value={value} checked={i === 0} required />
          <span>
            {label} <span class="hint">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  value?: string;
}

/** Integer field with a hint, otherwise a text field. */
function Field({ name, label, hint, value }: FieldProps) {
  return (
    <label class="field">
      <span>
        {label} {hint && <span class="hint">{hint}</span>}
      </span>
      {hint ? (
        <input name={name} inputMode="numeric" pattern="[0-9]{1,11}" autocomplete="off" />
      ) : (
        <input name={name} value={value} maxLength={140} autocomplete="off" />
      )}
    </label>
  );
}
