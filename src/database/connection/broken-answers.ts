import type { Duplex, Readable } from 'node:stream';
import { BufferReader } from 'pg-protocol/dist/buffer-reader.js';
import { guardReaders, orDestroy } from '../../common/guarded-readers.js';

/** What the driver knows of a connection and its types do not tell. */
export interface WireConnection {
  readonly stream: Duplex;
  /** Called once, with the stream from which answers come: encrypted or not. */
  attachListeners(stream: Duplex): void;
  on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): unknown;
}

/** What `pg-copy-streams` knows of itself. */
interface CopyReader {
  readonly connection?: WireConnection;
  readonly _buffer: { readUInt32BE(): number };
  readonly _forward: (this: CopyReader) => void;
}

/** A message says its own length, of four bytes, too. */
const LENGTH_MIN = 4;

/** Begins as the driver's own words for a connection that is lost. */
const unreadable = (cause: unknown): Error =>
  new Error('Connection terminated: an answer could not be read', { cause });

const { string: read } = BufferReader.prototype as unknown as {
  readonly string: (this: BufferReader, length: number) => string;
};

/** The driver looks for the end of an error message for ever where there is none. */
BufferReader.prototype.string = function (this: BufferReader, length: number): string {
  const { buffer, offset } = this as unknown as { buffer: Buffer; offset: number };
  if (offset + length > buffer.length) throw new RangeError('a message ends too early');
  return read.call(this, length);
};

/**
 * An answer that the driver cannot read ends its connection: thrown where the driver reads, an error
 * would reach nobody and end the process.
 */
export function endWithBrokenAnswers(connection: WireConnection): void {
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    attach(stream);
    guardReaders(stream, unreadable);
  };
  // Every error of a server has a code; the driver's own, about a message that it does not know, has none.
  connection.on('errorMessage', (message) => {
    if (message.code === undefined) throw message as Error;
  });
}

/** The same for the rows of a COPY, which are read past the driver. */
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
