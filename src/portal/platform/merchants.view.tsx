import type { FoundMerchant } from '../../database/merchants/merchant.repository.js';
import { mayHere, pathOf, type SignedInContext } from '../../people/portal-context.js';
import { Cell, Done, Empty, Rows, Typed, When } from '../kit/components.js';
import { ZoneField } from '../kit/fields.js';
import { formFields, FormField } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import type { ListPage } from '../kit/list-query.js';
import { Pages, SearchForm } from '../kit/list.view.js';
import { renderForm } from '../layout/form-page.view.js';
import { renderPage } from '../layout/shell.view.js';
import type { BankTasks } from './bank-tasks.service.js';
import { BankTasksCard } from './bank-tasks.view.js';

const PATH = '/portal/platform';

interface MerchantsProps {
  readonly context: SignedInContext;
  readonly page: ListPage<FoundMerchant>;
  /** Null in search results. */
  readonly tasks: BankTasks | null;
}

export const renderMerchants = ({ context, page, tasks }: MerchantsProps, done: unknown): string =>
  renderPage({
    context,
    title: 'Merchants',
    subtitle: 'Times in UTC.',
    actions: mayHere(context, 'platform.manage') && (
      <a class="btn btn-primary" href={`${PATH}/merchants/new`}>
        Add a merchant
      </a>
    ),
    children: (
      <>
        <Done word={done} />
        {tasks && <BankTasksCard tasks={tasks} />}
        <div class="card">
          <SearchForm {...page} label="Merchant name" />
          {page.entries.length === 0 ? (
            <Empty title={page.text ? 'No matching merchants' : 'No merchants yet'}>
              {page.text ? 'Try part of the name.' : 'Add the first one.'}
            </Empty>
          ) : (
            <MerchantTable context={context} merchants={page.entries} />
          )}
          <Pages {...page} path={PATH} lastId={page.entries.at(-1)?.id} />
        </div>
      </>
    ),
  });

interface TableProps {
  readonly context: SignedInContext;
  readonly merchants: readonly FoundMerchant[];
}

/** Only support can open merchant pages, and only operators can open fees. */
function MerchantTable({ context, merchants }: TableProps) {
  const isSupport = context.session.platformRole === 'support';
  const seesFees = mayHere(context, 'platform.payouts');
  const columns = ['Name', 'Time zone', 'Since', 'ID', ...(isSupport ? ['Pages'] : [])];
  return (
    <Rows caption="Merchants, newest first" columns={columns}>
      {merchants.map((merchant) => (
        <tr>
          <Cell label="Name" class="strong">
            {seesFees ? (
              <a href={`${PATH}/merchants/${merchant.id}`}>
                <Typed text={merchant.name} />
              </a>
            ) : (
              <Typed text={merchant.name} />
            )}
          </Cell>
          <Cell label="Time zone">{merchant.timeZone}</Cell>
          <Cell label="Since">
            <When at={merchant.createdAt} zone="UTC" />
          </Cell>
          <Cell label="ID">
            <span class="mono">{merchant.id}</span>
          </Cell>
          {isSupport && (
            <Cell label="Pages" class="actions">
              <ModeLink merchant={merchant} mode="live" />
              <ModeLink merchant={merchant} mode="test" />
            </Cell>
          )}
        </tr>
      ))}
    </Rows>
  );
}

interface ModeLinkProps {
  readonly merchant: FoundMerchant;
  readonly mode: 'live' | 'test';
}

const ModeLink = ({ merchant, mode }: ModeLinkProps) => (
  <a class="btn btn-sm" href={pathOf({ merchantId: merchant.id, mode })}>
    {mode === 'live' ? 'Live' : 'Test'}
    <span class="visually-hidden"> pages of {merchant.name}</span>
  </a>
);

interface NewPage {
  readonly context: SignedInContext;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export function renderNewMerchant({ context, form, problems }: NewPage): string {
  const field = formFields(form, problems);
  return renderForm({
    context,
    title: 'Add a merchant',
    subtitle: 'Test payments work immediately. You can invite people afterwards.',
    problems,
    children: (
      <>
        <FormField
          {...field('name')}
          label="Name"
          hint="Shown to payers."
          maxLength={140}
          autocomplete="off"
        />
        <ZoneField
          {...field('timeZone')}
          label="Time zone"
          hint="Default: UTC. The merchant can change it."
          isOptional
        />
      </>
    ),
    button: 'Add',
    back: PATH,
  });
}
