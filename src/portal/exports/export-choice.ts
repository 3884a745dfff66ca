import { LOCALES, type Locale } from '../../common/locale.js';
import { FIELD_PREFIX } from '../../database/exports/export-source.statements.js';
import { PRESETS, type Preset } from '../../exports/presets.js';

/** Export options from the form or URL. */
export interface ExportChoice {
  readonly preset: Preset;
  readonly locale: Locale;
  /** Null = all columns. */
  readonly columns: readonly string[] | null;
}

/** Parses the options; missing or invalid ones get their default. */
export function choiceOf(form: URLSearchParams): ExportChoice {
  const one = <T extends string>(name: string, choices: readonly T[]): T =>
    choices.find((choice) => choice === form.get(name)) ?? choices[0]!;
  return {
    preset: one('file', PRESETS),
    locale: one('language', LOCALES),
    columns: form.get('columns') === 'chosen' ? chosenIn(form) : null,
  };
}

/** Selected columns, and optional fields by name. */
const chosenIn = (form: URLSearchParams): string[] => [
  ...form.getAll('column'),
  ...(form.get('fields') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => FIELD_PREFIX + name),
];
