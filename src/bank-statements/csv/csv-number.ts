import { scaledOf } from '../amount.js';
import type { CsvProfile } from './csv-profile.js';

/**
 * What a number looks like under a profile: a sign before or behind it, and thousands that are whole groups of three.
 * Blanks between thousands are taken under every profile.
 */
export function numberPattern({ decimal, group }: Pick<CsvProfile, 'decimal' | 'group'>): RegExp {
  const between = `[${group}\\s]`;
  const whole = `\\d*|[1-9]\\d{0,2}(?:(?<between>${between})\\d{3})(?:\\k<between>\\d{3})*`;
  const sign = (name: string) => `(?<${name}>[+−-])?`;
  return new RegExp(
    `^${sign('before')}\\s*(?<whole>${whole})(?:[${decimal}](?<decimals>\\d*))?\\s*${sign('behind')}$`,
  );
}

/**
 * The exact value of a cell, in ten-billionths; undefined for any other text. A cell with a line break holds more
 * than a number, even if only digits stand around it.
 */
export function readNumber(text: string, pattern: RegExp): bigint | undefined {
  if (/[\r\n]/.test(text)) return undefined;
  const found = pattern.exec(text.trim())?.groups;
  if (!found || (found.before && found.behind)) return undefined;
  const scaled = scaledOf(`${found.whole!.replace(/\D/g, '')}.${found.decimals ?? ''}`);
  const sign = found.before ?? found.behind ?? '+';
  return scaled === undefined || sign === '+' ? scaled : -scaled;
}
