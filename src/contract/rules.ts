import { registerDecorator, type ValidationOptions } from 'class-validator';
import { type TextLimits, type TextProblem, textProblem } from '../common/text.js';
import type { FieldErrorCode } from '../http/field-errors.js';

/** What is wrong with a value. `at` is a JSON Pointer below the field itself. */
export interface Fault {
  readonly code: FieldErrorCode;
  readonly detail: string;
  readonly at?: string;
}

/** What is wrong with a value, if anything. */
export type Check = (value: unknown) => readonly Fault[] | Fault | undefined;

/** Whether a rule of class-validator has this name because it holds in one group only. */
export const isOfGroup = (name: string): boolean => name.startsWith('in ');

/** What a rule says when it fails: a message of class-validator carries no more than text. */
export const messageOf = (...faults: readonly Fault[]): string => JSON.stringify(faults);
export const faultsIn = (message: string): readonly Fault[] => JSON.parse(message) as Fault[];

/** For one of class-validator's own rules: what it says when it fails. */
export const says = (code: FieldErrorCode, detail: string): ValidationOptions => ({
  message: messageOf({ code, detail }),
});

export const saysType = (what: string): ValidationOptions => ({
  message: messageOf(wrongType(what)),
});

/** A rule that class-validator does not have; the first check that finds something speaks. */
export const Rule = (...checks: readonly Check[]): PropertyDecorator => register('rule', checks);

/** The same for the requests of one group only. */
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

/** What the first of the checks finds that finds anything. */
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

/** One step of a JSON Pointer, escaped as RFC 6901 asks. */
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

/** A text of some form. */
export const formed =
  (isValid: (value: string) => boolean, detail: string) =>
  (value: unknown): Fault | undefined => {
    if (typeof value !== 'string') return wrongType('a string');
    return isValid(value) ? undefined : { code: 'wrong_format', detail };
  };
