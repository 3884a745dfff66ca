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
import { CURRENCY_CODES } from '../common/money/currencies.js';
import { AMOUNT_MAX } from '../common/money/money.js';
import { momentOf } from '../common/time/rfc3339.js';
import { type ApiVersion, API_VERSIONS } from '../common/api-version.js';
import { fieldSchema } from './field-schema.js';
import { capitals, type Fold } from './normalizers.js';
import { beforeVersion } from './versions/rule-groups.js';
import { type Fault, formed, GroupRule, Validate, says, saysType, text } from './rules.js';

const CLOSED: object = { additionalProperties: false };

/** Class of request bodies with its name in the reference. */
export const RequestBody = (name: string, description: string): ClassDecorator =>
  ApiSchema({ name, description, ...CLOSED });

/** Options of a field besides its type. */
export interface FieldOptions {
  readonly description?: string;
  /**
   * Value if the field is absent, as text in the description: client generators make fields with a `default` required.
   */
  readonly default?: string | number | boolean | undefined;
  /** Optional. Null means the same, unless `orNull` is set. */
  readonly optional?: boolean;
  /** Null is a value of its own. */
  readonly orNull?: boolean;
  /** API version that introduced the field: absent from answers in older versions, and rejected in their requests. */
  readonly since?: ApiVersion;
}

/** Description of a field, its options, or both in this order. */
export type About<Options = object> = readonly (string | (FieldOptions & Options))[];

export const OR_NULL = { orNull: true } as const;
export const OPTIONAL = { optional: true } as const;

/** Data of a field for `parse` and `inVersion`, besides its rules. */
interface FieldFacts {
  readonly orNull?: boolean;
  readonly since?: ApiVersion | undefined;
  /** Class of a nested object. */
  readonly part?: (new () => object) | undefined;
  readonly fold?: Fold;
}

type Fields = ReadonlyMap<string, FieldFacts>;

/** Fields by class prototype, cached for every request. */
const FIELDS = new WeakMap<object, Fields>();

export const fieldsOf = (type: new () => object): Fields => fieldsIn(type.prototype as object);

/** Fields of an object's class, own and inherited; empty for other objects. */
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

/** Normalises a value before the rules of its field check it. */
export const Normalize = (fold: Fold): PropertyDecorator => remember({ fold });

export const optionsOf = <Options>(about: About<Options>): FieldOptions & Partial<Options> =>
  Object.assign(
    {},
    ...about.map((item) => (typeof item === 'string' ? { description: item } : item)),
  ) as FieldOptions & Partial<Options>;

/**
 * A field of a request or an answer: its schema in the reference, and its validation rules. The first failing rule
 * provides the message.
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

/** A reusable field type with fixed schema and rules. */
export const fieldType =
  (schema: object, ...rules: readonly PropertyDecorator[]) =>
  (...about: About): PropertyDecorator =>
    Field(schema, rules, optionsOf(about));

/** All characters except control characters. */
export const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** The same with line breaks, which a field may fold. */
export const PLAIN_LINES = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';

/** Text; with `max` limited in length and without control characters. */
export function Text(...about: About<{ max?: number }>): PropertyDecorator {
  const { max, ...options } = optionsOf(about);
  return max === undefined
    ? Field({ type: 'string' }, [IsString(saysType('a string'))], options)
    : Field(
        { type: 'string', maxLength: max, pattern: PLAIN_TEXT },
        [Validate(text({ max }))],
        options,
      );
}

/** Id of the service. */
export const Uuid = fieldType({ type: 'string', format: 'uuid' });

/** A URL; with `max` limited in length. Validated elsewhere. */
export function Link(...about: About<{ max?: number }>): PropertyDecorator {
  const { max: maxLength, ...options } = optionsOf(about);
  return Field(
    { type: 'string', format: 'uri', ...(maxLength && { maxLength }) },
    [IsString(saysType('a string'))],
    options,
  );
}

const moment = formed(
  (value) => momentOf(value) !== null,
  'Write a time such as 2026-03-01T12:00:00Z.',
);

export const Moment = fieldType({ type: 'string', format: 'date-time' }, Validate(moment));

export const Flag = fieldType({ type: 'boolean' }, IsBoolean(saysType('true or false')));

const noAmount = says('out_of_range', `This must be a whole number from 1 to ${AMOUNT_MAX}.`);

/** Amount of an order, in minor units of its currency. */
export const Amount = fieldType(
  { type: 'integer', minimum: 1, maximum: AMOUNT_MAX },
  IsNumber({ allowInfinity: true }, saysType('a whole number of minor units')),
  IsInt(noAmount),
  Min(1, noAmount),
  Max(AMOUNT_MAX, noAmount),
);

/** Sum in minor units, never below 0. */
export const Minor = fieldType({ type: 'integer', format: 'int64', minimum: 0 });

/** Sum in minor units that can be below 0. */
export const Signed = fieldType({ type: 'integer', format: 'int64' });

/** A count from `min`, by default 0. */
export function Count(...about: About<{ min?: number }>): PropertyDecorator {
  const { min = 0, ...options } = optionsOf(about);
  return Field({ type: 'integer', minimum: min }, [], options);
}

export interface Range {
  readonly min: number;
  readonly max: number;
  /** Default value. */
  readonly standard?: number;
}

/** An integer of a request. @param unit such as `minutes`, which makes the type error more specific */
export function IntegerInRange(
  { min, max, standard }: Range,
  ...about: About<{ unit?: string }>
): PropertyDecorator {
  const { unit, ...options } = optionsOf(about);
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
    { default: standard, ...options },
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
      Normalize(capitals),
      IsString(saysType('a string')),
      IsIn(CURRENCY_CODES, says('unknown_currency', 'Use a current ISO 4217 code, such as EUR.')),
    ],
    { description: 'ISO 4217 code.', ...optionsOf(about) },
  );

/** API version. */
export const Version = fieldType(
  { type: 'string', enum: [...API_VERSIONS] },
  IsString(saysType('a string')),
  IsIn(API_VERSIONS, says('wrong_format', `Use one of ${API_VERSIONS.join(', ')}.`)),
);

/** A nested object of its own class. */
export const Nested = (type: new () => object, ...about: About): PropertyDecorator =>
  Field({ type }, [ValidateNested()], optionsOf(about), type);
