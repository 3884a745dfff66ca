/** One setting: how its text is read, and what people are told of it. */
export interface Variable<T> {
  /** Text that stands for a missing variable; undefined = may be missing. */
  readonly standard?: string;
  /** One sentence for `.env.example` and docs/settings.md. */
  readonly help: string;
  /** Answers undefined when the text is not valid. */
  readonly parse: (text: string) => T | undefined;
  /** What a valid value looks like; named in the message about a bad one, which itself is never shown. */
  readonly expects: string;
}

export const integer = (
  min: number,
  max: number,
  standard: number,
  help: string,
): Variable<number> => ({
  standard: String(standard),
  help,
  expects: `a whole number from ${min} to ${max}`,
  parse: (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  },
});

export const oneOf = <T extends string>(
  choices: readonly T[],
  standard: NoInfer<T>,
  help: string,
): Variable<T> => ({
  standard,
  help,
  expects: `one of ${choices.join(', ')}`,
  parse: (text) => choices.find((choice) => choice === text),
});

export const flag = (standard: 'on' | 'off', help: string): Variable<boolean> => ({
  standard,
  help,
  expects: 'on or off (or 1 or 0)',
  parse: (text) => ({ on: true, '1': true, off: false, '0': false })[text],
});

export const urlOf = (text: string, protocols: readonly string[]): string | undefined =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined;
