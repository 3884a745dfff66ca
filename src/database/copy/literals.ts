import pg from 'pg';

/** SQL with its $n values. */
export interface BoundSql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Inlines the values, because COPY takes no parameters. Each value becomes an untyped literal, with the same meaning as
 * the parameter.
 * @throws RangeError for a missing value, one without a text form, and a text with NUL
 */
export function withLiterals({ text, values }: BoundSql): string {
  return text.replace(/\$(\d+)/g, (_, n: string) => {
    const at = Number(n) - 1;
    if (!(at in values)) throw new RangeError(`there is no value $${n}`);
    return literal(values[at]);
  });
}

/** A value as SQL literal. */
export function literal(value: unknown): string {
  const text = textOf(value);
  if (text === null) return 'NULL';
  // NUL would terminate the statement.
  if (text.includes('\0')) throw new RangeError('a text with a NUL');
  return pg.escapeLiteral(text);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new RangeError(`no SQL for such a value of the type ${typeof value}`);
}

function elementOf(value: unknown): string {
  if (Array.isArray(value)) throw new RangeError('no SQL for an array in an array');
  const text = textOf(value);
  return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
