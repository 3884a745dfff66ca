import { LOCALE_FACTS, type Locale } from '../common/locale.js';
import type { CellStyle } from '../database/exports/export-source.statements.js';

/** Who reads the file: a spreadsheet in its user's language, or a program. */
export const PRESETS = ['excel', 'machine'] as const;
export type Preset = (typeof PRESETS)[number];

/** How the bytes of a file are laid out. */
export interface FileStyle extends CellStyle {
  /** Without it, spreadsheets take UTF-8 for something else; programs stumble over it. */
  readonly byteOrderMark: boolean;
  readonly lineEnd: '\n' | '\r\n';
}

const MACHINE: FileStyle = {
  byteOrderMark: false,
  lineEnd: '\n',
  delimiter: ',',
  decimal: '.',
  times: 'rfc3339',
  maskPayer: false,
};

/** Where numbers have a comma, spreadsheets want semicolons between cells. */
export function fileStyle(preset: Preset, locale: Locale, maskPayer: boolean): FileStyle {
  if (preset === 'machine') return { ...MACHINE, maskPayer };
  const decimal = decimalOf(locale);
  return {
    byteOrderMark: true,
    lineEnd: '\r\n',
    delimiter: decimal === ',' ? ';' : ',',
    decimal,
    times: 'local',
    maskPayer,
  };
}

function decimalOf(locale: Locale): ',' | '.' {
  const parts = new Intl.NumberFormat(LOCALE_FACTS[locale].tag).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}
