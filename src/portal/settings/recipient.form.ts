import type { RecipientResponse } from '../../contract/recipient.response.js';
import { formWith, textOf } from '../kit/form.js';

type Wishes = Pick<RecipientResponse, 'locale' | 'timeZone' | 'minimumAmount'>;

export const recipientForm = ({ locale, timeZone, minimumAmount }: Wishes): URLSearchParams =>
  formWith({
    locale,
    timeZone,
    which: minimumAmount === null ? 'all' : 'from',
    minimumAmount: minimumAmount === null ? '' : String(minimumAmount),
  });

/** Request body as for the API. */
export const recipientBody = (form: URLSearchParams) => ({
  locale: textOf(form, 'locale'),
  timeZone: textOf(form, 'timeZone'),
  minimumAmount: form.get('which') === 'from' ? amountOf(textOf(form, 'minimumAmount')) : null,
});

/** Invalid numbers are passed on, so that validation rejects them. */
const amountOf = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);
