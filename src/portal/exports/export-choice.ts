import { LOCALES, type Locale } from '../../common/locale.js';
import { FIELD_PREFIX } from '../../database/exports/export-source.statements.js';
import { PRESETS, type Preset } from '../../exports/presets.js';

/** How somebody wants the file, as its form and its address say it. */
export interface ExportChoice {
  readonly preset: Preset;
  readonly locale: Locale;
  /** Null = all. */
  readonly columns: readonly string[] | null;
}

/** The form's fields. What they do not say, or say wrongly, is as most people want it. */
export function choiceOf(form: URLSearchParams): ExportChoice {
  const one = <T extends string>(name: string, choices: readonly T[]): T =>
    choices.find((choice) => choice === form.get(name)) ?? choices[0]!;
  return {
    preset: one('file', PRESETS),
    locale: one('language', LOCALES),
    columns: form.get('columns') === 'chosen' ? chosenIn(form) : null,
  };
}

/** Boxes that are ticked, and optional fields by name. */
const chosenIn = (form: URLSearchParams): string[] => [
  ...form.getAll('column'),
  ...(form.get('fields') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => FIELD_PREFIX + name),
];
