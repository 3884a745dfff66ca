/** What of a conversation is kept for the merchant: short, and harmless wherever it is shown. */

const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Without what a terminal would obey and a database refuses. */
export const readable = (text: string): string => text.replaceAll(CONTROLS, '\ufffd');

/** The first `max` bytes of the text in UTF-8, without a character's half. */
export const cutBytes = (text: string, max: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, max), { stream: true });

/** A request's or status line with its headers, a line each. */
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
