/** Nothing came in time. */
export class NoAnswerError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'NoAnswerError';
  }
}

/**
 * Waits for an answer for so long, and not for a process that was busy meanwhile: what has arrived is
 * read before it is called late.
 * @throws NoAnswerError
 */
export async function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Timers come first in a turn of the event loop, sockets next, immediates last.
    timer = setTimeout(() => setImmediate(() => reject(new NoAnswerError(ms))), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
