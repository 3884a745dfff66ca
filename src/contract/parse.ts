import { validateSync, type ValidationError } from 'class-validator';
import { type FieldError, Problem } from '../http/problems/problem.js';
import { fieldsOf } from './fields.js';
import { type Folded, type WarningCode, WARNINGS } from './normalizers.js';
import { type Fault, faultsIn, isOfGroup, pointerStep } from './rules.js';

/** Maximum field errors per answer. */
export const FIELD_ERRORS_MAX = 20;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toFieldErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const pointer = parent + pointerStep(error.property);
    const own = reportedFaults(error.constraints ?? {}).map(({ code, detail, at = '' }) => ({
      pointer: pointer + at,
      code,
      detail,
    }));
    return [...own, ...toFieldErrors(error.children ?? [], pointer)];
  });
}

/** Faults of all group rules; of the general rules, the first that failed. */
function reportedFaults(failed: Readonly<Record<string, string>>): Fault[] {
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

/** A normalised field. */
export interface Warning {
  /** JSON Pointer (RFC 6901) into the request's body. */
  readonly pointer: string;
  readonly code: WarningCode;
  readonly detail: string;
}

interface Findings {
  readonly errors: FieldError[];
  /** Absent in most requests. */
  warnings?: Warning[];
}

const noticed = new WeakMap<object, readonly Warning[]>();

/** Normalisations of a request. */
export const warningsAbout = (request: object): readonly Warning[] => noticed.get(request) ?? [];

const warningsOf = (pointer: string, { notices }: Folded): Warning[] =>
  notices.map(({ code, at = '' }) => ({ pointer: pointer + at, code, detail: WARNINGS[code] }));

/**
 * Copies known fields, normalised, and records others as errors. No member of a body can shadow inherited members of
 * objects.
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
    // Null and absent are the same, so equal requests look equal.
    else if (value === undefined || (value === null && !field.orNull)) continue;
    else if (!field.part || value === null) target[name] = value;
    else if (isObject(value)) target[name] = fill(field.part, value, found, `${parent}/${name}`);
    else found.errors.push(notAnObject(`${parent}/${name}`));
  }
  return target as T;
}

/**
 * Validates a parsed JSON body, or a form converted to one.
 * @param groups rule groups of this request, in addition to the general rules
 * @throws Problem `validation_failed`, with all invalid fields
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
    // Without groups class-validator would apply the rules of all groups.
    groups: ['every', ...groups],
    always: true,
    // Required fields have a rule of their own.
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
