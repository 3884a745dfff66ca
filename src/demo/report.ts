import { styleText } from 'node:util';

/** Unexpected result of the tour, with a message for people. */
export class Difference extends Error {}

/** @throws Difference if the values differ */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return;
  throw new Difference(
    `${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`,
  );
}

/** Runs one step of the tour, and prints its duration and result. */
export async function step<T>(
  title: string,
  work: () => Promise<T>,
  describe: (result: T) => string = () => '',
): Promise<T> {
  const start = performance.now();
  try {
    const result = await work();
    const ms = Math.round(performance.now() - start);
    const time = styleText('dim', `${String(ms).padStart(6)} ms`);
    console.log(`${styleText('green', '  ✓')}${time}  ${title.padEnd(30)}${describe(result)}`);
    return result;
  } catch (error) {
    console.log(`${styleText('red', '  ✗')}            ${title}`);
    throw error;
  }
}

export const heading = (text: string): void => console.log(`\n${styleText('bold', text)}\n`);

/** Prints several lines under a step. */
export const block = (text: string): void => console.log(text.replace(/^(?=.)/gm, '      '));

export const object = (value: object): void => block(JSON.stringify(value, null, 2));
