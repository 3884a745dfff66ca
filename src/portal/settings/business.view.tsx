import { contrastOn, readableOn } from '../../common/colour.js';
import { LOCALE_FACTS, LOCALES } from '../../common/locale.js';
import type { Merchant } from '../../database/merchants/merchant.entity.js';
import { SAMPLE_STATES, type SampleState } from '../../payment-page/sample-page.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Card } from '../kit/card.js';
import { Done } from '../kit/components.js';
import { Choice, Trouble, ZoneField } from '../kit/fields.js';
import { formFields, type FieldState, FormField, PostForm } from '../kit/form-components.js';
import { formWith, type Problems } from '../kit/form.js';
import { renderPage } from '../layout/shell.view.js';

const URL_MAX = 2_048;
const STATE_NAMES: Readonly<Record<SampleState, string>> = { open: 'Unpaid', paid: 'Paid' };

export const businessForm = (merchant: Merchant): URLSearchParams => {
  const { name, contactUrl, colour, logoUrl, timeZone, transferDays } = merchant;
  const fields = { name, contactUrl, colour, logoUrl, timeZone };
  return formWith({ ...fields, transferDays: String(transferDays) });
};

interface BusinessPage {
  readonly context: MerchantContext;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  readonly done?: unknown;
}

export const renderBusiness = (page: BusinessPage): string =>
  renderPage({
    context: page.context,
    title: 'Business',
    subtitle: 'Shown to payers in test and live mode.',
    children: (
      <>
        <Done word={page.done} />
        <Trouble problems={page.problems} />
        <div class="row g-3">
          <div class="col-lg-7">
            <BusinessForm {...page} />
          </div>
          <div class="col-lg-5">
            <Preview context={page.context} />
          </div>
        </div>
      </>
    ),
  });

function BusinessForm({ context, form, problems }: BusinessPage) {
  const field = formFields(form, problems);
  return (
    <Card id="details" title="Details" class="card">
      <PostForm csrf={context.csrf}>
        <FormField
          {...field('name')}
          label="Name"
          hint="Shown on the payment page and in emails."
          maxLength={140}
          autocomplete="organization"
        />
        <FormField
          {...field('contactUrl')}
          label="Contact"
          hint="Help link for payers: an https:// or mailto: address."
          maxLength={URL_MAX}
          isOptional
        />
        <Colour {...field('colour')} />
        <FormField
          {...field('logoUrl')}
          label="Logo"
          type="url"
          hint="An https:// address. The payment page loads nothing from other hosts, so it shows your initial until logos can be uploaded here."
          maxLength={URL_MAX}
          isOptional
        />
        <ZoneField
          {...field('timeZone')}
          label="Time zone"
          hint="Used for times and days in the portal."
        />
        <FormField
          {...field('transferDays')}
          label="Days for a bank transfer"
          type="number"
          hint="How long an order waits for a transfer: 2 to 60 days, extended to a business day. Applies to transfers chosen from now on."
          maxLength={2}
        />
        <button class="btn btn-primary">Save</button>
      </PostForm>
    </Card>
  );
}

/** An SVG swatch: the Content-Security-Policy allows no inline styles. */
function Colour(field: FieldState) {
  const hex = /^#?([\da-f]{6})$/i.exec(field.value.trim())?.[1];
  return (
    <>
      <FormField
        {...field}
        label="Colour"
        hint="Button color on the payment page: six hexadecimal digits."
        maxLength={7}
        autocomplete="off"
      />
      {hex && (
        <p class="swatch">
          <svg viewBox="0 0 120 40" width="120" height="40" aria-hidden="true">
            <rect width="120" height="40" rx="6" fill={`#${hex}`} />
            <text x="60" y="25" text-anchor="middle" fill={readableOn(hex)}>
              Pay now
            </text>
          </svg>
          <span>
            {readableOn(hex) === '#fff' ? 'White' : 'Black'} text on this color has a contrast of{' '}
            {contrastOn(hex).toFixed(1)} to 1. At least 4.5 is required.
          </span>
        </p>
      )}
    </>
  );
}

/** Opens in a new tab: the Content-Security-Policy forbids frames. */
const Preview = ({ context }: { readonly context: MerchantContext }) => (
  <Card id="preview" title="Payment page" class="card">
    <p>Preview the payment page with a sample order. It shows saved changes only.</p>
    <form action={`${pathOf(context.access)}/business/preview`} target="_blank">
      <Choice
        name="state"
        label="Order"
        value="open"
        options={SAMPLE_STATES.map((state) => [state, STATE_NAMES[state]])}
      />
      <Choice
        name="locale"
        label="Language"
        value="en"
        options={LOCALES.map((locale) => [locale, LOCALE_FACTS[locale].name])}
      />
      <button class="btn">Open preview in a new tab</button>
    </form>
  </Card>
);
