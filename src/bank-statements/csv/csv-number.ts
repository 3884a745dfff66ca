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

/** More than any bank writes. Blanks behind a sign would be looked at again for each of them. */
const LENGTH_MAX = 100;

/**
 * The exact value of a cell, in ten-billionths; undefined for any other text. A cell with a line break holds more
 * than a number, even if only digits stand around it.
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
