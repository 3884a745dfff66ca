import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { readFileForm } from './file-form.js';
import { Problem } from './problem.js';

const TYPE = 'multipart/form-data; boundary=cut';

/** The bytes in pieces of such a size. */
const pieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    ),
  );

async function read(bytes: Buffer, type: string, size = 65_536) {
  const form = await readFileForm(pieces(bytes, size), type);
  const parts: Buffer[] = [];
  if (form.file) for await (const part of form.file.bytes()) parts.push(part);
  return { fields: [...form], name: form.file?.name ?? null, content: Buffer.concat(parts) };
}

/** A form as a browser writes it. */
async function written(content: Buffer, name: string) {
  const form = new FormData();
  form.append('csrf', 'tøken');
  form.append('profile', '');
  form.append('file', new Blob([new Uint8Array(content)]), name);
  const response = new Response(form);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { bytes, type: response.headers.get('content-type')! };
}

describe('a form with a file', () => {
  const PART = '--cut\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
  const TRICKY = Buffer.from('\r\n--\r\n----\r\n\r\n--cut \0\xff\r\r\n-', 'latin1');

  it.each([1, 2, 3, 7, 64, 65_536])('is read byte by byte in pieces of %d', async (size) => {
    const { bytes, type } = await written(TRICKY, 'a "b" ü.xml');
    const found = await read(bytes, type, size);
    expect(found.fields).toEqual([
      ['csrf', 'tøken'],
      ['profile', ''],
    ]);
    expect(found.name).toBe('a "b" ü.xml');
    expect(found.content.equals(TRICKY)).toBe(true);
  });

  it('may have an empty file, or none', async () => {
    const empty = `${PART.replace('"x"', '""')}\r\n--cut--`;
    expect(await read(Buffer.from(empty), TYPE)).toMatchObject({
      name: '',
      content: Buffer.alloc(0),
    });
    const none = '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--cut--';
    expect(await read(Buffer.from(none), TYPE)).toMatchObject({ fields: [['a', 'b']], name: null });
  });

  it.each([
    ['no boundary', 'multipart/form-data', PART],
    ['nothing', TYPE, ''],
    ['no form', TYPE, 'GIF89a'],
    ['a part without a name', TYPE, '--cut\r\nContent-Type: text/plain\r\n\r\nx\r\n--cut--\r\n'],
    ['an endless head', TYPE, `--cut\r\nx: ${'y'.repeat(20_000)}`],
    [
      'an endless field',
      TYPE,
      `--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'y'.repeat(70_000)}`,
    ],
    ['a file that is cut off', TYPE, `${PART}half of it`],
    ['a cut within the last mark', TYPE, `${PART}all of it\r\n--cu`],
  ])('is refused: %s', async (_, type, text) => {
    await expect(read(Buffer.from(text), type, 1_000)).rejects.toThrow(Problem);
  });
});
