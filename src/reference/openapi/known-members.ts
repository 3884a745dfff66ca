import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

type Schema = SchemaObject | ReferenceObject;
type Schemas = Readonly<Record<string, Schema>>;
type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes members that the schema does not have. */
export function knownMembers(value: unknown, schema: Schema, schemas: Schemas): unknown {
  const { properties, items, additionalProperties } = wholeOf(value, schema, schemas);
  const part = (member: unknown, of: Schema): unknown => knownMembers(member, of, schemas);
  if (Array.isArray(value)) return items ? value.map((entry) => part(entry, items)) : value;
  // Custom pairs have names of the merchant's own.
  if (!isObject(value) || !properties || additionalProperties === true) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      properties[name] ? [[name, part(member, properties[name])]] : [],
    ),
  );
}

/** The schema itself; for alternatives, the matching one. */
function wholeOf(value: unknown, schema: Schema, schemas: Schemas): SchemaObject {
  if ('$ref' in schema) return wholeOf(value, schemas[nameOf(schema.$ref)]!, schemas);
  const { allOf, anyOf, oneOf, discriminator } = schema;
  const choices = (allOf ?? oneOf ?? anyOf)?.map((choice) => wholeOf(value, choice, schemas));
  if (!choices) return schema;
  const named = isObject(value) && value[discriminator?.propertyName ?? ''];
  const mapped = discriminator?.mapping?.[String(named)];
  if (mapped) return wholeOf(value, { $ref: mapped }, schemas);
  return choices.find((choice) => fits(value, choice)) ?? schema;
}

const fits = (value: unknown, { type, items, properties }: SchemaObject): boolean =>
  Array.isArray(value)
    ? items !== undefined
    : isObject(value) === (properties !== undefined || type === 'object');

const nameOf = ($ref: string): string => $ref.split('/').at(-1)!;
