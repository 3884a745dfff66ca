import type { ComponentChildren } from 'preact';
import { fill } from '../common/markup.js';
import { QrCode } from '../http/qr-code.view.js';
import type { PageView } from './page-components.js';
import { PayForm } from './pay-form.view.js';

/** Transfer details as a QR code for banking apps, and as text to copy. */
export function TransferPanel(view: PageView) {
  const { pageKey, slot, messages } = view;
  const { scan, code, another } = messages.transfer;
  return (
    <>
      <div class="transfer">
        {slot.qrBox && slot.qrPath && (
          <figure>
            <QrCode drawing={{ box: slot.qrBox, path: slot.qrPath }} label={code} />
            <figcaption>{scan}</figcaption>
          </figure>
        )}
        <Details {...view} />
      </div>
      <Looks {...view} />
      {pageKey.methods.length > 0 && (
        <details class="another">
          <summary>{another}</summary>
          <PayForm {...view} />
        </details>
      )}
    </>
  );
}

function Details({ slot, messages: { transfer } }: PageView) {
  const { holder, iban, ibanBare, account, bic, reference, referenceBare } = slot;
  const { copy } = transfer;
  return (
    <dl data-copied={transfer.copied}>
      <Row id="holder" label={transfer.holder} bare={holder} copy={copy}>
        <bdi>{holder}</bdi>
      </Row>
      <Row
        id="account"
        label={iban ? 'IBAN' : transfer.account}
        bare={ibanBare ?? account}
        copy={copy}
      >
        <bdi dir="ltr">{iban ?? account}</bdi>
        {slot.bankName && (
          <small>
            <bdi>{slot.bankName}</bdi>
          </small>
        )}
      </Row>
      {bic && (
        <Row id="bic" label="BIC" bare={bic} copy={copy}>
          <bdi dir="ltr">{bic}</bdi>
        </Row>
      )}
      <Row id="amount" label={transfer.amount} bare={slot.restBare} copy={copy}>
        <bdi>{slot.rest}</bdi>
      </Row>
      <Row id="reference" label={transfer.reference} bare={referenceBare} copy={copy}>
        <bdi dir="ltr">{reference}</bdi>
        <small>{transfer.onlyReference}</small>
      </Row>
      <Row id="day" label={transfer.lastDay} bare={slot.lastDate} copy={copy}>
        <time dateTime={slot.lastDate}>{slot.lastDay}</time>
      </Row>
    </dl>
  );
}

interface RowProps {
  readonly id: string;
  readonly label: string;
  /** Text to copy: without blanks, currency names and the like. */
  readonly bare: string | undefined;
  readonly copy: string;
  readonly children: ComponentChildren;
}

/** The script shows the button, which needs it. */
const Row = ({ id, label, bare, copy, children }: RowProps) => (
  <div>
    <dt id={id}>{label}</dt>
    <dd>{children}</dd>
    <dd>
      <button
        type="button"
        id={`copy-${id}`}
        aria-labelledby={`copy-${id} ${id}`}
        data-copy={bare}
        hidden
      >
        {copy}
      </button>
    </dd>
  </div>
);

/** Explains why the page may not change for days. */
function Looks({ slot, messages: { transfer } }: PageView) {
  const { looks, looksSince, stays } = transfer;
  return (
    <p class="hint">
      {slot.lookedOn ? fill(looksSince, { day: <bdi>{slot.lookedOn}</bdi> }) : looks} {stays}
    </p>
  );
}
