import { contrastOn, readableOn } from '../../common/colour.js';
import { LOCALE_FACTS, LOCALES } from '../../common/locale.js';
import type { Merchant } from '../../database/merchants/merchant.entity.js';
import { SAMPLE_STATES, type SampleState } from '../../payment-page/sample-page.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Done } from '../kit/components.js';
import { Choice, Trouble, ZoneField } from '../kit/fields.js';
import { FormField, PostForm } from '../kit/form-components.js';
import { formWith, type Problems } from '../kit/form.js';
import { renderPage } from '../layout/shell.view.js';

const URL_MAX = 2_048;
const STATE_NAMES: Readonly<Record<SampleState, string>> = { open: 'To be paid', paid: 'Paid' };

export const businessForm = (merchant: Merchant): URLSearchParams => {
  const { name, contactUrl, colour, logoUrl, timeZone } = merchant;
  return formWith({ name, contactUrl, colour, logoUrl, timeZone });
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
    subtitle: 'What payers see of you. It is the same in test and in live mode.',
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

const BusinessForm = ({ context, form, problems = {} }: BusinessPage) => (
  <section class="card" aria-labelledby="details">
    <div class="card-body">
      <h2 class="card-title" id="details">
        Details
      </h2>
      <PostForm csrf={context.csrf}>
        <FormField
          name="name"
          label="Name"
          hint="Stands on top of the payment page, and in mails."
          value={form.get('name') ?? ''}
          problem={problems['name']}
          maxLength={140}
          autocomplete="organization"
        />
        <FormField
          name="contactUrl"
          label="Contact"
          hint="Where payers ask for help: an https:// or mailto: address."
          value={form.get('contactUrl') ?? ''}
          problem={problems['contactUrl']}
          maxLength={URL_MAX}
          isOptional
        />
        <Colour colour={form.get('colour') ?? ''} problem={problems['colour']} />
        <FormField
          name="logoUrl"
          label="Logo"
          type="url"
          hint="An https:// address. The payment page loads nothing from other hosts, so it shows your initial until pictures can be kept here."
          value={form.get('logoUrl') ?? ''}
          problem={problems['logoUrl']}
          maxLength={URL_MAX}
          isOptional
        />
        <ZoneField
          name="timeZone"
          label="Time zone"
          hint="In it the portal shows times and counts days."
          value={form.get('timeZone') ?? ''}
          problem={problems['timeZone']}
        />
        <button class="btn btn-primary">Save</button>
      </PostForm>
    </div>
  </section>
);

interface ColourProps {
  readonly colour: string;
  readonly problem: string | undefined;
}

/** Drawn as SVG: no style may stand in the page. */
function Colour({ colour, problem }: ColourProps) {
  const hex = /^#?([\da-f]{6})$/i.exec(colour.trim())?.[1];
  return (
    <>
      <FormField
        name="colour"
        label="Colour"
        hint="Of the buttons on the payment page: six hexadecimal digits."
        value={colour}
        problem={problem}
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
            {readableOn(hex) === '#fff' ? 'White' : 'Black'} text on it has a contrast of{' '}
            {contrastOn(hex).toFixed(1)} to 1. At least 4.5 is needed.
          </span>
        </p>
      )}
    </>
  );
}

/** A page of its own: nothing of ours may be framed. */
const Preview = ({ context }: { readonly context: MerchantContext }) => (
  <section class="card" aria-labelledby="preview">
    <div class="card-body">
      <h2 class="card-title" id="preview">
        Payment page
      </h2>
      <p>See the payment page with a made-up order. Save first: it shows what is saved.</p>
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
        <button class="btn">See it in a new tab</button>
      </form>
    </div>
  </section>
);
