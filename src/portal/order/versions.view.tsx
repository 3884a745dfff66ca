import type { MerchantContext } from '../../people/portal-context.js';
import { Card } from '../kit/card.js';
import { Notice } from '../kit/form-components.js';
import { renderPage } from '../layout/shell.view.js';
import type { VersionedOrder, VersionLab } from './order-page.service.js';
import { orderPath, visibilityNote } from './order-props.js';
import { type JsonLine, lackingMembers, markedLines } from './version-lines.js';

/** Compares one order in all API versions. */
export function renderVersions(
  context: MerchantContext,
  { order, visibility, versions }: VersionLab,
): string {
  return renderPage({
    context,
    title: `Order ${order.orderMerchantId} in all API versions`,
    subtitle: <a href={orderPath(context, order.txid)}>Back to the order</a>,
    children: (
      <>
        <p>
          The response for each value of the <code>Api-Version</code> header. Lines that are not in
          the previous version are marked “new”.
        </p>
        {visibility.payer !== 'full' && <Notice>{visibilityNote(visibility.payer)}</Notice>}
        <div class="versions" role="region" aria-label="The order in each version" tabindex={0}>
          {versions.map((each, i) => (
            <Version current={each} older={versions[i - 1]} newest={versions.at(-1)!} />
          ))}
        </div>
      </>
    ),
  });
}

interface VersionProps {
  readonly current: VersionedOrder;
  readonly older: VersionedOrder | undefined;
  readonly newest: VersionedOrder;
}

function Version({ current, older, newest }: VersionProps) {
  const lines = markedLines(current.body, older?.body ?? null);
  const lacking = lackingMembers(current.body, newest.body);
  return (
    <Card id={`v-${current.version}`} title={`Version ${current.version}`} class="card">
      {isSame(lines, older) && <p>Identical to {older!.version}.</p>}
      <p>
        {lacking.length === 0
          ? 'Contains all fields of the newest version.'
          : `Missing: ${lacking.join(', ')}.`}
      </p>
      <pre class="json" tabindex={0} role="region" aria-label={`JSON of ${current.version}`}>
        <code>
          {lines.map(({ text, isNew }) =>
            isNew ? (
              <ins>
                {text}
                <b class="new"> new</b>
                {'\n'}
              </ins>
            ) : (
              `${text}\n`
            ),
          )}
        </code>
      </pre>
    </Card>
  );
}

const isSame = (lines: readonly JsonLine[], older: VersionedOrder | undefined): boolean =>
  older !== undefined && lines.every(({ isNew }) => !isNew);
