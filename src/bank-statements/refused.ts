/** A file that cannot be read whole, and of which nothing is taken. Its message is one sentence that says where. */
export class StatementRefusedError extends Error {}

/** @throws StatementRefusedError always */
export function refuse(sentence: string): never {
  throw new StatementRefusedError(sentence);
}

/** Of what a file holds, and of what a library says, which may repeat some of it. */
const QUOTED_MAX = 40;
const SAID_MAX = 100;

/** The start of a text from a file, fit for a sentence. */
export const quoted = (text: string): string => `"${startOf(text, QUOTED_MAX)}"`;

/** What a library says is wrong, fit for the end of a sentence. */
export const said = (message: string): string => startOf(message.replace(/\.$/, ''), SAID_MAX);

function startOf(text: string, length: number): string {
  const plain = text.slice(0, length).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
  return text.length > length ? `${plain}…` : plain;
}
