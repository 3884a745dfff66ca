import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Certificate } from './certificate.js';

/** A webhook as it came in. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Exchange = (request: IncomingMessage, response: ServerResponse) => void;

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delayMs?: number;
}

/** How the receiver answers one request. */
export type Answer = number | Reply | Exchange;

/** Patient receivers inform so often, in milliseconds. */
const INFORM_MS = 2_000;
const BYTE_MS = 500;

/** A shop's program that receives webhooks, and behaves as it is told. */
export class Receiver {
  readonly received: Received[] = [];
  /** Requests that were open at the same moment, at most. */
  openMax = 0;
  private open = 0;
  private script: Answer[] = [];
  private standard: Answer = 204;

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
  ) {}

  static async start(certificate?: Certificate): Promise<Receiver> {
    const server = certificate ? createSecureServer(certificate) : createServer();
    const receiver = new Receiver(server, certificate ? 'https' : 'http');
    server.on('request', (request, response) => void receiver.take(request, response));
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  urlAt(host: string, path = '/hook'): string {
    return `${this.scheme}://${host}:${this.port}${path}`;
  }

  get url(): string {
    return this.urlAt('127.0.0.1');
  }

  /** Answers the next requests so, one each. */
  next(...answers: readonly Answer[]): void {
    this.script.push(...answers);
  }

  /** Answers so whenever nothing else was asked for. */
  always(answer: Answer): void {
    this.standard = answer;
  }

  get last(): Received {
    const received = this.received.at(-1);
    if (!received) throw new Error('nothing was received');
    return received;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.openMax = Math.max(this.openMax, ++this.open);
    response.once('close', () => this.open--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    this.received.push({ path: request.url!, headers: request.headers, body });
    const answer = this.script.shift() ?? this.standard;
    if (typeof answer === 'function') return answer(request, response);
    const {
      status,
      headers,
      body: text,
      delayMs = 0,
    } = typeof answer === 'number' ? { status: answer } : (answer as Reply);
    setTimeout(() => response.writeHead(status, headers).end(text), delayMs);
  }
}

/** Never answers. */
export const silent: Exchange = () => undefined;

/** Ends the connection in place of an answer. */
export const closes: Exchange = (request) => request.socket.destroy();

/** Ends the connection in the middle of its answer. */
export const breaksOff: Exchange = (request, response) => {
  response.writeHead(200, { 'content-length': '100' }).write('half');
  setTimeout(() => request.socket.destroy(), 20);
};

/** Success, one byte at a time, and never done. */
export const drips: Exchange = (_request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), BYTE_MS);
  response.once('close', () => clearInterval(timer));
};

/** A head of an answer that comes one byte at a time. */
export const dripsHeaders: Exchange = ({ socket }) => {
  socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
  const timer = setInterval(() => socket.write('.'), BYTE_MS);
  socket.once('close', () => clearInterval(timer));
};

/** Leaves HTTP where nobody asked for that. */
export const switches: Exchange = ({ socket }) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n');
};

/** Says again and again that it is at work, and never answers. */
export const informs: Exchange = ({ socket }) => {
  const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), INFORM_MS);
  socket.once('close', () => clearInterval(timer));
};

/** Success with a body that has no end. */
export const endless: Exchange = (_request, response) => {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

/** Announces an answer again and again, and gives none. */
export const earlyHints: Exchange = ({ socket }) => {
  const more = () => {
    while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
};

/** Success with a body that comes one byte after the other, for ever. */
export const crumbs: Exchange = (_request, response) => {
  response.writeHead(200);
  const more = setInterval(() => response.write('x'), 2);
  response.once('close', () => clearInterval(more));
};

/** Success with more headers than anybody reads. */
export const manyHeaders: Exchange = ({ socket }) => {
  const headers = Array.from({ length: 10_000 }, (_, n) => `x-${n}: ${n}\r\n`).join('');
  socket.end(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
};

/** Something else than HTTP. */
export const gibberish: Exchange = ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n');

type Headers = Record<string, string>;

/** What the standard's own library makes of a webhook. */
export const verified = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Headers);
