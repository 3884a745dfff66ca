import { selfContained } from '../../common/markup.js';
import { toMajorUnits } from '../../common/money/money.js';
import type { FeeRate } from '../../database/ledger/fee-rate.entity.js';
import { percentText } from '../../ledger/fee-rate.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { Card, Code, Detail, DetailList, ListCard } from '../kit/card.js';
import { Cell, Done, Rows, When } from '../kit/components.js';
import { Choice, Trouble } from '../kit/fields.js';
import { formFields, FormField, PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { providerName } from '../kit/order-text.js';
import { renderPage } from '../layout/shell.view.js';
import type { MerchantPage } from './merchant-page.service.js';

interface MerchantProps {
  readonly context: SignedInContext;
  readonly page: MerchantPage;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  readonly done?: unknown;
}

export function renderMerchant(props: MerchantProps): string {
  const { context, page, problems, done } = props;
  const { merchant, fees } = page;
  return renderPage({
    context,
    title: selfContained(merchant.name),
    subtitle: (
      <>
        <a href="/portal/platform">Merchants</a> · Times in UTC
      </>
    ),
    children: (
      <>
        <Done word={done} />
        <Trouble problems={problems} />
        <Card id="merchant" title="Merchant">
          <DetailList>
            <Detail name="Since">
              <When at={merchant.createdAt} zone="UTC" />
            </Detail>
            <Detail name="Time zone">{merchant.timeZone}</Detail>
            <Detail name="ID">
              <Code text={merchant.id} />
            </Detail>
          </DetailList>
        </Card>
        <ListCard id="fees" title="Fees">
          {fees.length === 0 ? (
            <p class="card-body text-secondary mb-0">No fees.</p>
          ) : (
            <FeeTable merchantId={merchant.id} fees={fees} />
          )}
        </ListCard>
        <FeeForm {...props} />
        <Transfers {...props} />
      </>
    ),
  });
}

/** Only operators enable live transfers to the platform’s own accounts. */
const Transfers = ({ context, page: { merchant } }: MerchantProps) => (
  <Card id="transfers" title="Bank transfers in live mode" class="card mt-3">
    <p>
      {merchant.takesTransfers
        ? 'Live orders of this merchant can be paid by bank transfer if there is a collection account of their currency.'
        : 'Live orders of this merchant cannot be paid by bank transfer.'}
    </p>
    <PostForm csrf={context.csrf} action={`/portal/platform/merchants/${merchant.id}/transfers`}>
      <input type="hidden" name="takes" value={merchant.takesTransfers ? 'no' : 'yes'} />
      <button class="btn">{merchant.takesTransfers ? 'Disable' : 'Enable'}</button>
    </PostForm>
  </Card>
);

interface FeesProps {
  readonly merchantId: string;
  readonly fees: readonly FeeRate[];
}

const COLUMNS = ['Provider', 'Currency', 'Percent', 'Fixed', 'Since', 'Actions'];

const FeeTable = ({ merchantId, fees }: FeesProps) => (
  <Rows caption="Fees for paid orders" columns={COLUMNS} numbers={['Percent', 'Fixed']}>
    {fees.map(({ provider, currency, partsPerMillion, fixed, updatedAt }) => (
      <tr>
        <Cell label="Provider" class="strong">
          {providerName(provider)}
        </Cell>
        <Cell label="Currency">{currency}</Cell>
        <Cell label="Percent" class="num">
          {percentText(partsPerMillion)} %
        </Cell>
        <Cell label="Fixed" class="num">
          {toMajorUnits(fixed, currency)}
        </Cell>
        <Cell label="Since">
          <When at={updatedAt} zone="UTC" />
        </Cell>
        <Cell label="Actions" class="actions">
          <a
            class="btn btn-sm"
            href={`/portal/platform/merchants/${merchantId}?${new URLSearchParams({ provider, currency })}#set`}
          >
            Change
            <span class="visually-hidden">
              {' '}
              the fee of {provider} in {currency}
            </span>
          </a>
        </Cell>
      </tr>
    ))}
  </Rows>
);

function FeeForm({ context, page, form, problems }: MerchantProps) {
  const field = formFields(form, problems);
  const typed = (name: string) => ({ ...field(name), autocomplete: 'off' });
  return (
    <Card id="set" title="Set a fee" class="card form-card">
      <p class="text-secondary">Applies to orders paid from now on. Replaces the previous fee.</p>
      <PostForm csrf={context.csrf} action={`/portal/platform/merchants/${page.merchant.id}`}>
        <Choice
          {...field('provider')}
          label="Provider"
          options={page.providers.map((name) => [name, providerName(name)] as const)}
        />
        <FormField {...typed('currency')} label="Currency" hint="For example EUR." maxLength={3} />
        <FormField
          {...typed('percent')}
          label="Percent of the order"
          hint="At most 4 decimals, for example 2.9."
          maxLength={8}
        />
        <FormField
          {...typed('fixed')}
          label="Fixed amount"
          hint="Added to the percentage, in major units: 0.30 is 30 cents."
          maxLength={13}
        />
        <button class="btn btn-primary">Save</button>
      </PostForm>
    </Card>
  );
}
