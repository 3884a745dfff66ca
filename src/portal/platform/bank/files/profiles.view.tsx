import type { CsvProfile } from '../../../../bank-statements/csv/csv-profile.js';
import { CSV_PROFILES } from '../../../../bank-statements/csv/csv-profiles.js';
import type { KeptCsvProfile } from '../../../../database/bank/files/kept-csv-profile.entity.js';
import { mayHere, type SignedInContext } from '../../../../people/portal-context.js';
import { Cell, Rows, Typed, When } from '../../../kit/components.js';
import { Area } from '../../../kit/fields.js';
import { formFields } from '../../../kit/form-components.js';
import type { Problems } from '../../../kit/form.js';
import { TextValue } from '../../../kit/values.js';
import { renderConfirm, renderForm } from '../../../layout/form-page.view.js';
import { renderPage } from '../../../layout/shell.view.js';
import { ZONE } from '../../payouts/platform-components.js';
import { BANK_PATH, CSV_PROFILES_PATH } from '../bank-path.js';
import { AccountValue, BankDone } from '../line-components.js';

/** Maximum length of a profile. */
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
        <a href={BANK_PATH}>Bank</a> · How columns of bank CSV files are read. Times in UTC.
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
              <SavedProfiles context={context} kept={kept} />
            ))}
            {CSV_PROFILES.map((profile) => (
              <Along context={context} profile={profile} />
            ))}
          </Rows>
        </div>
      </>
    ),
  });

interface SavedProfilesProps {
  readonly context: SignedInContext;
  readonly kept: KeptCsvProfile;
}

function SavedProfiles({ context, kept }: SavedProfilesProps) {
  // Stored profiles were validated by `readCsvProfile`.
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
      <span class="text-secondary">Chosen on import</span>
    </Cell>
    <Cell label="Columns">
      <Columns profile={profile} />
    </Cell>
    <Cell label="Added">
      <span class="text-secondary">Built in</span>
    </Cell>
    <Cell label="Actions" class="actions">
      {mayHere(context, 'platform.payouts') && (
        <a class="btn btn-sm" href={`${CSV_PROFILES_PATH}/new?from=${profile.name}`}>
          Use as template<span class="visually-hidden">: {profile.name}</span>
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
        Use the column names from the header of your bank’s file. <code>ownAccount</code> is the
        account of the file. If amounts have no sign and another column marks credits and debits,
        add for example <code>{'"sign": {"column": "S/H", "credit": ["H"], "debit": ["S"]}'}</code>.
        Add a <code>balance</code> column to detect wrong amounts.
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
        Files can no longer be imported with <Typed text={name} />. Imported data is kept.
      </p>
    ),
    button: 'Remove profile',
    back: CSV_PROFILES_PATH,
  });
