type Type = 'text' | 'text[]' | 'uuid' | 'uuid[]' | 'bigint' | 'timestamptz';

/** Collects the values of a statement that is composed from parts; each is referenced by position and type. */
export class Values {
  readonly list: unknown[] = [];

  add(value: string | number | Date | readonly string[], type: Type): string {
    this.list.push(value);
    return `$${this.list.length}::${type}`;
  }
}

/** Hex text of bytea, for JSON and parameters. */
export const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
