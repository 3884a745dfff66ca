import { type FieldErrorCode } from './field-errors.js';
import { AMOUNT_MAX, isAmount } from './money.js';
import { type TextLimits, type TextProblem, textProblem } from './text.js';
import type { Check, Fault } from './validation.js';

/** What is wrong with one value, if anything: rules of fields that several requests have. */
type FieldCheck = (value: unknown) => Fault | undefined;

export const wrongType = (what: string): Fault => ({
  code: 'wrong_type',
  detail: `This must be ${what}.`,
});

export const isMissing = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** A field may be left out or null, which mean the same. */
export const optional =
  (check: Check): Check =>
  (value) =>
    isMissing(value) ? undefined : check(value);

export const required =
  (check: Check): Check =>
  (value) =>
    isMissing(value) ? { code: 'required', detail: 'This field is required.' } : check(value);

function textFault(problem: TextProblem, max: number): Fault {
  const faults: Record<TextProblem, Fault> = {
    not_text: wrongType('a string'),
    too_short: { code: 'too_short', detail: 'This must not be empty.' },
    too_long: { code: 'too_long', detail: `This may have at most ${max} characters.` },
    control_character: { code: 'control_character', detail: 'This has a control character.' },
    not_well_formed: { code: 'not_well_formed', detail: 'This is not valid Unicode.' },
  };
  return faults[problem];
}

const checked =
  (limits: TextLimits): FieldCheck =>
  (value) => {
    const problem = textProblem(value, limits);
    return problem && textFault(problem, limits.max);
  };

export const text = (max: number, min = 0): FieldCheck => checked({ min, max });

/** A text by which people know what it belongs to. */
export const name = (max: number): FieldCheck => checked({ max, name: true });

/** A text of some form. */
export const formed =
  (
    isValid: (value: string) => boolean,
    detail: string,
    code: FieldErrorCode = 'wrong_format',
  ): FieldCheck =>
  (value) => {
    if (typeof value !== 'string') return wrongType('a string');
    return isValid(value) ? undefined : { code, detail };
  };

/** @param what such as `minutes` */
export const wholeNumber =
  (what: string, { min, max }: { readonly min: number; readonly max: number }): FieldCheck =>
  (value) => {
    if (!Number.isInteger(value)) return wrongType(`a whole number of ${what}`);
    return (value as number) >= min && (value as number) <= max
      ? undefined
      : { code: 'out_of_range', detail: `This must be from ${min} to ${max}.` };
  };

export const amount: FieldCheck = (value) => {
  if (typeof value !== 'number') return wrongType('a whole number of minor units');
  return isAmount(value)
    ? undefined
    : { code: 'out_of_range', detail: `This must be a whole number from 1 to ${AMOUNT_MAX}.` };
};
