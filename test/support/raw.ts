import { connect } from 'node:net';

/** An answer as it came over the wire. */
export interface RawReply {
  /** 0 when the connection was closed without an answer. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the connection to its end, in milliseconds. */
  readonly ms: number;
}

/** Nothing here takes longer; a connection that is still open then fails its test. */
const TIMEOUT_MS = 20_000;

const CONTINUE = /^HTTP\/1\.1 100 [^]*?\r\n\r\n/;

/** Sends bytes that no HTTP client would, and reads until the service closes the connection. */
export function sendRaw(url: string, bytes: string | Buffer): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the connection stays open')));
    socket.on('data', (chunk) => chunks.push(chunk));
    // What the service sent before it closed the connection is the answer.
    socket.on('error', (error) => ('code' in error ? undefined : reject(error)));
    socket.on('close', () =>
      resolve({ ...parse(Buffer.concat(chunks)), ms: performance.now() - started }),
    );
  });
}

function parse(bytes: Buffer): Omit<RawReply, 'ms'> {
  const text = bytes.toString().replace(CONTINUE, '');
  const [head = '', body = ''] = text.split(/\r\n\r\n([^]*)/);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
  };
}
