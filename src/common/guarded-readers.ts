import type { Duplex } from 'node:stream';

/**
 * Ends a stream when its parser throws: an exception in a stream callback would be unhandled and end the process.
 * @param reason error with which the stream ends
 */
export function guardReaders(stream: Duplex, reason = (error: unknown) => error as Error): void {
  for (const read of stream.rawListeners('data') as ((chunk: Buffer) => void)[]) {
    const guarded = (chunk: Buffer) => orDestroy(stream, () => read.call(stream, chunk), reason);
    stream.off('data', read).on('data', guarded);
  }
}

/** Runs a reader of the stream, and destroys the stream if it throws. */
export function orDestroy(
  stream: Duplex | undefined,
  read: () => void,
  reason: (error: unknown) => Error,
): void {
  try {
    read();
  } catch (error) {
    stream?.destroy(reason(error));
  }
}
