/** Refuses a file or profile, or one entry if the reader catches it. The message is one sentence with the location. */
export class StatementRefusedError extends Error {}

/** @throws StatementRefusedError always */
export function refuse(sentence: string): never {
  throw new StatementRefusedError(sentence);
}

/** Maximum characters of quoted file content, and of other messages, which may repeat file content. */
const QUOTED_MAX = 40;
const SAID_MAX = 100;
const SENTENCE_MAX = 300;

/** Start of a text from a file, safe for error messages. */
export const quoted = (text: string): string => `"${startOf(text, QUOTED_MAX)}"`;

/** Start of a library's error message, without its full stop. */
export const said = (message: string): string => startOf(message.replace(/\.$/, ''), SAID_MAX);

/** Start of a sentence with numbers from a file, which can have thousands of digits. */
export const sentence = (text: string): string => startOf(text, SENTENCE_MAX);

function startOf(text: string, length: number): string {
  const plain = text.slice(0, length).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
  return text.length > length ? `${plain}…` : plain;
}
