import { whyWithheld } from '../../../payouts/withheld.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Card, Code, Detail, DetailList } from '../../kit/card.js';
import { Typed, When } from '../../kit/components.js';
import { CsrfField, Notice, PostForm } from '../../kit/form-components.js';
import { AmountValue, dayText, numberText } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import {
  PlatformDone,
  PlatformPager,
  PayoutTable,
  Section,
  ZONE,
} from '../payouts/platform-components.js';
import { platformPayoutsPath, filePath, filesPath } from '../payouts/platform-path.js';
import { FileTag, stateOf, statesText } from './file-table.view.js';
import { executionDay, type FilePage } from './files.service.js';

interface FileProps {
  readonly context: SignedInContext;
  readonly page: FilePage;
  readonly done?: unknown;
  /** Why the requested action failed. */
  readonly problem?: string | null;
}

export function renderFile({ context, page, done, problem }: FileProps): string {
  const { file } = page;
  return renderPage({
    context,
    title: 'Bank file',
    subtitle: (
      <>
        <a href={platformPayoutsPath(file.mode)}>Payouts</a> ·{' '}
        <a href={filesPath(file.mode)}>Bank files</a> · Times in UTC
      </>
    ),
    children: (
      <>
        <PlatformDone word={done} />
        {problem && <Notice kind="bad">{problem}</Notice>}
        <Head {...page} />
        <div class="order-facts">
          <DetailsCard {...page} />
          <div>
            <StepsCard context={context} page={page} />
            <DownloadsCard {...page} />
          </div>
        </div>
        <Inside {...page} />
      </>
    ),
  });
}

const STORIES = {
  made: 'Download it, upload it to your bank, then mark it as submitted.',
  submitted:
    'Submitted to the bank. When it is executed, mark all payouts as paid, or single payouts below.',
  ended: 'All payouts are settled.',
  not_sent:
    'Not sent: do not submit this file anymore. Its payouts can be exported again; if it was downloaded, they must first be approved again.',
} as const;

const Head = ({ file }: FilePage) => (
  <div class="order-head card mb-3">
    <div class="card-body">
      <p class="order-amount">
        <AmountValue minor={file.amount} currency={file.currency} />
        <FileTag file={file} />
      </p>
      <p class="order-story">{STORIES[stateOf(file)]}</p>
    </div>
  </div>
);

const DetailsCard = ({ file }: FilePage) => (
  <Card id="facts" title="Details">
    <DetailList>
      <Detail name="Payouts">{numberText(file.payouts)}</Detail>
      <Detail name="Payout status">{statesText(file) || 'No longer in this file'}</Detail>
      <Detail name="Execution date">{dayText(executionDay(file.createdAt), ZONE)}</Detail>
      <Detail name="Format">{file.format}</Detail>
      <Detail name="Created">
        <When at={file.createdAt} zone={ZONE} />
        <div>
          by <Typed text={file.createdByName} />
        </div>
      </Detail>
      {file.notSentAt && (
        <Detail name="Marked as not sent">
          <When at={file.notSentAt} zone={ZONE} />
        </Detail>
      )}
      <Detail name="Message ID">
        <Code text={file.messageId} />
      </Detail>
      <Detail name="SHA-256 of the file">
        <Code text={file.sha256.toString('hex')} />
      </Detail>
    </DetailList>
  </Card>
);

interface StepsProps {
  readonly context: SignedInContext;
  readonly page: FilePage;
}

function StepsCard({ context, page: { file, downloads } }: StepsProps) {
  const state = stateOf(file);
  const path = filePath(file);
  const withheld = whyWithheld(file);
  return (
    <Card id="steps" title="Next steps">
      <div class="d-grid gap-2">
        {withheld ? (
          <Notice kind="warn">This file can no longer be downloaded. {withheld}</Notice>
        ) : (
          // No `data-once`: the page stays after a download, so the button must stay enabled.
          <form method="post" action={`${path}/download`}>
            <CsrfField csrf={context.csrf} />
            <button
              class={
                state === 'made' && downloads.length === 0 ? 'btn btn-primary w-100' : 'btn w-100'
              }
            >
              {downloads.length === 0 ? 'Download the file' : 'Download again'}
            </button>
          </form>
        )}
        {state === 'made' && (
          <>
            <PostForm csrf={context.csrf} action={`${path}/submitted`}>
              <button class={downloads.length === 0 ? 'btn w-100' : 'btn btn-primary w-100'}>
                Mark as submitted{' '}
              </button>
            </PostForm>
            <a class="btn" href={`${path}/not-sent`}>
              Mark as not sent{' '}
            </a>
          </>
        )}
        {state === 'submitted' && (
          <PostForm csrf={context.csrf} action={`${path}/paid`}>
            <button class="btn btn-primary w-100">Mark all as paid</button>
          </PostForm>
        )}
      </div>
    </Card>
  );
}

/** Download history: a file submitted by two operators would be paid twice. */
const DownloadsCard = ({ file, downloads }: FilePage) => (
  <Card id="downloads" title="Downloads">
    {downloads.length === 0 ? (
      <p class="mb-0">Not downloaded yet.</p>
    ) : (
      <>
        {stateOf(file) === 'made' && (
          <Notice kind="warn">
            This file was already downloaded{downloads.length === 1 ? '' : ' more than once'}. Check
            that it was not submitted before you submit it: the bank may pay it twice.
          </Notice>
        )}
        <ol class="rows">
          {downloads.map(({ at, byName }) => (
            <li>
              <When at={at} zone={ZONE} /> by <Typed text={byName ?? 'a former user'} />
            </li>
          ))}
        </ol>
      </>
    )}
  </Card>
);

function Inside({ file, payouts }: FilePage) {
  if (payouts.entries.length === 0 && payouts.after === null) return null;
  return (
    <Section id="payouts" title="Payouts in the file">
      <PayoutTable caption="Payouts of the file" payouts={payouts.entries} withStatus />
      <PlatformPager
        path={filePath(file)}
        page={payouts}
        lastId={payouts.entries.at(-1)?.id}
        next="Later"
      />
    </Section>
  );
}
