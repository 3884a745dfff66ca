import { registerDecorator, validateSync, type ValidationError } from 'class-validator';
import { type FieldErrorCode } from './field-errors.js';
import { type FieldError, Problem } from './problem.js';

/** Bad fields that one answer lists. */
export const FIELD_ERRORS_MAX = 20;

/** What is wrong with a value. `at` is a JSON Pointer below the field itself. */
export interface Fault {
  readonly code: FieldErrorCode;
  readonly detail: string;
  readonly at?: string;
}

/** What is wrong with a value, if anything. */
export type Check = (value: unknown) => readonly Fault[] | Fault | undefined;

const faultsOf = (check: Check, value: unknown): readonly Fault[] => {
  const found = check(value);
  return found === undefined ? [] : Array.isArray(found) ? found : [found as Fault];
};

/**
 * A rule of our own as a class-validator decorator. Its message carries the faults to `parseBody`.
 * With `groups`, the rule holds only for requests of one of these groups.
 */
export const Rule =
  (check: Check, groups?: string[]): PropertyDecorator =>
  (target, propertyName) =>
    registerDecorator({
      name: `rule_${groups?.join('_') ?? 'always'}`,
      target: target.constructor,
      propertyName: propertyName as string,
      ...(groups ? { options: { groups } } : { options: { always: true } }),
      validator: {
        validate: (value: unknown) => faultsOf(check, value).length === 0,
        defaultMessage: (args) => JSON.stringify(faultsOf(check, args?.value)),
      },
    });

/** One step of a JSON Pointer, escaped as RFC 6901 asks. */
export const pointerStep = (name: string): string =>
  `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toFieldErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const pointer = parent + pointerStep(error.property);
    const own = Object.values(error.constraints ?? {}).flatMap((message) =>
      (JSON.parse(message) as Fault[]).map(({ code, detail, at }) => ({
        pointer: pointer + (at ?? ''),
        code,
        detail,
      })),
    );
    return [...own, ...toFieldErrors(error.children ?? [], pointer)];
  });
}

const unknownMember = (pointer: string): FieldError => ({
  pointer,
  code: 'unknown_member',
  detail: 'This field is not part of the request.',
});

/** A class whose properties carry rules; `nested` names properties that are objects of such a class. */
export interface BodyType<T extends object> {
  new (): T;
  readonly nested?: Readonly<Record<string, BodyType<object>>>;
}

const notAnObject = (pointer: string): FieldError => ({
  pointer,
  code: 'wrong_type',
  detail: 'This must be an object.',
});

/**
 * Copies the members that the class declares (its fields exist as own properties) and notes the
 * others in `errors`; so no member of a body ever shadows what objects inherit.
 */
function fill<T extends object>(
  type: BodyType<T>,
  body: Record<string, unknown>,
  errors: FieldError[],
  parent = '',
): T {
  const target = new type() as Record<string, unknown>;
  for (const [name, value] of Object.entries(body)) {
    const pointer = parent + pointerStep(name);
    const nested = type.nested?.[name];
    if (!Object.hasOwn(target, name)) errors.push(unknownMember(pointer));
    // Null means the same as absent, so it is left out: equal requests must look equal.
    else if (value === null) continue;
    else if (!nested) target[name] = value;
    else if (isObject(value)) target[name] = fill(nested, value, errors, pointer);
    else errors.push(notAnObject(pointer));
  }
  return target as T;
}

/**
 * Checks a parsed JSON body against the rules of its class.
 * @param groups of rules that hold for this request beside the general ones
 * @throws Problem `validation_failed`, with every bad field at once
 */
export function parseBody<T extends object>(
  type: BodyType<T>,
  body: unknown,
  groups: readonly string[] = [],
): T {
  if (!isObject(body)) {
    throw new Problem('validation_failed', {
      detail: 'The body must be a JSON object.',
      errors: [notAnObject('')],
    });
  }
  const misshapen: FieldError[] = [];
  const request = fill(type, body, misshapen);
  // Without any group class-validator would apply the rules of all groups.
  const faults = validateSync(request, { groups: ['every', ...groups], always: true });
  const errors = [...toFieldErrors(faults), ...misshapen];
  if (errors.length === 0) return request;
  throw new Problem('validation_failed', {
    detail: `${errors.length === 1 ? 'One field is' : `${errors.length} fields are`} not valid: ${errors
      .slice(0, FIELD_ERRORS_MAX)
      .map((error) => error.pointer || 'the body')
      .join(', ')}.`,
    errors: errors.slice(0, FIELD_ERRORS_MAX),
  });
}
