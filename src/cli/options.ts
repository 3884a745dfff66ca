/** Invalid usage of a command. */
export class UsageError extends Error {}

/** Format and meaning of an option's text. */
export interface Input<T> {
  readonly expects: string;
  /** Returns undefined for invalid text. */
  readonly parse: (text: string) => T | undefined;
}

type Operands = Readonly<Record<string, readonly string[]>>;

/**
 * Assigns positional arguments to operands: `FILE` takes one, `FILE…`, as the last, all remaining ones.
 * @throws UsageError for a missing or an extra argument
 */
export function operandsOf(names: readonly string[], typed: readonly string[]): Operands {
  const left = [...typed];
  const given = names.map((name) => {
    const texts = left.splice(0, name.endsWith('…') ? left.length : 1);
    if (texts.length === 0) throw new UsageError(`${name.replace('…', '')} is missing.`);
    return [name.replace('…', ''), texts] as const;
  });
  if (left.length > 0) throw new UsageError(`"${left[0]}" is one too many.`);
  return Object.fromEntries(given);
}

/** Parsed options of a command. Every method throws a UsageError. */
export class Options {
  constructor(
    private readonly given: Readonly<Record<string, readonly string[] | boolean>>,
    private readonly operands: Operands = {},
  ) {}

  /** Value of an operand; the last one if it repeats. */
  operand(name: string): string {
    return this.operandList(name).at(-1)!;
  }

  operandList(name: string): readonly string[] {
    return this.operands[name] ?? [];
  }

  flag(name: string): boolean {
    return this.given[name] === true;
  }

  required<T>(name: string, input: Input<T>): T {
    const value = this.optional(name, input);
    if (value === undefined) throw new UsageError(`--${name} is missing: ${input.expects}.`);
    return value;
  }

  optional<T>(name: string, input: Input<T>): T | undefined {
    return this.list(name, input).at(-1);
  }

  list<T>(name: string, { parse, expects }: Input<T>): T[] {
    const texts = this.given[name];
    return (typeof texts === 'object' ? texts : []).map((text) => {
      const value = parse(text);
      if (value === undefined) throw new UsageError(`--${name} must be ${expects}.`);
      return value;
    });
  }
}
