import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { CURRENCY_CODES } from '../common/currencies.js';
import { AMOUNT_MAX } from '../common/money.js';
import { momentOf } from '../common/rfc3339.js';
import { type ApiVersion, API_VERSIONS } from '../http/api-version.js';
import { fieldSchema } from './field-schema.js';
import { capitals, type Fold } from './folds.js';
import { beforeVersion } from './versions/rule-groups.js';
import { type Fault, formed, GroupRule, Rule, says, saysType, text } from './rules.js';

const CLOSED: object = { additionalProperties: false };

/** A class of request bodies, and its name in the reference. */
export const RequestBody = (name: string, description: string): ClassDecorator =>
  ApiSchema({ name, description, ...CLOSED });

/** What is told of a field beside its kind. */
export interface FieldOptions {
  readonly description?: string;
  /** What a request that leaves it out gets. It is told in words: generators of clients make fields with a `default` required. */
  readonly default?: string | number | boolean | undefined;
  /** A request may leave it out. Null means the same, but with `orNull`. */
  readonly optional?: boolean;
  /** Null is a value of its own. */
  readonly orNull?: boolean;
  /** The version of the contract that brought it: requests of older ones may not have it, and answers do not. */
  readonly since?: ApiVersion;
}

/** The description of a field, its options, or first the one and then the other. */
export type About<Options = object> = readonly (string | (FieldOptions & Options))[];

export const OR_NULL = { orNull: true } as const;
export const OPTIONAL = { optional: true } as const;

/** What `parse` and `inVersion` must know of a field beside its rules. */
interface FieldFacts {
  readonly orNull?: boolean;
  readonly since?: ApiVersion | undefined;
  /** The class of the object in it. */
  readonly part?: (new () => object) | undefined;
  readonly fold?: Fold;
}

type Fields = ReadonlyMap<string, FieldFacts>;

/** The fields of a class, by its prototype: every request asks for them. */
const FIELDS = new WeakMap<object, Fields>();

export const fieldsOf = (type: new () => object): Fields => fieldsIn(type.prototype as object);

/** The fields of an object's class, its own or inherited; what has no such class has none. */
export const fieldsIn = (object: object | null): Fields =>
  object === null
    ? new Map()
    : (FIELDS.get(object) ?? fieldsIn(Object.getPrototypeOf(object) as object | null));

export const remember =
  (facts: FieldFacts): PropertyDecorator =>
  (target, name) => {
    const known = fieldsIn(target);
    const all = { ...known.get(name as string), ...facts };
    FIELDS.set(target, new Map([...known, [name as string, all]]));
  };

/** What is kept of a sloppy value, before the rules of its field see it. */
export const Folds = (fold: Fold): PropertyDecorator => remember({ fold });

export const optionsOf = <Options>(about: About<Options>): FieldOptions & Partial<Options> =>
  Object.assign(
    {},
    ...about.map((told) => (typeof told === 'string' ? { description: told } : told)),
  ) as FieldOptions & Partial<Options>;

/**
 * One field of a request or an answer: its schema in the reference, and the rules that requests are
 * checked by. The first rule that fails speaks.
 */
export function Field(
  schema: object,
  rules: readonly PropertyDecorator[],
  options: FieldOptions,
  part?: new () => object,
): PropertyDecorator {
  const { optional = false, orNull = false, since } = options;
  const isNullable = optional || orNull;
  return applyDecorators(
    remember({ orNull, since, part }),
    ApiProperty(fieldSchema(schema, options)),
    ...(since === undefined ? [] : [GroupRule(beforeVersion(since), () => tooNew(since))]),
    ...(isNullable ? [] : [IsDefined(says('required', 'This field is required.'))]),
    ...rules,
  );
}

const tooNew = (since: ApiVersion): Fault => ({
  code: 'field_not_in_this_version',
  detail: `This field came with version ${since}; select it with the header Api-Version.`,
});

/** A kind of field that has its schema and its rules whatever is told of it. */
export const kind =
  (schema: object, ...rules: readonly PropertyDecorator[]) =>
  (...about: About): PropertyDecorator =>
    Field(schema, rules, optionsOf(about));

/** Every character but control characters. */
export const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** The same of several lines, which a field may fold into one. */
export const PLAIN_LINES = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';

/** Text; with `max` of so many characters, without control characters. */
export function Text(...about: About<{ max?: number }>): PropertyDecorator {
  const { max, ...told } = optionsOf(about);
  return max === undefined
    ? Field({ type: 'string' }, [IsString(saysType('a string'))], told)
    : Field({ type: 'string', maxLength: max, pattern: PLAIN_TEXT }, [Rule(text({ max }))], told);
}

/** An id of the service's own. */
export const Uuid = kind({ type: 'string', format: 'uuid' });

/** An address; with `max` of so many characters. Whether it is a good one is for others to say. */
export function Link(...about: About<{ max?: number }>): PropertyDecorator {
  const { max: maxLength, ...told } = optionsOf(about);
  return Field(
    { type: 'string', format: 'uri', ...(maxLength && { maxLength }) },
    [IsString(saysType('a string'))],
    told,
  );
}

const moment = formed(
  (value) => momentOf(value) !== null,
  'Write a time such as 2026-03-01T12:00:00Z.',
);

export const Moment = kind({ type: 'string', format: 'date-time' }, Rule(moment));

export const Flag = kind({ type: 'boolean' }, IsBoolean(saysType('true or false')));

const noAmount = says('out_of_range', `This must be a whole number from 1 to ${AMOUNT_MAX}.`);

/** What an order may ask for, in minor units of its currency. */
export const Amount = kind(
  { type: 'integer', minimum: 1, maximum: AMOUNT_MAX },
  IsNumber({ allowInfinity: true }, saysType('a whole number of minor units')),
  IsInt(noAmount),
  Min(1, noAmount),
  Max(AMOUNT_MAX, noAmount),
);

/** Minor units that sum up, and are never below 0. */
export const Minor = kind({ type: 'integer', format: 'int64', minimum: 0 });

/** The same, where it can be below 0. */
export const Signed = kind({ type: 'integer', format: 'int64' });

/** How many; from `min`, which is 0 by default. */
export function Count(...about: About<{ min?: number }>): PropertyDecorator {
  const { min = 0, ...told } = optionsOf(about);
  return Field({ type: 'integer', minimum: min }, [], told);
}

export interface Range {
  readonly min: number;
  readonly max: number;
  /** What is taken when a request leaves it out. */
  readonly standard?: number;
}

/** A whole number of a request. @param unit such as `minutes`, which tells a wrong type from a wrong number */
export function Whole(
  { min, max, standard }: Range,
  ...about: About<{ unit?: string }>
): PropertyDecorator {
  const { unit, ...told } = optionsOf(about);
  const outside = says(
    'out_of_range',
    `This must be ${unit ? '' : 'a whole number '}from ${min} to ${max}.`,
  );
  return Field(
    { type: 'integer', minimum: min, maximum: max },
    [
      IsInt(unit ? saysType(`a whole number of ${unit}`) : outside),
      Min(min, outside),
      Max(max, outside),
    ],
    { default: standard, ...told },
  );
}

export const OneOf = (values: readonly string[], ...about: About): PropertyDecorator =>
  Field(
    { type: 'string', enum: [...values] },
    [IsIn(values, says('wrong_format', `This must be one of ${values.join(', ')}.`))],
    optionsOf(about),
  );

export const Currency = (...about: About): PropertyDecorator =>
  Field(
    {
      anyOf: [
        { type: 'string', enum: CURRENCY_CODES },
        { type: 'string', pattern: '^\\s*[A-Za-z]{3}\\s*$' },
      ],
    },
    [
      Folds(capitals),
      IsString(saysType('a string')),
      IsIn(CURRENCY_CODES, says('unknown_currency', 'Use a current ISO 4217 code, such as EUR.')),
    ],
    { description: 'ISO 4217 code.', ...optionsOf(about) },
  );

/** A version of the contract. */
export const Version = kind(
  { type: 'string', enum: [...API_VERSIONS] },
  IsString(saysType('a string')),
  IsIn(API_VERSIONS, says('wrong_format', `Use one of ${API_VERSIONS.join(', ')}.`)),
);

/** An object of its own class. */
export const Part = (type: new () => object, ...about: About): PropertyDecorator =>
  Field({ type }, [ValidateNested()], optionsOf(about), type);
