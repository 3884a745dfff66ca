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
 * An answer of another class whose schema stands in place, so that what lies around an order does
 * not nest too deep for some readers; generated clients take the title for its name.
 */
export function InPlace(type: Type, ...about: About): PropertyDecorator {
  const title = getSchemaPath(type).split('/').at(-1)!;
  const { orNull: nullable, since, ...told } = optionsOf(about);
  const schema = { ...generateSchema(type).schemas[title], title, nullable, ...told };
  return applyDecorators(
    remember({ since }),
    ApiProperty({ ...schema, selfRequired: true } as ApiPropertyOptions),
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
