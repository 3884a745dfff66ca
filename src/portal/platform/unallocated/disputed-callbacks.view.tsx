import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { DisputedCallback } from '../../../database/providers/provider-event.repository.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { PostForm } from '../../kit/form-components.js';
import { AmountValue } from '../../kit/values.js';
import { Section, ZONE } from '../payouts/platform-components.js';
import { handledPath } from '../payouts/platform-path.js';
import { MerchantName } from '../merchant-name.js';

interface Props {
  readonly context: SignedInContext;
  readonly mode: Mode;
  readonly reports: readonly DisputedCallback[];
}

const COLUMNS = ['Order', 'Merchant', 'Message', 'Problem', 'Received'];

/** Renders nothing if there are none. */
export const DisputedCallbacks = ({ context, mode, reports }: Props) =>
  reports.length === 0 ? null : (
    <Section
      id="disputed-callbacks"
      title="Disputed provider callbacks"
      note="Clarify with the provider, correct the ledger, then mark as resolved."
    >
      <Rows caption="Callbacks, oldest first" columns={COLUMNS}>
        {reports.map((report) => (
          <tr>
            <Cell label="Order" class="strong">
              {report.txid === null ? (
                'Unknown'
              ) : (
                <>
                  <span class="id">{report.txid}</span>
                  <div class="id">Payment {report.paymentId}</div>
                </>
              )}
            </Cell>
            <Cell label="Merchant">
              <MerchantName id={report.merchantId} name={report.merchantName} />
            </Cell>
            <Cell label="Message">
              {report.provider}: {report.kind}{' '}
              {report.amount !== null && report.currency !== null && (
                <AmountValue minor={report.amount} currency={report.currency} />
              )}
              {report.words !== null && <Typed text={report.words} />}
            </Cell>
            <Cell label="Problem">
              {whyNot(report)}
              {context.session.platformRole === 'operator' && (
                <PostForm action={handledPath({ ...report, mode })} csrf={context.csrf}>
                  <button class="btn btn-sm mt-1">Mark as resolved</button>
                </PostForm>
              )}
            </Cell>
            <Cell label="Received">
              <When at={report.receivedAt} zone={ZONE} />
            </Cell>
          </tr>
        ))}
      </Rows>
    </Section>
  );

function whyNot({ paymentId, result, sameIdAs }: DisputedCallback): string {
  if (sameIdAs !== null) return `An earlier callback has the same ID: ${sameIdAs}.`;
  if (paymentId === null) return 'Signed, but not supported by this version.';
  if (result === null) return 'Payment not found.';
  return 'It contradicts the recorded payment.';
}
