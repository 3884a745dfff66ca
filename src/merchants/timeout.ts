/** No answer in time. */
export class NoAnswerError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'NoAnswerError';
  }
}

/**
 * Waits for an answer with a timeout. An answer that arrived while the process was busy is still accepted.
 * @throws NoAnswerError
 */
export async function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // The event loop runs timers first, sockets next, immediates last.
    timer = setTimeout(() => setImmediate(() => reject(new NoAnswerError(ms))), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
