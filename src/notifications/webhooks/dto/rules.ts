import { API_VERSIONS, isApiVersion } from '../../../common/api-version.js';
import { formed, name, wholeNumber, wrongType } from '../../../common/field-rules.js';
import type { Check } from '../../../common/validation.js';
import { EVENT_TYPES } from '../../../database/entities/event.entity.js';

export { optional, required } from '../../../common/field-rules.js';

export const DESCRIPTION_MAX = 255;
/** Hours for which the former secret signs too. */
export const OVERLAP_HOURS = { min: 0, max: 168, standard: 24 } as const;

/** Only that it is text: whether the service may go there takes a look-up. */
export const urlText: Check = (value) =>
  typeof value === 'string' ? undefined : wrongType('a string');

/** By this people know one endpoint from another. */
export const description = name(DESCRIPTION_MAX);

export const eventTypes: Check = (value) => {
  if (!Array.isArray(value)) return wrongType('a list of event types');
  if (value.length > EVENT_TYPES.length) {
    return { code: 'too_long', detail: 'Name each event type once at most.' };
  }
  return value.flatMap((type: unknown, i) =>
    EVENT_TYPES.some((known) => known === type)
      ? []
      : [
          {
            code: 'wrong_format' as const,
            detail: `Use one of ${EVENT_TYPES.join(', ')}.`,
            at: `/${i}`,
          },
        ],
  );
};

export const apiVersion = formed(isApiVersion, `Use one of ${API_VERSIONS.join(', ')}.`);

export const flag: Check = (value) =>
  typeof value === 'boolean' ? undefined : wrongType('true or false');

export const overlapHours = wholeNumber('hours', OVERLAP_HOURS);

/** RFC 3339, with a zone. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

export const moment = formed(
  (value) => MOMENT.test(value) && !Number.isNaN(Date.parse(value)),
  'Write a time such as 2026-03-01T12:00:00Z.',
);
