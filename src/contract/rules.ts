import { registerDecorator, type ValidationOptions } from 'class-validator';
import { type TextLimits, type TextProblem, textProblem } from '../common/text.js';
import type { FieldErrorCode } from '../http/problems/field-errors.js';

/** A validation error. `at` is a JSON Pointer relative to the field. */
export interface Fault {
  readonly code: FieldErrorCode;
  readonly detail: string;
  readonly at?: string;
}

/** Validates a value. */
export type Check = (value: unknown) => readonly Fault[] | Fault | undefined;

/** Whether a class-validator rule belongs to a group, as its name says. */
export const isOfGroup = (name: string): boolean => name.startsWith('in ');

/** Serialised faults: messages of class-validator are plain text. */
export const messageOf = (...faults: readonly Fault[]): string => JSON.stringify(faults);
export const faultsIn = (message: string): readonly Fault[] => JSON.parse(message) as Fault[];

/** Options for class-validator's own rules, with the message. */
export const says = (code: FieldErrorCode, detail: string): ValidationOptions => ({
  message: messageOf({ code, detail }),
});

export const saysType = (what: string): ValidationOptions => ({
  message: messageOf(wrongType(what)),
});

/** A custom rule; the first failing check provides the message. */
export const Validate = (...checks: readonly Check[]): PropertyDecorator =>
  register('rule', checks);

/** A custom rule for requests of one group. */
export const GroupRule = (group: string, check: Check): PropertyDecorator =>
  register(`in ${group}`, [check], [group]);

const register =
  (name: string, checks: readonly Check[], groups?: string[]): PropertyDecorator =>
  (target, propertyName) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: propertyName as string,
      options: groups ? { groups } : {},
      validator: {
        validate: (value: unknown) => firstOf(checks, value).length === 0,
        defaultMessage: (args) => messageOf(...firstOf(checks, args?.value)),
      },
    });

/** Faults of the first failing check. */
function firstOf(checks: readonly Check[], value: unknown): readonly Fault[] {
  for (const check of checks) {
    const found = check(value) ?? [];
    const faults = Array.isArray(found) ? (found as readonly Fault[]) : [found as Fault];
    if (faults.length > 0) return faults;
  }
  return [];
}

export const wrongType = (what: string): Fault => ({
  code: 'wrong_type',
  detail: `This must be ${what}.`,
});

/** A step of a JSON Pointer, escaped per RFC 6901. */
export const pointerStep = (name: string): string =>
  `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const text =
  (limits: TextLimits) =>
  (value: unknown): Fault | undefined => {
    const problem = textProblem(value, limits);
    return problem && textFault(problem, limits.max);
  };

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

/** A text with a given format. */
export const formed =
  (isValid: (value: string) => boolean, detail: string) =>
  (value: unknown): Fault | undefined => {
    if (typeof value !== 'string') return wrongType('a string');
    return isValid(value) ? undefined : { code: 'wrong_format', detail };
  };
