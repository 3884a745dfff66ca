import { API_VERSIONS, isApiVersion } from '../../../common/api-version.js';
import { textProblem } from '../../../common/text.js';
import type { Fault } from '../../../common/validation.js';
import { EVENT_TYPES } from '../../../database/entities/event.entity.js';

export const DESCRIPTION_MAX = 255;
/** Hours for which the former secret signs too. */
export const OVERLAP_HOURS = { min: 0, max: 168, standard: 24 } as const;

type Check = (value: unknown) => Fault | readonly Fault[] | undefined;

export const required =
  (check: Check): Check =>
  (value) =>
    value === undefined ? { code: 'required', detail: 'This field is required.' } : check(value);

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

const wrongType = (what: string): Fault => ({
  code: 'wrong_type',
  detail: `This must be ${what}.`,
});

/** Only that it is text: whether the service may go there takes a look-up. */
export const urlText: Check = (value) =>
  typeof value === 'string' ? undefined : wrongType('a string');

export const description: Check = (value) => {
  const problem = textProblem(value, { max: DESCRIPTION_MAX });
  if (problem === undefined) return undefined;
  if (problem === 'not_text') return wrongType('a string');
  if (problem === 'control_character') {
    return { code: problem, detail: 'This has a control character.' };
  }
  if (problem === 'not_well_formed') return { code: problem, detail: 'This is not valid Unicode.' };
  return { code: 'too_long', detail: `This may have at most ${DESCRIPTION_MAX} characters.` };
};

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

export const apiVersion: Check = (value) => {
  if (typeof value !== 'string') return wrongType('a string');
  return isApiVersion(value)
    ? undefined
    : { code: 'wrong_format', detail: `Use one of ${API_VERSIONS.join(', ')}.` };
};

export const flag: Check = (value) =>
  typeof value === 'boolean' ? undefined : wrongType('true or false');

export const overlapHours: Check = (value) => {
  const { min, max } = OVERLAP_HOURS;
  if (!Number.isInteger(value)) return wrongType('a whole number of hours');
  return (value as number) >= min && (value as number) <= max
    ? undefined
    : { code: 'out_of_range', detail: `This must be from ${min} to ${max}.` };
};

/** RFC 3339, with a zone. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

export const moment: Check = (value) => {
  if (typeof value !== 'string') return wrongType('a string');
  return MOMENT.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : { code: 'wrong_format', detail: 'Write a time such as 2026-03-01T12:00:00Z.' };
};
