import { LOCALE_FACTS, type Locale } from '../common/locale.js';
import type { CellStyle } from '../database/exports/export-source.statements.js';

/** Reader of the file: a spreadsheet in the user's language, or a program. */
export const PRESETS = ['excel', 'machine'] as const;
export type Preset = (typeof PRESETS)[number];

/** Layout of a file. */
export interface FileStyle extends CellStyle {
  /** Spreadsheets need it to detect UTF-8; programs do not expect it. */
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

/** In locales with a decimal comma, spreadsheets expect semicolons as separators. */
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
