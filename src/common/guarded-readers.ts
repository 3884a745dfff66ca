import type { Duplex } from 'node:stream';

/**
 * What a parser throws at the bytes of a stream ends the stream: thrown where the stream hands them
 * over, it would reach nobody and end the process.
 * @param reason what the stream is ended with
 */
export function guardReaders(stream: Duplex, reason = (error: unknown) => error as Error): void {
  for (const read of stream.rawListeners('data') as ((chunk: Buffer) => void)[]) {
    const guarded = (chunk: Buffer) => orDestroy(stream, () => read.call(stream, chunk), reason);
    stream.off('data', read).on('data', guarded);
  }
}

/** Does what reads from the stream, and ends the stream with what it throws. */
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
