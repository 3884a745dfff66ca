import type { CsvProfile } from '../../../bank-statements/csv/csv-profile.js';
import { CSV_PROFILES } from '../../../bank-statements/csv/csv-profiles.js';
import type { KeptCsvProfile } from '../../../database/bank/kept-csv-profile.entity.js';
import { mayHere, type SignedInContext } from '../../../people/portal-context.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { Area } from '../../kit/fields.js';
import { formFields } from '../../kit/form-components.js';
import type { Problems } from '../../kit/form.js';
import { TextValue } from '../../kit/values.js';
import { renderConfirm, renderForm } from '../../layout/form-page.view.js';
import { renderPage } from '../../layout/shell.view.js';
import { ZONE } from '../payouts/platform-components.js';
import { BANK_PATH, CSV_PROFILES_PATH } from './bank-path.js';
import { AccountValue, BankDone } from './line-components.js';

/** Characters of a profile. */
const PROFILE_MAX = 10_000;

interface ListProps {
  readonly context: SignedInContext;
  readonly profiles: readonly KeptCsvProfile[];
  readonly done: unknown;
}

export const renderProfiles = ({ context, profiles, done }: ListProps): string =>
  renderPage({
    context,
    title: 'CSV profiles',
    subtitle: (
      <>
        <a href={BANK_PATH}>Bank</a> · Which column of a bank’s CSV file has what. Times in UTC.
      </>
    ),
    actions: mayHere(context, 'platform.payouts') && (
      <a class="btn btn-primary" href={`${CSV_PROFILES_PATH}/new`}>
        Add a profile
      </a>
    ),
    children: (
      <>
        <BankDone word={done} />
        <div class="card">
          <Rows
            caption="CSV profiles, by name"
            columns={['Name', 'Account', 'Columns', 'Added', 'Actions']}
          >
            {profiles.map((kept) => (
              <Kept context={context} kept={kept} />
            ))}
            {CSV_PROFILES.map((profile) => (
              <Along context={context} profile={profile} />
            ))}
          </Rows>
        </div>
      </>
    ),
  });

interface KeptProps {
  readonly context: SignedInContext;
  readonly kept: KeptCsvProfile;
}

function Kept({ context, kept }: KeptProps) {
  // Only what the reader of profiles took is kept.
  const profile = kept.profile as unknown as CsvProfile;
  return (
    <tr>
      <Cell label="Name" class="strong">
        <Typed text={kept.name} />
      </Cell>
      <Cell label="Account">
        <AccountValue account={profile.ownAccount} />
      </Cell>
      <Cell label="Columns">
        <Columns profile={profile} />
      </Cell>
      <Cell label="Added">
        <When at={kept.createdAt} zone={ZONE} />
      </Cell>
      <Cell label="Actions" class="actions">
        {mayHere(context, 'platform.payouts') && (
          <a class="btn btn-sm" href={`${CSV_PROFILES_PATH}/${kept.id}/remove`}>
            Remove<span class="visually-hidden"> {kept.name}</span>
          </a>
        )}
      </Cell>
    </tr>
  );
}

interface AlongProps {
  readonly context: SignedInContext;
  readonly profile: CsvProfile;
}

const Along = ({ context, profile }: AlongProps) => (
  <tr>
    <Cell label="Name" class="strong">
      {profile.name}
    </Cell>
    <Cell label="Account">
      <span class="text-secondary">Chosen with the file</span>
    </Cell>
    <Cell label="Columns">
      <Columns profile={profile} />
    </Cell>
    <Cell label="Added">
      <span class="text-secondary">Comes along</span>
    </Cell>
    <Cell label="Actions" class="actions">
      {mayHere(context, 'platform.payouts') && (
        <a class="btn btn-sm" href={`${CSV_PROFILES_PATH}/new?from=${profile.name}`}>
          Start from it<span class="visually-hidden">: {profile.name}</span>
        </a>
      )}
    </Cell>
  </tr>
);

const Columns = ({ profile: { columns, sign } }: { readonly profile: CsvProfile }) => (
  <TextValue text={[...Object.values(columns).flat(), ...(sign ? [sign.column] : [])].join(', ')} />
);

interface NewProps {
  readonly context: SignedInContext;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export const renderNewProfile = ({ context, form, problems }: NewProps): string =>
  renderForm({
    context,
    title: 'Add a CSV profile',
    problems,
    intro: (
      <p>
        Name the columns as the header of your bank’s file does. <code>ownAccount</code> is the
        account that the file is of. Where amounts have no sign and another column says whether
        money came or went, add for example{' '}
        <code>{'"sign": {"column": "S/H", "credit": ["H"], "debit": ["S"]}'}</code>. With the{' '}
        <code>balance</code> of each row, amounts that do not fit are noticed.
      </p>
    ),
    children: (
      <Area
        {...formFields(form, problems)('profile')}
        label="Profile"
        hint="JSON."
        rows={24}
        maxLength={PROFILE_MAX}
      />
    ),
    button: 'Add the profile',
    back: CSV_PROFILES_PATH,
  });

export const renderRemovedProfile = (context: SignedInContext, { name }: KeptCsvProfile): string =>
  renderConfirm({
    context,
    title: 'Remove this CSV profile?',
    children: (
      <p>
        Files can no longer be read by <Typed text={name} />. What was imported stays.
      </p>
    ),
    button: 'Remove it',
    back: CSV_PROFILES_PATH,
  });
