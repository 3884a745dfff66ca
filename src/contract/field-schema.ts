import type { ApiPropertyOptions } from '@nestjs/swagger';
import { BROUGHT_BY } from '../http/operation.decorator.js';
import type { FieldOptions } from './fields.js';

interface Kind {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly object[];
}

const NULL = { type: 'null' } as const;

/**
 * What the reference says of a field, in the forms that generators of clients agree on: null beside a
 * list of values is a choice of its own, and what is taken for a field that was left out is told in words.
 */
export function fieldSchema(
  { description: general, ...kind }: Kind,
  { optional = false, orNull = false, since, default: standard, description }: FieldOptions,
): ApiPropertyOptions {
  const otherwise = standard === undefined ? undefined : `\`${standard}\` when left out.`;
  const told = [description ?? general, otherwise].filter((text) => text !== undefined);
  const schema = {
    ...(optional || orNull ? orNullOf(kind) : kind),
    ...(told.length > 0 && { description: told.join(' ') }),
    required: !optional,
    ...(since && { [BROUGHT_BY]: since }),
  };
  return schema;
}

function orNullOf(kind: Kind): object {
  if (kind.anyOf) return { ...kind, anyOf: [...kind.anyOf, NULL] };
  if (kind.enum) return { anyOf: [kind, NULL] };
  return { ...kind, nullable: true };
}
