import { NEWEST_API_VERSION } from '../../common/api-version.js';
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

/** Request body as for the API, without `enabled`, which has its own form. */
export const endpointBody = (form: URLSearchParams) => ({
  url: textOf(form, 'url') || null,
  description: textOf(form, 'description'),
  apiVersion: textOf(form, 'apiVersion'),
  eventTypes: [...new Set(form.getAll('eventTypes'))],
  optionalField: fieldBody(textOf(form, 'optionalField'), textOf(form, 'optionalFieldValue')),
});

const fieldBody = (key: string, value: string) =>
  key === '' && value === '' ? null : { key, value };

/** Times are entered in UTC, to the minute. */
export const rangeBody = (form: URLSearchParams) => ({
  from: momentOf(textOf(form, 'from')),
  to: momentOf(textOf(form, 'to')),
  includeDelivered: form.get('includeDelivered') === 'yes',
});

/** Parses `2026-03-01T12:00`, the format of browsers. Other text is passed on, so that validation rejects it. */
const momentOf = (text: string): string | null =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : text || null;
