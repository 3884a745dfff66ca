/** Stored excerpts of requests and answers: short, and safe to display. */

const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Replaces control characters, which terminals obey and the database rejects. */
export const readable = (text: string): string => text.replaceAll(CONTROLS, '\ufffd');

/** First `max` bytes in UTF-8, without a partial character. */
export const cutBytes = (text: string, max: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, max), { stream: true });

/** Request or status line with its headers, one per line. */
export function headOf(
  line: string,
  headers: Readonly<Record<string, string>> | readonly string[],
): string {
  const pairs = Array.isArray(headers)
    ? Array.from({ length: headers.length / 2 }, (_, i) => headers.slice(2 * i, 2 * i + 2))
    : Object.entries(headers);
  const lines = [line, ...pairs.map(([name, value]) => `${name}: ${value}`)];
  return lines.map((each) => `${readable(each)}\n`).join('');
}
