import { validateSync, type ValidationError } from 'class-validator';
import { type FieldError, Problem } from '../http/problem.js';
import { fieldsOf } from './fields.js';
import { type Folded, type WarningCode, WARNINGS } from './folds.js';
import { type Fault, faultsIn, isOfGroup, pointerStep } from './rules.js';

/** Bad fields that one answer lists. */
export const FIELD_ERRORS_MAX = 20;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toFieldErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const pointer = parent + pointerStep(error.property);
    const own = spoken(error.constraints ?? {}).map(({ code, detail, at = '' }) => ({
      pointer: pointer + at,
      code,
      detail,
    }));
    return [...own, ...toFieldErrors(error.children ?? [], pointer)];
  });
}

/** The rules of groups all speak; of those that always hold, the first that failed. */
function spoken(failed: Readonly<Record<string, string>>): Fault[] {
  const { ofGroup = [], always = [] } = Object.groupBy(Object.keys(failed), (rule) =>
    isOfGroup(rule) ? 'ofGroup' : 'always',
  );
  return [...ofGroup, ...always.slice(0, 1)].flatMap((rule) => faultsIn(failed[rule]!));
}

const unknownMember = (pointer: string): FieldError => ({
  pointer,
  code: 'unknown_member',
  detail: 'This field is not part of the request.',
});

const notAnObject = (pointer: string): FieldError => ({
  pointer,
  code: 'wrong_type',
  detail: 'This must be an object.',
});

/** How one field was kept that had been written otherwise. */
export interface Warning {
  /** JSON Pointer (RFC 6901) into the request's body. */
  readonly pointer: string;
  readonly code: WarningCode;
  readonly detail: string;
}

interface Findings {
  readonly errors: FieldError[];
  /** Most requests have none. */
  warnings?: Warning[];
}

const noticed = new WeakMap<object, readonly Warning[]>();

/** How a request was kept where it had been written otherwise. */
export const warningsAbout = (request: object): readonly Warning[] => noticed.get(request) ?? [];

const warningsOf = (pointer: string, { notices }: Folded): Warning[] =>
  notices.map(({ code, at = '' }) => ({ pointer: pointer + at, code, detail: WARNINGS[code] }));

/**
 * Copies the members that are fields of the class, as they are kept, and notes the others as errors; so
 * no member of a body ever shadows what objects inherit.
 */
function fill<T extends object>(
  type: new () => T,
  body: Readonly<Record<string, unknown>>,
  found: Findings,
  parent = '',
): T {
  const target = new type() as Record<string, unknown>;
  const fields = fieldsOf(type);
  for (const [name, sent] of Object.entries(body)) {
    const field = fields.get(name);
    const folded = field?.fold?.(sent);
    if (folded) (found.warnings ??= []).push(...warningsOf(`${parent}/${name}`, folded));
    const value = folded ? folded.value : sent;
    if (!field) found.errors.push(unknownMember(parent + pointerStep(name)));
    // Null means the same as absent, so it is left out: equal requests must look equal.
    else if (value === undefined || (value === null && !field.orNull)) continue;
    else if (!field.part || value === null) target[name] = value;
    else if (isObject(value)) target[name] = fill(field.part, value, found, `${parent}/${name}`);
    else found.errors.push(notAnObject(`${parent}/${name}`));
  }
  return target as T;
}

/**
 * Checks a parsed JSON body, or a form made into one, against the rules of its class.
 * @param groups of rules that hold for this request beside the general ones
 * @throws Problem `validation_failed`, with every bad field at once
 */
export function parse<T extends object>(
  type: new () => T,
  body: unknown,
  groups: readonly string[] = [],
): T {
  if (!isObject(body)) {
    throw new Problem('validation_failed', {
      detail: 'The body must be a JSON object.',
      errors: [notAnObject('')],
    });
  }
  const found: Findings = { errors: [] };
  const request = fill(type, body, found);
  const faults = validateSync(request, {
    // Without any group class-validator would apply the rules of all groups.
    groups: ['every', ...groups],
    always: true,
    // Whether a field is required is a rule of its own.
    skipMissingProperties: true,
  });
  const errors = [...toFieldErrors(faults), ...found.errors];
  if (found.warnings) noticed.set(request, found.warnings);
  if (errors.length === 0) return request;
  throw new Problem('validation_failed', {
    detail: `${errors.length === 1 ? 'One field is' : `${errors.length} fields are`} not valid: ${errors
      .slice(0, FIELD_ERRORS_MAX)
      .map((error) => error.pointer || 'the body')
      .join(', ')}.`,
    errors: errors.slice(0, FIELD_ERRORS_MAX),
  });
}
