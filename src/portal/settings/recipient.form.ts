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

/** What the API would be sent. */
export const recipientBody = (form: URLSearchParams) => ({
  locale: textOf(form, 'locale'),
  timeZone: textOf(form, 'timeZone'),
  minimumAmount: form.get('which') === 'from' ? amountOf(textOf(form, 'minimumAmount')) : null,
});

/** Text that is no number goes on as it is, to be refused. */
const amountOf = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);
