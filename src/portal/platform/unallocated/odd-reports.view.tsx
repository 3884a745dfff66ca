import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { OddReport } from '../../../database/providers/provider-event.repository.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { PostForm } from '../../kit/form-components.js';
import { AmountValue } from '../../kit/values.js';
import { Section, ZONE } from '../payouts/platform-components.js';
import { handledPath } from '../payouts/platform-path.js';

interface Props {
  readonly context: SignedInContext;
  readonly mode: Mode;
  readonly reports: readonly OddReport[];
}

const COLUMNS = ['Order', 'Merchant', 'What it says', 'Why it was not applied', 'Received'];

/** Nothing at all while there is none. */
export const OddReports = ({ context, mode, reports }: Props) =>
  reports.length === 0 ? null : (
    <Section
      id="odd-reports"
      title="What providers said that nobody could apply"
      note="Ask the provider, correct the books, then say that you did."
    >
      <Rows caption="Messages, the oldest first" columns={COLUMNS}>
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
              <Typed text={report.merchantName} />
            </Cell>
            <Cell label="What it says">
              {report.provider}: {report.kind}{' '}
              {report.amount !== null && report.currency !== null && (
                <AmountValue minor={report.amount} currency={report.currency} />
              )}
              {report.words !== null && <Typed text={report.words} />}
            </Cell>
            <Cell label="Why it was not applied">
              {whyNot(report)}
              {context.session.platformRole === 'operator' && (
                <PostForm action={handledPath({ ...report, mode })} csrf={context.csrf}>
                  <button class="btn btn-sm mt-1">Dealt with</button>
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

function whyNot({ paymentId, result, sameIdAs }: OddReport): string {
  if (sameIdAs !== null) return `Another message came under the same id before it: ${sameIdAs}.`;
  if (paymentId === null) return 'It is signed, but this version does not understand it.';
  if (result === null) return 'There is no such payment.';
  return 'It contradicts what is known of the payment.';
}
