import { effectOf } from '../../../collection-accounts/change-effect.js';
import type { CollectionAccount } from '../../../database/bank/collection-account.entity.js';
import type { OpenChange } from '../../../database/bank/collection-account-change.repository.js';
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
  prefer: 'Show it to payers',
  disable: 'Disable the account',
};

const BLOCKED: Readonly<Record<NonNullable<OpenChange['blocked']>, string>> = {
  nobody: 'The command line proposed it. Withdraw it, and propose it here.',
  proposer: 'Whoever proposed it is no operator any more. Withdraw it.',
  confirmer: 'Whoever confirmed it is no operator any more. Withdraw it, and propose it again.',
  account: 'The account was disabled meanwhile. Withdraw it.',
};

interface ListProps {
  readonly context: SignedInContext;
  readonly changes: readonly OpenChange[];
  readonly accounts: readonly CollectionAccount[];
}

/** What was proposed and has not taken effect; nothing where nothing was. */
export const OpenChanges = ({ context, changes, accounts }: ListProps) =>
  changes.length === 0 ? null : (
    <Section id="changes" title="Changes that have not taken effect">
      <Rows caption="Proposed changes, the oldest first" columns={COLUMNS}>
        {changes.map((change) => (
          <ChangeRow context={context} change={change} accounts={accounts} />
        ))}
      </Rows>
    </Section>
  );

const COLUMNS = ['Change', 'What payers are shown', 'Proposed', 'State', 'Actions'];

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
    <Cell label="What payers are shown">
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

const NONE = 'No account: payers cannot transfer';

const Shown = ({ account }: { readonly account: string | null }) =>
  account === null ? <>{NONE}</> : <AccountValue account={account} />;

function Effect({ change, accounts }: ChangeProps) {
  const { before, after } = effectOf(change, accounts);
  if (before === after) return <span class="text-secondary">The same as now</span>;
  return (
    <>
      <div>
        Now: <Shown account={before} />
      </div>
      <div class="strong">
        Then: <Shown account={after} />
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
  if (confirmedAt === null)
    return <Tag label="Waits for confirmation" tone="warn" icon="warning" />;
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
    <DetailRow label="What payers are shown">
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
          Compare each character with a paper of your bank, not with what the proposer sent you.{' '}
          {effectText(change)}
        </p>
        {change.proposedBy === context.session.userId && !change.isAlone && (
          <Notice>You proposed it: another operator confirms it.</Notice>
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
    ? 'It takes effect at once.'
    : `It takes effect ${waitingHours} hours later; until then every operator can withdraw it.`;

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
        <p>Everything stays as it is. The change can be proposed again.</p>
        <Facts change={change} accounts={accounts} />
      </>
    ),
    button: 'Withdraw it',
    back: collectionAccountsPath('live'),
  });
