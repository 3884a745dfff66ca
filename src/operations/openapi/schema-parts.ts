import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

export type Schema = SchemaObject | ReferenceObject;
export type Properties<T> = Record<keyof T, Schema>;

export const schemaRef = (name: string): ReferenceObject => ({
  $ref: `#/components/schemas/${name}`,
});

export const text = (description: string): SchemaObject => ({ type: 'string', description });
export const id = (description: string): SchemaObject => ({ ...text(description), format: 'uuid' });
export const link = (description: string): SchemaObject => ({
  ...text(description),
  format: 'uri',
});
export const moment = (description: string): SchemaObject => ({
  ...text(description),
  format: 'date-time',
});
export const flag = (description: string): SchemaObject => ({ type: 'boolean', description });
export const minor = (description: string): SchemaObject => ({
  type: 'integer',
  format: 'int64',
  minimum: 0,
  description,
});
/** The same, where it can be below 0. */
export const signed = (description: string): SchemaObject => ({
  type: 'integer',
  format: 'int64',
  description,
});
export const count = (description: string): SchemaObject => ({
  type: 'integer',
  minimum: 0,
  description,
});
export const oneOf = (values: readonly string[], description: string): SchemaObject => ({
  ...text(description),
  enum: [...values],
});

export const orNull = (schema: SchemaObject): SchemaObject => ({
  ...schema,
  type: [schema.type as string, 'null'],
  ...(schema.enum ? { enum: [...(schema.enum as unknown[]), null] } : {}),
});
export const refOrNull = (name: string, description: string): SchemaObject => ({
  description,
  anyOf: [schemaRef(name), { type: 'null' }],
});

/** Answers leave nothing out: what is not known is null. */
export const complete = (
  description: string,
  properties: Record<string, Schema>,
): SchemaObject => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
});
