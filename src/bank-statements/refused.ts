/** A file that cannot be read whole, and of which nothing is taken. Its message is one sentence that says where. */
export class StatementRefusedError extends Error {}

/** @throws StatementRefusedError always */
export function refuse(sentence: string): never {
  throw new StatementRefusedError(sentence);
}

/** The start of a text from a file, fit for a sentence. */
export function quoted(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
  return `"${plain.length > 40 ? `${plain.slice(0, 40)}…` : plain}"`;
}
