import { effectOf } from '../../../collection-accounts/change-effect.js';
import type { CollectionAccount } from '../../../database/bank/collection-accounts/collection-account.entity.js';
import type { OpenChange } from '../../../database/bank/collection-accounts/collection-account-change.repository.js';
import { mayHere, type SignedInContext } from '../../../people/portal-context.js';
import { Cell, DetailRow, Rows, Typed, When } from '../../kit/components.js';
import { Notice } from '../../kit/form-components.js';
import { Tag } from '../../kit/status.js';
import { TextValue } from '../../kit/values.js';
import { renderConfirm } from '../../layout/form-page.view.js';
import { AccountValue } from '../bank/line-components.js';
import { Section, ZONE } from '../payouts/platform-components.js';
import { changePath, collectionAccountsPath } from './collection-accounts-path.js';

const KINDS: Readonly<Record<OpenChange['kind'], string>> = {
  add: 'Add the account',
  prefer: 'Show to payers',
  disable: 'Disable the account',
};

const BLOCKED: Readonly<Record<NonNullable<OpenChange['blocked']>, string>> = {
  operator: 'Proposed on the command line. Withdraw it and propose it again here.',
  proposer: 'The proposer is no longer an operator. Withdraw it.',
  confirmer: 'The confirming operator is no longer an operator. Withdraw it and propose it again.',
  account: 'The account has been disabled. Withdraw it.',
};

interface ListProps {
  readonly context: SignedInContext;
  readonly changes: readonly OpenChange[];
  readonly accounts: readonly CollectionAccount[];
}

/** Proposed changes that are not in effect. Renders nothing if there are none. */
export const OpenChanges = ({ context, changes, accounts }: ListProps) =>
  changes.length === 0 ? null : (
    <Section id="changes" title="Pending changes">
      <Rows caption="Pending changes, oldest first" columns={COLUMNS}>
        {changes.map((change) => (
          <ChangeRow context={context} change={change} accounts={accounts} />
        ))}
      </Rows>
    </Section>
  );

const COLUMNS = ['Change', 'Shown to payers', 'Proposed', 'State', 'Actions'];

interface ChangeProps {
  readonly change: OpenChange;
  readonly accounts: readonly CollectionAccount[];
}

const ChangeRow = ({ context, change, accounts }: ChangeProps & Pick<ListProps, 'context'>) => (
  <tr>
    <Cell label="Change" class="strong">
      {KINDS[change.kind]}
      <div>
        <AccountValue account={change.account} />
      </div>
      <div class="text-secondary">
        <Typed text={change.holder} />, {change.currency}
      </div>
    </Cell>
    <Cell label="Shown to payers">
      <Effect change={change} accounts={accounts} />
    </Cell>
    <Cell label="Proposed">
      <When at={change.proposedAt} zone={ZONE} />
      <div>
        <Proposer change={change} />
      </div>
    </Cell>
    <Cell label="State">
      <State change={change} />
    </Cell>
    <Cell label="Actions" class="actions">
      {mayHere(context, 'platform.payouts') && <Actions context={context} change={change} />}
    </Cell>
  </tr>
);

const NONE = 'No account: bank transfers are not possible';

const Shown = ({ account }: { readonly account: string | null }) =>
  account === null ? <>{NONE}</> : <AccountValue account={account} />;

function Effect({ change, accounts }: ChangeProps) {
  const { before, after } = effectOf(change, accounts);
  if (before === after) return <span class="text-secondary">No change</span>;
  return (
    <>
      <div>
        Before: <Shown account={before} />
      </div>
      <div class="strong">
        After: <Shown account={after} />
      </div>
    </>
  );
}

const Proposer = ({ change }: Pick<ChangeProps, 'change'>) =>
  change.proposedByName === null ? (
    <>
      The <Typed text={change.proposedFrom} />
    </>
  ) : (
    <Typed text={change.proposedByName} />
  );

function State({ change }: Pick<ChangeProps, 'change'>) {
  const { blocked, confirmedAt, effectiveAt, confirmedByName } = change;
  if (blocked)
    return (
      <>
        <Tag label="Cannot take effect" tone="bad" icon="warning" />
        <div class="text-secondary">{BLOCKED[blocked]}</div>
      </>
    );
  if (confirmedAt === null) return <Tag label="Awaiting confirmation" tone="warn" icon="warning" />;
  return (
    <>
      <Tag label="Confirmed" tone="idle" icon="check" />
      <div>
        By <Typed text={confirmedByName ?? ''} />
      </div>
      <div>
        Takes effect <When at={effectiveAt} zone={ZONE} />
      </div>
    </>
  );
}

/** Whether this operator may confirm it. */
const canConfirm = ({ session }: SignedInContext, change: OpenChange): boolean =>
  change.confirmedAt === null &&
  change.blocked === null &&
  (change.isAlone || change.proposedBy !== session.userId);

const Actions = ({ context, change }: Pick<ListProps, 'context'> & Pick<ChangeProps, 'change'>) => (
  <div class="d-flex flex-wrap gap-2">
    {canConfirm(context, change) && (
      <a class="btn btn-sm btn-primary" href={`${changePath(change.id)}/confirm`}>
        Confirm<span class="visually-hidden"> the change of {change.account}</span>
      </a>
    )}
    <a class="btn btn-sm" href={`${changePath(change.id)}/withdraw`}>
      Withdraw<span class="visually-hidden"> the change of {change.account}</span>
    </a>
  </div>
);

const Facts = ({ change, accounts }: ChangeProps) => (
  <dl class="fact-list account-facts">
    <DetailRow label="Change">{KINDS[change.kind]}</DetailRow>
    <DetailRow label="Account">
      <AccountValue account={change.account} />
    </DetailRow>
    <DetailRow label="Account holder">
      <Typed text={change.holder} />
    </DetailRow>
    {(change.bankName ?? change.bic) !== null && (
      <DetailRow label="Bank">
        <TextValue text={[change.bankName, change.bic].filter(Boolean).join(', ')} />
      </DetailRow>
    )}
    <DetailRow label="Currency">{change.currency}</DetailRow>
    <DetailRow label="Shown to payers">
      <Effect change={change} accounts={accounts} />
    </DetailRow>
    <DetailRow label="Proposed by">
      <Proposer change={change} />
    </DetailRow>
    <DetailRow label="Proposed">
      <When at={change.proposedAt} zone={ZONE} />
    </DetailRow>
  </dl>
);

export const renderConfirmChange = (
  context: SignedInContext,
  change: OpenChange,
  accounts: readonly CollectionAccount[],
): string =>
  renderConfirm({
    context,
    title: 'Confirm this change?',
    children: (
      <>
        <p>
          Compare every character with a document from your bank, not with a message from the
          proposer. {effectText(change)}
        </p>
        {change.proposedBy === context.session.userId && !change.isAlone && (
          <Notice>You proposed this change. Another operator must confirm it.</Notice>
        )}
        <Facts change={change} accounts={accounts} />
      </>
    ),
    button: 'Confirm the change',
    back: collectionAccountsPath('live'),
    stay: 'Back',
  });

const effectText = ({ waitingHours }: OpenChange): string =>
  waitingHours === 0
    ? 'It takes effect immediately.'
    : `It takes effect after ${waitingHours} hours; until then any operator can withdraw it.`;

export const renderWithdrawChange = (
  context: SignedInContext,
  change: OpenChange,
  accounts: readonly CollectionAccount[],
): string =>
  renderConfirm({
    context,
    title: 'Withdraw this change?',
    children: (
      <>
        <p>Nothing changes. The change can be proposed again.</p>
        <Facts change={change} accounts={accounts} />
      </>
    ),
    button: 'Withdraw change',
    back: collectionAccountsPath('live'),
  });
