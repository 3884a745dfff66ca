/** A setting: its parser and its documentation. */
export interface Variable<T> {
  /** Default text; undefined = optional. */
  readonly standard?: string;
  /** One sentence for `.env.example` and docs/settings.md. */
  readonly help: string;
  /** Returns undefined for invalid text. */
  readonly parse: (text: string) => T | undefined;
  /** Format of a valid value, for error messages; an invalid value is never shown. */
  readonly expects: string;
}

/** A setting that always has a value. */
export interface Standard<T> extends Variable<T> {
  readonly standard: string;
}

export const integer = (
  min: number,
  max: number,
  standard: number,
  help: string,
): Standard<number> => ({
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
): Standard<T> => ({
  standard,
  help,
  expects: `one of ${choices.join(', ')}`,
  parse: (text) => choices.find((choice) => choice === text),
});

export const flag = (standard: 'on' | 'off', help: string): Standard<boolean> => ({
  standard,
  help,
  expects: 'on or off (or 1 or 0)',
  parse: (text) => ({ on: true, '1': true, off: false, '0': false })[text],
});

export const urlOf = (text: string, protocols: readonly string[]): string | undefined =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined;
