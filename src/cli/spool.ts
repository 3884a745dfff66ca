import { randomUUID } from 'node:crypto';
import { openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PART_BYTES = 65_536;
const OWNER_ONLY = 0o600;

/** Buffers text on disk until it is known whether it is needed. The file is unlinked, so it ends with the process. */
export class Spool {
  private readonly file: number;
  private readonly encoder = new TextEncoder();
  /** Reused buffer, since new ones would fill a small heap. */
  private readonly bytes = Buffer.alloc(PART_BYTES);
  length = 0;

  constructor() {
    const name = path.join(tmpdir(), `orders-${randomUUID()}`);
    this.file = openSync(name, 'wx+', OWNER_ONLY);
    unlinkSync(name);
  }

  write(text: string): void {
    for (let at = 0; at < text.length;) {
      const { read, written } = this.encoder.encodeInto(text.slice(at), this.bytes);
      at += read;
      for (let from = 0; from < written;) {
        from += writeSync(this.file, this.bytes, from, written - from);
      }
      this.length += written;
    }
  }

  /** Bytes of a range; each part is valid until the next one is read. */
  *read(from: number, to: number): Generator<Buffer> {
    for (let at = from; at < to;) {
      const length = readSync(this.file, this.bytes, 0, Math.min(PART_BYTES, to - at), at);
      at += length;
      yield this.bytes.subarray(0, length);
    }
  }
}
