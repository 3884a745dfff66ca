import {
  EXPORT_COLUMNS,
  FIELD_PREFIX,
  INNER_FORMULA,
  kindOf,
  OTHER_FIELDS,
} from '../database/exports/export-source.statements.js';
import type { CellStyle } from '../database/exports/export-source.statements.js';
import { Problem } from '../http/problems/problem.js';

/** Maximum optional fields with a column of their own; the others share one. */
export const FIELDS_MAX = 100;

const MERCHANT = 'merchant';
const INNER_FORMULAS = new RegExp(INNER_FORMULA, 'g');

/** Columns of every file; `merchant` only in files about several. */
export const COLUMN_NAMES: readonly string[] = Object.keys(EXPORT_COLUMNS).filter(
  (name) => name !== MERCHANT,
);

const isField = (name: string): boolean =>
  name.startsWith(FIELD_PREFIX) && name.length > FIELD_PREFIX.length;

/**
 * The chosen columns in the order of the file.
 * @throws Problem `invalid_parameter` for an unknown one
 */
export function chosenColumns(chosen: readonly string[], allMerchants: boolean): string[] {
  const wanted = new Set(chosen);
  const fixed = COLUMN_NAMES.filter((name) => wanted.has(name));
  const fields = [...wanted].filter(isField).toSorted();
  const unknown = chosen.find((name) => !COLUMN_NAMES.includes(name) && !isField(name));
  if (unknown !== undefined || wanted.size === 0 || fields.length > FIELDS_MAX) {
    throw new Problem('invalid_parameter', {
      detail: `Columns are ${COLUMN_NAMES.join(', ')}, and at most ${FIELDS_MAX} of the form field.<name>.`,
    });
  }
  return [...(allMerchants ? [MERCHANT] : []), ...fixed, ...fields];
}

/** All columns, one for each optional field; more fields than `FIELDS_MAX` share the last. */
export function allColumns(fields: readonly string[], allMerchants: boolean): string[] {
  const named = fields.slice(0, FIELDS_MAX).toSorted();
  return [
    ...(allMerchants ? [MERCHANT] : []),
    ...COLUMN_NAMES,
    ...named.map((name) => FIELD_PREFIX + name),
    ...(fields.length > FIELDS_MAX ? [OTHER_FIELDS] : []),
  ];
}

/**
 * Header row. Times have two columns: local time of the merchant's zone, and UTC under `<name>_utc`. For people the
 * header of the first names the zone; for programs each cell has the offset, and the header is the same in every zone.
 */
export const headers = (
  columns: readonly string[],
  { times }: CellStyle,
  timeZone: string,
): string[] =>
  columns.flatMap((name) => {
    if (kindOf(name) !== 'time') return [name.replace(INNER_FORMULAS, `$1'$2`)];
    return [times === 'local' ? `${name} (${timeZone})` : name, `${name}_utc`];
  });

/** Quotes cells with special characters, RFC 4180. */
export const csvLine = (cells: readonly string[], delimiter: string): string =>
  cells
    .map((cell) =>
      /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter);
