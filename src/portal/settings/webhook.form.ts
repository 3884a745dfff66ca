import { NEWEST_API_VERSION } from '../../http/api-version.js';
import type { WebhookEndpointResponse } from '../../contract/webhook-endpoint.response.js';
import { formWith, textOf } from '../kit/form.js';

export const blankEndpoint = (): URLSearchParams =>
  formWith({ url: '', description: '', apiVersion: NEWEST_API_VERSION });

export const endpointForm = (endpoint: WebhookEndpointResponse): URLSearchParams => {
  const { url, description, apiVersion, eventTypes, optionalField } = endpoint;
  const { key = null, value = null } = optionalField ?? {};
  const field = { optionalField: key, optionalFieldValue: value };
  return formWith({ url, description, apiVersion, eventTypes, ...field });
};

/** What the API would be sent; whether the endpoint is enabled has a form of its own. */
export const endpointBody = (form: URLSearchParams) => ({
  url: textOf(form, 'url') || null,
  description: textOf(form, 'description'),
  apiVersion: textOf(form, 'apiVersion'),
  eventTypes: [...new Set(form.getAll('eventTypes'))],
  optionalField: fieldBody(textOf(form, 'optionalField'), textOf(form, 'optionalFieldValue')),
});

const fieldBody = (key: string, value: string) =>
  key === '' && value === '' ? null : { key, value };

/** Moments are typed in UTC, to the minute. */
export const rangeBody = (form: URLSearchParams) => ({
  from: momentOf(textOf(form, 'from')),
  to: momentOf(textOf(form, 'to')),
  includeDelivered: form.get('includeDelivered') === 'yes',
});

/** `2026-03-01T12:00` as browsers send it; other text goes on as it is, to be refused. */
const momentOf = (text: string): string | null =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : text || null;
