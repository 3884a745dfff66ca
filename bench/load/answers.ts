/** What a server says on one connection, cut into answers. Only one request is under way at a time. */
export class Answers {
  private rest: Buffer = Buffer.alloc(0);

  /**
   * Takes the next bytes.
   * @returns the answer that they complete, or undefined while some of it is missing
   * @throws Error for what is no answer of HTTP/1.1 with a known end
   */
  take(bytes: Buffer): Answer | undefined {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const headEnd = this.rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const head = this.rest.toString('latin1', 0, headEnd);
    const bodyStart = headEnd + 4;
    const end = isChunked(head) ? chunksEnd(this.rest, bodyStart) : bodyStart + lengthOf(head);
    if (end === undefined || this.rest.length < end) return undefined;
    const answer = { status: statusOf(head), body: this.rest.subarray(bodyStart, end) };
    this.rest = this.rest.subarray(end);
    return answer;
  }
}

export interface Answer {
  readonly status: number;
  /** As it was sent, with the sizes of its chunks if it came in chunks. */
  readonly body: Buffer;
}

const STATUS_AT = 'HTTP/1.1 '.length;

function statusOf(head: string): number {
  const status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
  if (!head.startsWith('HTTP/1.1 ') || !(status >= 200)) throw new Error(`no answer: ${head}`);
  return status;
}

const isChunked = (head: string): boolean => /\r\ntransfer-encoding: *chunked/i.test(head);

function lengthOf(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  const status = statusOf(head);
  if (status === 204 || status === 304) return 0;
  throw new Error(`an answer without an end: ${head}`);
}

function chunksEnd(bytes: Buffer, start: number): number | undefined {
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return at;
  }
}
