import { scaledOf } from '../amount.js';
import type { CsvProfile } from './csv-profile.js';

/**
 * Number format of a profile: an optional sign before or after it, and thousands in complete groups of three digits.
 * Every profile accepts blanks as thousands separators.
 */
export function numberPattern({ decimal, group }: Pick<CsvProfile, 'decimal' | 'group'>): RegExp {
  const between = `[${group}\\s]`;
  const whole = `\\d*|[1-9]\\d{0,2}(?:(?<between>${between})\\d{3})(?:\\k<between>\\d{3})*`;
  const sign = (name: string) => `(?<${name}>[+−-])?`;
  return new RegExp(
    `^${sign('before')}\\s*(?<whole>${whole})(?:[${decimal}](?<decimals>\\d*))?\\s*${sign('behind')}$`,
  );
}

/** Maximum characters; more than any bank writes. Long runs of blanks would make the pattern slow. */
const LENGTH_MAX = 100;

/**
 * Exact value of a cell in ten-billionths; undefined for any other text. A cell with a line break is no number, even
 * if the rest are digits.
 */
export function readNumber(text: string, pattern: RegExp): bigint | undefined {
  const plain = text.trim();
  if (plain.length > LENGTH_MAX || /[\r\n]/.test(text)) return undefined;
  const found = pattern.exec(plain)?.groups;
  if (!found || (found.before && found.behind)) return undefined;
  const scaled = scaledOf(`${found.whole!.replace(/\D/g, '')}.${found.decimals ?? ''}`);
  const sign = found.before ?? found.behind ?? '+';
  return scaled === undefined || sign === '+' ? scaled : -scaled;
}
