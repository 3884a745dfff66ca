/** The command was typed wrong. */
export class UsageError extends Error {}

/** What the text of an option must look like, and what it means. */
export interface Input<T> {
  readonly expects: string;
  /** Answers undefined when the text is not valid. */
  readonly parse: (text: string) => T | undefined;
}

type Operands = Readonly<Record<string, readonly string[]>>;

/**
 * Gives what was typed without an option to the operands of a command: `FILE` takes one, `FILE…`, as the last, all
 * that are left.
 * @throws UsageError when one has none, or when some are left over
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

/** The options of a command as they were typed. Every method throws a UsageError. */
export class Options {
  constructor(
    private readonly given: Readonly<Record<string, readonly string[] | boolean>>,
    private readonly operands: Operands = {},
  ) {}

  /** What was typed for an operand that stands alone; the last one for one that may be repeated. */
  operand(name: string): string {
    return this.operandList(name).at(-1)!;
  }

  operandList(name: string): readonly string[] {
    return this.operands[name] ?? [];
  }

  /** Whether an option that takes no value was given. */
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
