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
  /** Why what was asked for is not possible. */
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
  made: 'Download it, give it to the bank, then say here that the bank has it.',
  submitted: 'The bank has it. Say here when all of it is paid, or say it of single payouts below.',
  ended: 'All its payouts have ended.',
  not_sent:
    'It was not sent: do not give it to the bank any more. Its payouts can go into another; had somebody downloaded it, once they are approved again.',
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
      <Detail name="Where they are">{statesText(file) || 'Not in this file any more'}</Detail>
      <Detail name="Execution day">{dayText(executionDay(file.createdAt), ZONE)}</Detail>
      <Detail name="Format">{file.format}</Detail>
      <Detail name="Made">
        <When at={file.createdAt} zone={ZONE} />
        <div>
          by <Typed text={file.createdByName} />
        </div>
      </Detail>
      {file.notSentAt && (
        <Detail name="Said that it was not sent">
          <When at={file.notSentAt} zone={ZONE} />
        </Detail>
      )}
      <Detail name="Message id">
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
          <Notice kind="warn">It cannot be downloaded any more. {withheld}</Notice>
        ) : (
          // The page stays, and so does its button.
          <form method="post" action={`${path}/download`}>
            <CsrfField csrf={context.csrf} />
            <button
              class={
                state === 'made' && downloads.length === 0 ? 'btn btn-primary w-100' : 'btn w-100'
              }
            >
              {downloads.length === 0 ? 'Download the file' : 'Download it once more'}
            </button>
          </form>
        )}
        {state === 'made' && (
          <>
            <PostForm csrf={context.csrf} action={`${path}/submitted`}>
              <button class={downloads.length === 0 ? 'btn w-100' : 'btn btn-primary w-100'}>
                The bank has it
              </button>
            </PostForm>
            <a class="btn" href={`${path}/not-sent`}>
              It was not sent
            </a>
          </>
        )}
        {state === 'submitted' && (
          <PostForm csrf={context.csrf} action={`${path}/paid`}>
            <button class="btn btn-primary w-100">All are paid</button>
          </PostForm>
        )}
      </div>
    </Card>
  );
}

/** A file that two people took to the bank would be paid twice. */
const DownloadsCard = ({ file, downloads }: FilePage) => (
  <Card id="downloads" title="Downloads">
    {downloads.length === 0 ? (
      <p class="mb-0">Nobody has downloaded it yet.</p>
    ) : (
      <>
        {stateOf(file) === 'made' && (
          <Notice kind="warn">
            It has been downloaded {downloads.length === 1 ? 'already' : 'more than once'}. Ask
            whether it was sent before you send it: a bank may pay it twice.
          </Notice>
        )}
        <ol class="rows">
          {downloads.map(({ at, byName }) => (
            <li>
              <When at={at} zone={ZONE} /> by <Typed text={byName ?? 'somebody'} />
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
    <Section id="payouts" title="Payouts in it">
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
