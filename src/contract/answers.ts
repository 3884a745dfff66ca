import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  type ApiPropertyOptions,
  ApiSchema,
  generateSchema,
  getSchemaPath,
  type SchemaObject,
} from '@nestjs/swagger';
import { fieldSchema } from './field-schema.js';
import { type About, Field, optionsOf, type Range, remember } from './fields.js';

/** Class of answers with its name in the reference; later versions may add fields. */
export const Answer = (name: string, description: string, schema: object = {}): ClassDecorator =>
  ApiSchema({ name, description, ...schema });

/** Creates an answer of a class, which versioning needs; the compiler requires every field. */
export const answerOf = <T extends object>(type: Type<T>, fields: NoInfer<T>): T =>
  Object.assign(new type(), fields);

/** An integer without limits. */
export const Integer = (...about: About): PropertyDecorator =>
  Field({ type: 'integer' }, [], optionsOf(about));

export const MailAddress = (...about: About): PropertyDecorator =>
  Field({ type: 'string', format: 'email' }, [], optionsOf(about));

/** ISO 4217 currency code; clients must accept codes added later. */
export const CurrencyCode = (...about: About): PropertyDecorator =>
  Field({ type: 'string', pattern: '^[A-Z]{3}$' }, [], {
    description: 'ISO 4217 code; new ones can come.',
    ...optionsOf(about),
  });

/** An extensible enum: values can be added without a new API version. */
export function OpenList(values: readonly string[], ...about: About): PropertyDecorator {
  const { description, ...options } = optionsOf(about);
  return Field({ anyOf: [{ type: 'string', enum: [...values] }, { type: 'string' }] }, [], {
    ...options,
    description: `${description} More values can come.`,
  });
}

/** Custom key-value pairs of a merchant. */
export const Pairs = (...about: About): PropertyDecorator =>
  Field({ type: 'object', additionalProperties: { type: 'string' } }, [], optionsOf(about));

export const SomeOf = (values: readonly string[], ...about: About): PropertyDecorator =>
  Field({ enum: [...values], isArray: true }, [], optionsOf(about));

export const Texts = (...about: About): PropertyDecorator =>
  Field({ type: 'array', items: { type: 'string' } }, [], optionsOf(about));

/** A list of answers of another class. */
export function ListOf(type: Type, ...about: About<Partial<Range>>): PropertyDecorator {
  const { min: minItems, max: maxItems, ...options } = optionsOf(about);
  return Field({ type, isArray: true, minItems, maxItems }, [], options);
}

/**
 * An answer of another class with its schema inlined: some tools follow references only a few levels deep, and orders
 * nest deeper.
 */
export function InPlace(type: Type, ...about: About): PropertyDecorator {
  const { since } = optionsOf(about);
  const { schemas } = generateSchema(type);
  const whole = inPlace({ $ref: getSchemaPath(type) }, schemas) as object;
  return applyDecorators(
    remember({ since }),
    // The inlined schema has a `required` list of its own.
    ApiProperty({
      ...fieldSchema(whole, optionsOf(about)),
      required: (whole as { required?: string[] }).required,
      selfRequired: true,
    } as ApiPropertyOptions),
  );
}

/** Inlines all references of a schema. */
function inPlace(value: unknown, schemas: Readonly<Record<string, object>>): unknown {
  if (Array.isArray(value)) return value.map((entry) => inPlace(entry, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  const title = $ref?.split('/').at(-1);
  const whole = title === undefined ? rest : { ...schemas[title], title, ...rest };
  return Object.fromEntries(
    Object.entries(whole).map(([name, part]) => [name, inPlace(part, schemas)]),
  );
}

/** One of several classes, distinguished by the values of the field `by`. */
export function OneOfTypes(
  name: string,
  description: string,
  by: string,
  ...of: readonly (readonly [Type, readonly string[]])[]
): ClassDecorator {
  const types = of.map(([type]) => type);
  const mapping = of.flatMap(([type, values]) =>
    values.map((value) => [value, getSchemaPath(type)]),
  );
  const schema: SchemaObject = {
    oneOf: types.map((type) => ({ $ref: getSchemaPath(type) })),
    discriminator: { propertyName: by, mapping: Object.fromEntries(mapping) },
    // Removes swagger's default, since this class has no fields of its own.
    type: undefined,
    properties: undefined,
  };
  return applyDecorators(ApiExtraModels(...types), Answer(name, description, schema));
}
