import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface Member {
  readonly name: string;
  readonly bytes: Buffer;
  readonly flags?: number;
  readonly crc?: number;
}

/** A ZIP archive, written by its format. */
export function zip(...members: Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, flags = 0, crc = crc32(bytes) } of members) {
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 0]);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), version, fields, end, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const tail = Buffer.alloc(18);
  tail.writeUInt16LE(members.length, 4);
  tail.writeUInt16LE(members.length, 6);
  tail.writeUInt32LE(entries.length, 8);
  tail.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\u0005\u0006'), tail]);
}
