import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify';
import { Problem } from './problems/problem.js';

/** Route setting: accepts a form with a file, which the handler streams. */
export const FILE_FORM = { fileForm: true } as const;

/** Maximum bytes before a file: fields, their part headers and the file's. */
const BEFORE_FILE_MAX = 8 * 1024;
const NAME_MAX = 255;
/** Milliseconds for the rest of a rejected file. */
const REST_MS = 60_000;
/** Milliseconds for a client that the handler has not identified. */
const STRANGERS_REST_MS = 10_000;
/** Unidentified clients whose files are read at the same time; others are disconnected. */
export const STRANGERS_MAX = 2;
/** Milliseconds between the chunks of their files, which limits each to a few MB a second. */
const STRANGERS_PAUSE_MS = 10;
/** Status of a rejected form. */
const REFUSED_FILE = 422;
/** Statuses for slow or oversized requests, after which nothing more is read. */
const HURRIED: ReadonlySet<number> = new Set([408, 413, 429, 503]);

/** A file of a multipart form. */
export interface SentFile {
  /** File name at the client. */
  readonly name: string;
  /** Can be read once. @throws Problem malformed_request if the form ends within the file */
  readonly bytes: () => AsyncGenerator<Buffer>;
}

/** Fields before the file, and the file; anything after it is ignored. */
export class FileForm extends URLSearchParams {
  file: SentFile | null = null;
}

/** Bodies whose file has begun; before that, the normal limits apply. */
const withFile = new WeakSet<Readable>();

/** Whether the fields of a form were read and its file follows. */
export const isFileArriving = (body: Readable): boolean => withFile.has(body);

/** A form whose body is still unread, so that authentication and rate limits come first. */
export class ArrivingForm {
  constructor(
    private readonly body: Readable,
    private readonly contentType: string,
  ) {}

  /** Reads the form up to its file. @throws Problem malformed_request, body_too_large */
  read(): Promise<FileForm> {
    return readFileForm(this.body, this.contentType);
  }
}

/**
 * Reads a form up to its file, so that its CSRF token is verified before any byte of the file is accepted.
 * @param contentType with the boundary
 * @throws Problem malformed_request, body_too_large
 */
export async function readFileForm(body: Readable, contentType: string): Promise<FileForm> {
  const boundary = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType);
  if (!boundary) throw malformed('The form does not say where its parts end.');
  const parts = new Parts(body, (boundary[1] ?? boundary[2])!);
  const form = new FileForm();
  await parts.text();
  for (let head = await parts.head(); head; head = await parts.head()) {
    if (head.filename !== undefined) {
      form.file = { name: head.filename, bytes: () => parts.bytes() };
      withFile.add(body);
      return form;
    }
    form.append(head.name, await parts.text());
  }
  return form;
}

/**
 * Drains the rest of a rejected file before the answer, since many clients read nothing until they have sent
 * everything. Disconnects clients that send for too long.
 */
export function useFileForms(fastify: FastifyInstance): void {
  let strangers = 0;
  const readToItsEnd: onSendAsyncHookHandler = async ({ raw }, reply) => {
    if (raw.complete || raw.destroyed) return;
    const { statusCode } = reply;
    if (statusCode === REFUSED_FILE) await drain(raw, REST_MS, 0);
    else if (!HURRIED.has(statusCode) && strangers < STRANGERS_MAX) {
      strangers++;
      await drain(raw, STRANGERS_REST_MS, STRANGERS_PAUSE_MS);
      strangers--;
    }
    if (!raw.complete) void reply.header('connection', 'close');
  };
  fastify.addHook('onRoute', (route) => {
    const { fileForm } = (route.config ?? {}) as { fileForm?: boolean };
    if (fileForm) route.onSend = readToItsEnd;
  });
}

/** @param pauseMs milliseconds between chunks */
async function drain(body: Readable, ms: number, pauseMs: number): Promise<void> {
  const end = AbortSignal.timeout(ms);
  body.on('data', () => {
    if (pauseMs === 0 || end.aborted) return;
    body.pause();
    setTimeout(() => body.resume(), pauseMs);
  });
  body.resume();
  await finished(body, { signal: end }).catch(() => undefined);
}

const malformed = (detail: string): Problem => new Problem('malformed_request', { detail });

interface Head {
  readonly name: string;
  /** Undefined for a field. */
  readonly filename: string | undefined;
}

/** Parser for multipart/form-data (RFC 7578). */
class Parts {
  private readonly delimiter: Buffer;
  /** Received bytes that are not consumed yet. */
  private rest: Buffer = Buffer.from('\r\n');
  /** Remaining bytes before the file. */
  private left = BEFORE_FILE_MAX;

  constructor(
    private readonly body: Readable,
    boundary: string,
  ) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Headers of the next part; null after the last one. */
  async head(): Promise<Head | null> {
    const start = await this.until('\r\n');
    if (start.startsWith('--')) return null;
    const text = start.trim() === '' ? await this.until('\r\n\r\n') : '';
    const disposition = /^content-disposition:(.*)$/im.exec(text)?.[1] ?? '';
    const name = parameter(disposition, 'name');
    if (name === undefined) throw malformed('A part of the form has no name.');
    return { name, filename: nameIn(disposition) };
  }

  /** Value of a field. */
  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.bytes()) {
      this.spend(chunk.length);
      chunks.push(chunk);
    }
    this.spend(this.delimiter.length);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Rest of the part. */
  async *bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.rest.indexOf(this.delimiter);
      // Keeps bytes that may start a delimiter until the next chunk.
      const sure = end >= 0 ? end : Math.max(0, this.rest.length - this.delimiter.length + 1);
      if (sure > 0) yield this.rest.subarray(0, sure);
      this.rest = this.rest.subarray(end >= 0 ? end + this.delimiter.length : sure);
      if (end >= 0) return;
      await this.more();
    }
  }

  private spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0)
      throw new Problem('body_too_large', {
        detail: `What stands before the file is over ${BEFORE_FILE_MAX / 1024} kB.`,
      });
  }

  private async until(mark: string): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf(mark);
      if (end >= 0) {
        const text = this.rest.subarray(0, end).toString('utf8');
        this.rest = this.rest.subarray(end + mark.length);
        this.spend(end + mark.length);
        return text;
      }
      // The final boundary may lack a line break.
      if (this.rest.subarray(0, 2).toString() === '--') return '--';
      if (this.rest.length > this.left) this.spend(this.rest.length);
      await this.more();
    }
  }

  private async more(): Promise<void> {
    const chunk = await nextOf(this.body);
    if (!chunk) throw malformed('The form ends before it is complete.');
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
  }
}

/** Long names may be cut within a character. */
const nameIn = (disposition: string): string | undefined =>
  parameter(disposition, 'filename')?.slice(0, NAME_MAX).toWellFormed();

/** Browsers escape `"` in names as `%22`, and nothing else. */
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(disposition);
  return (found?.[1] ?? found?.[2])?.replaceAll('%22', '"');
}

/** Next chunk; null after the last one. Must not be called concurrently. */
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
