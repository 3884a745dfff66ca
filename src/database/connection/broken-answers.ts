import type { Duplex, Readable } from 'node:stream';
import { BufferReader } from 'pg-protocol/dist/buffer-reader.js';
import { guardReaders, orDestroy } from '../../common/guarded-readers.js';

/** Internals of the driver's connection that its types omit. */
export interface WireConnection {
  readonly stream: Duplex;
  /** Called once with the stream of responses, encrypted or not. */
  attachListeners(stream: Duplex): void;
  on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): unknown;
}

/** Internals of `pg-copy-streams`. */
interface CopyReader {
  readonly connection?: WireConnection;
  readonly _buffer: { readUInt32BE(): number };
  readonly _forward: (this: CopyReader) => void;
}

/** A message length includes its own four bytes. */
const LENGTH_MIN = 4;

/** Same prefix as the driver's error for a lost connection. */
const unreadable = (cause: unknown): Error =>
  new Error('Connection terminated: an answer could not be read', { cause });

const { string: read } = BufferReader.prototype as unknown as {
  readonly string: (this: BufferReader, length: number) => string;
};

/** Without this check the driver loops endlessly on an unterminated error message. */
BufferReader.prototype.string = function (this: BufferReader, length: number): string {
  const { buffer, offset } = this as unknown as { buffer: Buffer; offset: number };
  if (offset + length > buffer.length) throw new RangeError('a message ends too early');
  return read.call(this, length);
};

/**
 * Closes a connection whose response the driver cannot parse: an error thrown in the driver's reader would be uncaught
 * and end the process.
 */
export function endWithBrokenAnswers(connection: WireConnection): void {
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    attach(stream);
    guardReaders(stream, unreadable);
  };
  // Errors of a server have a code; the driver's own error about an unknown message has none.
  connection.on('errorMessage', (message) => {
    if (message.code === undefined) throw message as Error;
  });
}

/** The same for rows of COPY, which bypass the driver's parser. */
export function endWithBrokenRows<Rows extends Readable>(rows: Rows): Rows {
  const reader = rows as unknown as CopyReader;
  const { _buffer: bytes } = reader;
  const readLength = bytes.readUInt32BE.bind(bytes);
  bytes.readUInt32BE = () => {
    const length = readLength();
    if (length < LENGTH_MIN) throw new RangeError('a message is shorter than its length');
    return length;
  };
  const { _forward: forward } = reader;
  Object.assign(reader, {
    _forward: () => orDestroy(reader.connection?.stream, () => forward.call(reader), unreadable),
  });
  return rows;
}
