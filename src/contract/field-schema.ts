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
 * Schema of a field, in the form that client generators agree on: null beside an enum is an alternative of its own, and
 * defaults are described as text.
 */
export function fieldSchema(
  { description: general, ...kind }: Kind,
  { optional = false, orNull = false, since, default: standard, description }: FieldOptions,
): ApiPropertyOptions {
  const otherwise = standard === undefined ? undefined : `\`${standard}\` when left out.`;
  const texts = [description ?? general, otherwise].filter((text) => text !== undefined);
  const schema = {
    ...(optional || orNull ? orNullOf(kind) : kind),
    ...(texts.length > 0 && { description: texts.join(' ') }),
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
