import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { useBodyParsers } from './body-parsers.js';
import { STRANGERS_MAX, FILE_FORM, readFileForm, useFileForms } from './file-form.js';
import { Problem } from './problems/problem.js';

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
      `--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'y'.repeat(9_000)}`,
    ],
    [
      'endless fields',
      TYPE,
      '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(200),
    ],
    ['endless heads', TYPE, `--cut\r\nx: ${'y'.repeat(5_000)}\r\n\r\n`.repeat(3)],
    ['an endless preamble', TYPE, 'y'.repeat(9_000)],
    ['a file that is cut off', TYPE, `${PART}half of it`],
    ['a cut within the last mark', TYPE, `${PART}all of it\r\n--cu`],
  ])('is refused: %s', async (_, type, text) => {
    await expect(read(Buffer.from(text), type, 1_000)).rejects.toThrow(Problem);
  });
});

describe('a file that nobody wants', () => {
  const PART_HEAD = Buffer.from(
    '--cut\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n',
  );
  const headOf = (length: number): string =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: ${length}\r\n\r\n`;

  /** A connection to a server that answers without reading the file. */
  async function refusing(status: number) {
    const server = fastify();
    useBodyParsers(server);
    useFileForms(server);
    server.post('/', { config: FILE_FORM }, (_request, reply) => reply.code(status).send('no'));
    await server.listen();
    const socket = connect((server.server.address() as AddressInfo).port);
    // Whoever is sent away while he sends may find the connection broken.
    socket.on('error', () => undefined);
    const stop = async () => {
      socket.destroy();
      await server.close();
    };
    return { socket, stop, server };
  }

  it('is sent to its end before its sender hears so, and the connection goes on', async () => {
    const { socket, stop } = await refusing(422);
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => void (heard += text));
    const form = Buffer.from(`${PART_HEAD.toString()}${'y'.repeat(1_000_000)}\r\n--cut--`);
    const answers = () => heard.match(/HTTP\/1.1 422/g)?.length ?? 0;
    for (const times of [1, 2]) {
      socket.write(headOf(form.length));
      socket.write(form.subarray(0, 900_000));
      await sleep(200);
      expect(answers()).toBe(times - 1);
      socket.write(form.subarray(900_000));
      await once(socket, 'data');
      expect(answers()).toBe(times);
    }
    await stop();
  });

  it('is read of strangers slowly, and of few at the same time', async () => {
    const { socket, stop, server } = await refusing(303);
    const { port } = server.server.address() as AddressInfo;
    const more = Array.from({ length: STRANGERS_MAX }, () => connect(port));
    const part = Buffer.alloc(1_000_000, 'y');
    const sent = await Promise.all(
      [socket, ...more].map(async (sender) => {
        sender.on('error', () => undefined).resume();
        sender.write(headOf(10 ** 12));
        sender.write(PART_HEAD);
        const start = performance.now();
        let parts = 0;
        for (; parts < 400 && !sender.destroyed && performance.now() - start < 1_000; parts++) {
          if (sender.write(part)) continue;
          // Broken or closed, it takes no more.
          const ends = [once(sender, 'drain'), once(sender, 'close'), sleep(1_000)];
          await Promise.race(ends).catch(() => undefined);
        }
        return { parts, isCut: sender.destroyed };
      }),
    );
    expect(sent.filter(({ isCut }) => isCut)).toHaveLength(1);
    expect(Math.max(...sent.map(({ parts }) => parts))).toBeLessThan(30);
    for (const each of more) each.destroy();
    await stop();
  });
});
