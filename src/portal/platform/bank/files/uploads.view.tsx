import type { FilePreview } from '../../../../bank/import/file-preview.js';
import type { ImportResult } from '../../../../bank/import/import.service.js';
import { LIMITS } from '../../../../bank-statements/limits.js';
import type { Mode } from '../../../../database/merchants/api-key.entity.js';
import type { SignedInContext } from '../../../../people/portal-context.js';
import { Card, Code, Detail, DetailList, ListCard } from '../../../kit/card.js';
import { Cell, Rows, Typed } from '../../../kit/components.js';
import { Choice, FormCard } from '../../../kit/fields.js';
import {
  CsrfField,
  formFields,
  FormButtons,
  Notice,
  PostForm,
} from '../../../kit/form-components.js';
import type { Problems } from '../../../kit/form.js';
import { numberText, TextValue } from '../../../kit/values.js';
import { renderPage } from '../../../layout/shell.view.js';
import { bankPath, uploadPath, uploadsPath } from '../bank-path.js';
import { AccountValue } from '../line-components.js';
import type { UploadChoices, UploadPage } from './uploads.service.js';

const REFRESH_SECONDS = 3;

interface NewProps {
  readonly context: SignedInContext;
  readonly mode: Mode;
  readonly choices: UploadChoices;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export function renderNewUpload({ context, mode, choices, form, problems }: NewProps): string {
  const field = formFields(form, problems);
  const optional = (names: readonly string[], none: string) =>
    [['', none], ...names.map((name) => [name, name])] as [string, string][];
  return renderPage({
    context,
    title: 'Import a bank statement',
    subtitle: <a href={bankPath(mode)}>Bank</a>,
    children: (
      <FormCard problems={problems}>
        <p>
          camt.052, .053, .054, MT940, MT942 or CSV; also in a gzip or ZIP file, up to{' '}
          {LIMITS.fileBytes / 1e6} MB. You see a preview before anything is imported.
        </p>
        <form method="post" enctype="multipart/form-data" data-once>
          <CsrfField csrf={context.csrf} />
          <Choice
            {...field('profile')}
            label="CSV profile"
            hint="For CSV files only."
            options={optional(choices.profiles, 'None')}
          />
          <Choice
            {...field('account')}
            label="Account"
            hint="For CSV files whose profile has no account."
            options={optional(choices.accounts, 'From the file')}
          />
          <FileField problem={problems?.['file']} />
          <FormButtons label="Preview" back={bankPath(mode)} />
        </form>
      </FormCard>
    ),
  });
}

/** Must be the last field: fields after the file are not read. */
const FileField = ({ problem }: { readonly problem: string | undefined }) => (
  <div class="mb-3">
    <label class="form-label" for="file">
      File
    </label>
    <input
      class={problem ? 'form-control is-invalid' : 'form-control'}
      type="file"
      id="file"
      name="file"
      required
      aria-describedby={problem && 'file-problem'}
      aria-invalid={problem ? 'true' : undefined}
    />
    {problem && (
      <div class="problem" id="file-problem">
        {problem}
      </div>
    )}
  </div>
);

export function renderUpload(context: SignedInContext, page: UploadPage): string {
  const { upload, isBusy } = page;
  return renderPage({
    context,
    title: upload.result ? 'Import result' : 'Import preview',
    subtitle: <a href={bankPath(upload.mode)}>Bank</a>,
    head: isBusy && <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />,
    children: (
      <>
        <State {...page} />
        <Card id="file" title="File">
          <DetailList>
            <Detail name="Name">
              <Typed text={upload.name} />
            </Detail>
            <Detail name="Bytes">{numberText(upload.size)}</Detail>
            <Detail name="SHA-256">
              <Code text={upload.sha256} />
            </Detail>
            {upload.preview && (
              <Detail name="Format">
                <Typed text={upload.preview.format} />
              </Detail>
            )}
          </DetailList>
        </Card>
        {upload.result && <Result result={upload.result} />}
        {upload.preview && <Preview preview={upload.preview} />}
        {!upload.result && !isBusy && <Ways context={context} {...page} />}
      </>
    ),
  });
}

function State({ upload, isKnown, isBusy }: UploadPage) {
  const { refused, result, hasFailed } = upload;
  if (isBusy) return <Notice>Import in progress. This page refreshes automatically.</Notice>;
  if (result?.result === 'refused') return <Notice kind="bad">Refused: {result.reason}</Notice>;
  if (result) return <Notice kind="good">Imported. Matching in progress.</Notice>;
  if (refused !== null)
    return <Notice kind="bad">This file cannot be imported. Nothing was stored. {refused}</Notice>;
  if (isKnown)
    return <Notice kind="warn">This file was already imported. It contains nothing new.</Notice>;
  if (hasFailed)
    return (
      <Notice kind="bad">
        The last import failed; the log of the service says why. A part may be stored: import the
        file again to add the rest.
      </Notice>
    );
  return <Notice>Nothing has been imported yet.</Notice>;
}

const Preview = ({ preview }: { readonly preview: FilePreview }) => (
  <ListCard id="preview" title="Contents">
    <Rows
      caption="Statements of the file"
      columns={['Account', 'Statement', 'Lines', 'Incoming payments', 'Balances']}
      numbers={['Lines', 'Incoming payments']}
    >
      {preview.statements.map(({ account, id, lines, payments, balanced }) => (
        <tr>
          <Cell label="Account" class="strong">
            <AccountValue account={account} />
          </Cell>
          <Cell label="Statement">
            <TextValue text={id} />
          </Cell>
          <Cell label="Lines" class="num">
            {numberText(lines)}
          </Cell>
          <Cell label="Incoming payments" class="num">
            {numberText(payments)}
          </Cell>
          <Cell label="Balances">
            {balanced === null ? 'Not provided' : balanced ? 'Balanced' : 'Not balanced'}
          </Cell>
        </tr>
      ))}
    </Rows>
    <div class="card-footer">
      {numberText(preview.lines)} lines, {numberText(preview.payments)} of them incoming payments.{' '}
      {preview.more > 0 && `${numberText(preview.more)} more statements are not listed. `}
      Lines from earlier files are counted once.
      {preview.warnings.map((warning) => (
        <div class="text-secondary">
          <TextValue text={warning} />
        </div>
      ))}
    </div>
  </ListCard>
);

const Result = ({ result }: { readonly result: ImportResult }) => (
  <Card id="result" title="Result">
    <DetailList>
      <Detail name="New lines">{numberText(result.new)}</Detail>
      <Detail name="Already imported">{numberText(result.known)}</Detail>
      <Detail name="Matched">{numberText(result.matched)}</Detail>
      <Detail name="Suggested">{numberText(result.suggested)}</Detail>
      <Detail name="Unmatched">{numberText(result.unmatched)}</Detail>
      <Detail name="Not payments">{numberText(result.notPayments)}</Detail>
    </DetailList>
  </Card>
);

interface WaysProps extends UploadPage {
  readonly context: SignedInContext;
}

const Ways = ({ context, upload, isKnown }: WaysProps) => (
  <div class="d-flex flex-wrap gap-2">
    {upload.preview && !isKnown && (
      <PostForm action={`${uploadPath(upload)}/import`} csrf={context.csrf}>
        <button class="btn btn-primary">Import</button>
      </PostForm>
    )}
    <PostForm action={`${uploadPath(upload)}/discard`} csrf={context.csrf}>
      <button class="btn">Discard</button>
    </PostForm>
    <a class="btn" href={uploadsPath(upload.mode)}>
      Another file
    </a>
  </div>
);
