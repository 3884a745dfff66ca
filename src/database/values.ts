type Type = 'text' | 'text[]' | 'uuid' | 'uuid[]' | 'bigint' | 'timestamptz';

/** The values of a statement that is put together from parts; each is named by its place and type. */
export class Values {
  readonly list: unknown[] = [];

  add(value: string | number | Date | readonly string[], type: Type): string {
    this.list.push(value);
    return `$${this.list.length}::${type}`;
  }
}

/** As text, for JSON and for parameters. */
export const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
