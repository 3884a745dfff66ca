import { pipeline, Readable } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { LIMITS } from './limits.js';
import { quoted, refuse, said, StatementRefusedError } from './refused.js';
import { type StatementFile, type ByteSource, firstBytes, sourceOf } from './source.js';

const MAGIC_BYTES = 4;
const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;
/** `PK` with the signature of a local file header, or of an empty archive. */
const isZip = (head: Buffer): boolean =>
  head.subarray(0, 2).toString('latin1') === 'PK' &&
  [0x0304, 0x0506].includes(head.readUInt16BE(2));
/** Files that operating systems add to archives. */
const NOISE = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i;

/**
 * Yields the file itself, or the content of a gzip or ZIP file, in the order of the archive.
 * @throws StatementRefusedError for an archive that is broken, encrypted, nested, empty or beyond the limits
 */
export async function* unpack(file: StatementFile): AsyncGenerator<ByteSource> {
  const source = await sourceOf(file);
  const head = await firstBytes(source, MAGIC_BYTES);
  if (head.length === MAGIC_BYTES && isZip(head)) yield* zipped(file);
  else yield isGzip(head) ? gunzipped(source) : source;
}

/** Enforces the limits of unpacked size and compression ratio. */
async function* bounded(
  name: string | null,
  open: () => Promise<AsyncIterable<Buffer>>,
  packedBytes: () => number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const part of await open()) {
      bytes += part.length;
      if (bytes > LIMITS.textBytes) refuseTooLarge(`${LIMITS.textBytes / 1e6} MB of text`);
      if (bytes > LIMITS.ratioFrom && bytes > LIMITS.ratio * packedBytes()) {
        refuseTooLarge(`${LIMITS.ratio} times its packed form`);
      }
      yield part;
    }
  } catch (error) {
    if (error instanceof StatementRefusedError) throw error;
    const where = name === null ? 'The archive' : `${quoted(name)} in the archive`;
    refuse(`${where} is broken: ${plain(error)}.`);
  }
}

const refuseTooLarge = (what: string): never => refuse(`The archive holds more than ${what}.`);
const plain = (error: unknown): string => said((error as Error).message);

function gunzipped({ name, open }: ByteSource): ByteSource {
  return {
    name,
    open: () => {
      let [packed, isRead] = [0, false];
      const counted = async function* (): AsyncGenerator<Buffer> {
        for await (const part of open()) {
          packed += part.length;
          yield part;
        }
        isRead = true;
      };
      const unpacked = async function* (): AsyncGenerator<Buffer> {
        const gunzip = createGunzip();
        // Errors are thrown to the reader of the stream.
        yield* pipeline(Readable.from(counted()), gunzip, () => {});
        // Node ignores everything behind a member that is no member, such as a damaged one.
        if (!isRead || gunzip.bytesWritten < packed) throw new Error('it has data behind its end');
      };
      return bounded(
        name,
        async () => unpacked(),
        () => packed,
      );
    },
  };
}

async function* checked(parts: AsyncIterable<Buffer>, sum: number): AsyncGenerator<Buffer> {
  let found = 0;
  for await (const part of parts) {
    found = crc32(part, found);
    yield part;
  }
  if (found !== sum) throw new Error('its checksum is wrong');
}

async function* zipped(file: StatementFile): AsyncGenerator<ByteSource> {
  const archive = await openZip(file);
  try {
    for (const entry of await filesOf(archive)) yield await memberOf(archive, entry);
  } finally {
    archive.close();
  }
}

async function openZip(file: StatementFile): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false };
  const opened =
    'path' in file ? openPromise(file.path, options) : fromBufferPromise(file.bytes, options);
  return opened.catch((error: unknown) => refuse(`The archive is broken: ${plain(error)}.`));
}

/** Lists all files before the first is read, so that an archive with too many is refused without reading. */
async function filesOf(archive: ZipFile): Promise<Entry[]> {
  if (archive.entryCount > LIMITS.entries) refuseTooLarge(`${LIMITS.entries} entries`);
  const files: Entry[] = [];
  try {
    for await (const entry of archive.eachEntry())
      if (!entry.fileName.endsWith('/') && !NOISE.test(entry.fileName)) files.push(entry);
  } catch (error) {
    refuse(`The archive is broken: ${plain(error)}.`);
  }
  if (files.length > LIMITS.files) refuseTooLarge(`${LIMITS.files} files`);
  if (files.length === 0) refuse('The archive is empty.');
  return files;
}

async function memberOf(archive: ZipFile, entry: Entry): Promise<ByteSource> {
  const name = entry.fileName;
  if (entry.isEncrypted()) refuse(`${quoted(name)} in the archive is encrypted.`);
  const open = () =>
    bounded(
      name,
      async () => checked(await archive.openReadStreamPromise(entry), entry.crc32),
      () => entry.compressedSize,
    );
  const source: ByteSource = { name, open };
  const head = await firstBytes(source, MAGIC_BYTES);
  if (head.length === 0) refuse(`${quoted(name)} in the archive is empty.`);
  if (head.length === MAGIC_BYTES && isZip(head)) {
    refuse(`${quoted(name)} is an archive within an archive.`);
  }
  return isGzip(head) ? gunzipped(source) : source;
}
