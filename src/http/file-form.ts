import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify';
import { Problem } from './problem.js';

/** Route setting: a form with a file is welcome, and its bytes are read by the handler while they arrive. */
export const FILE_FORM = { fileForm: true } as const;

/** Bytes of the fields before a file, with the heads of their parts. */
const FIELDS_MAX = 64 * 1024;
const HEAD_MAX = 8 * 1024;
const NAME_MAX = 255;
/** Milliseconds in which the rest of a file that nobody wants may come. */
const REST_MS = 60_000;
/** Bytes of it that are read of somebody whom the handler of the form has not come to know: a file, once. */
const STRANGERS_REST = 200_000_000;
/** What the handler of a form answers. */
const REFUSED_FILE = 422;

/** A file as a browser sends it. */
export interface SentFile {
  /** As it is called where it comes from. */
  readonly name: string;
  /** Once. @throws Problem malformed_request when the form ends within the file */
  readonly bytes: () => AsyncGenerator<Buffer>;
}

/** The fields that stand before the file, and the file; what stands behind it is not read. */
export class FileForm extends URLSearchParams {
  file: SentFile | null = null;
}

/**
 * Reads a form up to its file, so that whoever sends it is known before any byte of the file is taken.
 * @param contentType with the boundary
 * @throws Problem malformed_request
 */
export async function readFileForm(body: Readable, contentType: string): Promise<FileForm> {
  const boundary = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType);
  if (!boundary) throw malformed('The form does not say where its parts end.');
  const parts = new Parts(body, (boundary[1] ?? boundary[2])!);
  const form = new FileForm();
  await parts.text(FIELDS_MAX);
  let length = 0;
  for (let head = await parts.head(); head; head = await parts.head()) {
    if (head.filename !== undefined) {
      form.file = { name: head.filename, bytes: () => parts.bytes() };
      return form;
    }
    const value = await parts.text(FIELDS_MAX - length);
    length += value.length + head.name.length;
    form.append(head.name, value);
  }
  return form;
}

/**
 * Who is refused while a file is still on its way hears why: the rest is thrown away before the answer is sent, because
 * many senders read nothing before they have sent all. Whoever sends for too long is sent away.
 */
export function useFileForms(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { fileForm } = (route.config ?? {}) as { fileForm?: boolean };
    if (fileForm) route.onSend = readToItsEnd;
  });
}

const readToItsEnd: onSendAsyncHookHandler = async ({ raw }, reply) => {
  if (raw.complete || raw.destroyed) return;
  await passOver(raw, reply.statusCode === REFUSED_FILE ? Infinity : STRANGERS_REST);
  if (!raw.complete) void reply.header('connection', 'close');
};

async function passOver(body: Readable, bytesMax: number): Promise<void> {
  const enough = new AbortController();
  let length = 0;
  body.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > bytesMax) enough.abort();
  });
  body.resume();
  const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(REST_MS)]);
  await finished(body, { signal }).catch(() => undefined);
}

const malformed = (detail: string): Problem => new Problem('malformed_request', { detail });

interface Head {
  readonly name: string;
  /** Undefined for a field. */
  readonly filename: string | undefined;
}

/** What stands between the boundaries of RFC 7578. */
class Parts {
  private readonly delimiter: Buffer;
  /** What has arrived and was not handed out. */
  private rest: Buffer = Buffer.from('\r\n');

  constructor(
    private readonly body: Readable,
    boundary: string,
  ) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** What leads a part; null behind the last one. */
  async head(): Promise<Head | null> {
    const start = await this.until('\r\n', HEAD_MAX);
    if (start.startsWith('--')) return null;
    const text = start.trim() === '' ? await this.until('\r\n\r\n', HEAD_MAX) : '';
    const disposition = /^content-disposition:(.*)$/im.exec(text)?.[1] ?? '';
    const name = parameter(disposition, 'name');
    if (name === undefined) throw malformed('A part of the form has no name.');
    return { name, filename: nameIn(disposition) };
  }

  /** The value of a field. */
  async text(max: number): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.bytes()) {
      length += chunk.length;
      if (length > max) throw new Problem('body_too_large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** What is left of the part. */
  async *bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.rest.indexOf(this.delimiter);
      // What may be the start of a delimiter waits for what comes behind it.
      const sure = end >= 0 ? end : Math.max(0, this.rest.length - this.delimiter.length + 1);
      if (sure > 0) yield this.rest.subarray(0, sure);
      this.rest = this.rest.subarray(end >= 0 ? end + this.delimiter.length : sure);
      if (end >= 0) return;
      await this.more();
    }
  }

  private async until(mark: string, max: number): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf(mark);
      if (end >= 0) {
        const text = this.rest.subarray(0, end).toString('utf8');
        this.rest = this.rest.subarray(end + mark.length);
        return text;
      }
      // The very end of a form may come without a line break.
      if (this.rest.subarray(0, 2).toString() === '--') return '--';
      if (this.rest.length > max) throw malformed('The head of a part of the form is too long.');
      await this.more();
    }
  }

  private async more(): Promise<void> {
    const chunk = await nextOf(this.body);
    if (!chunk) throw malformed('The form ends before it is complete.');
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
  }
}

/** What is too long may be cut within a character. */
const nameIn = (disposition: string): string | undefined =>
  parameter(disposition, 'filename')?.slice(0, NAME_MAX).toWellFormed();

/** Browsers write `"` of a name as `%22`, and everything else as it is. */
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(disposition);
  return (found?.[1] ?? found?.[2])?.replaceAll('%22', '"');
}

/** The next chunk; null behind the last one. Nobody reads meanwhile. */
function nextOf(body: Readable): Promise<Buffer | null> {
  if (body.readableEnded) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      body.pause();
      body.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      then();
    };
    const onData = (chunk: Buffer) => settle(() => resolve(chunk));
    const onEnd = () => settle(() => resolve(null));
    const onGone = () => settle(() => reject(malformed('The form ends before it is complete.')));
    if (body.destroyed) return onGone();
    body.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
    body.resume();
  });
}
