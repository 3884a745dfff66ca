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

/** A class of answers, and its name in the reference; later versions may have more fields. */
export const Answer = (name: string, description: string, schema: object = {}): ClassDecorator =>
  ApiSchema({ name, description, ...schema });

/** An answer of the class, by which versions know it; the compiler asks for every field. */
export const answerOf = <T extends object>(type: Type<T>, fields: NoInfer<T>): T =>
  Object.assign(new type(), fields);

/** A whole number of any size. */
export const Integer = (...about: About): PropertyDecorator =>
  Field({ type: 'integer' }, [], optionsOf(about));

export const MailAddress = (...about: About): PropertyDecorator =>
  Field({ type: 'string', format: 'email' }, [], optionsOf(about));

/** A currency by its ISO 4217 code: a reader of today knows those of tomorrow. */
export const CurrencyCode = (...about: About): PropertyDecorator =>
  Field({ type: 'string', pattern: '^[A-Z]{3}$' }, [], {
    description: 'ISO 4217 code; new ones can come.',
    ...optionsOf(about),
  });

/** One of the values, or one that came later: a list that grows without a new version of the contract. */
export function OpenList(values: readonly string[], ...about: About): PropertyDecorator {
  const { description, ...told } = optionsOf(about);
  return Field({ anyOf: [{ type: 'string', enum: [...values] }, { type: 'string' }] }, [], {
    ...told,
    description: `${description} More values can come.`,
  });
}

/** Names and texts of a merchant's own. */
export const Pairs = (...about: About): PropertyDecorator =>
  Field({ type: 'object', additionalProperties: { type: 'string' } }, [], optionsOf(about));

export const SomeOf = (values: readonly string[], ...about: About): PropertyDecorator =>
  Field({ enum: [...values], isArray: true }, [], optionsOf(about));

export const Texts = (...about: About): PropertyDecorator =>
  Field({ type: 'array', items: { type: 'string' } }, [], optionsOf(about));

/** So many answers of another class. */
export function ListOf(type: Type, ...about: About<Partial<Range>>): PropertyDecorator {
  const { min: minItems, max: maxItems, ...told } = optionsOf(about);
  return Field({ type, isArray: true, minItems, maxItems }, [], told);
}

/**
 * An answer of another class whose schema stands in place, with all that is in it: some readers
 * follow references for a few levels only, and what lies around an order nests deeper.
 */
export function InPlace(type: Type, ...about: About): PropertyDecorator {
  const { since } = optionsOf(about);
  const { schemas } = generateSchema(type);
  const whole = inPlace({ $ref: getSchemaPath(type) }, schemas) as object;
  return applyDecorators(
    remember({ since }),
    // What the whole requires is its own list.
    ApiProperty({
      ...fieldSchema(whole, optionsOf(about)),
      required: (whole as { required?: string[] }).required,
      selfRequired: true,
    } as ApiPropertyOptions),
  );
}

/** A schema with what it refers to in the place of each reference. */
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

/** A class that stands for one of others; each is known by its own values of the field `by`. */
export function Either(
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
    // What swagger gives to every class, though this one has no fields of its own.
    type: undefined,
    properties: undefined,
  };
  return applyDecorators(ApiExtraModels(...types), Answer(name, description, schema));
}
