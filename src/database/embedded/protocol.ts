/** What of PostgreSQL's wire protocol 3.0 the embedded database reads or writes itself. */

/** Message types, https://www.postgresql.org/docs/current/protocol-message-formats.html */
const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);
const FLUSH = 'H'.charCodeAt(0);
const FUNCTION_CALL = 'F'.charCodeAt(0);
const NOTIFICATION = 'A'.charCodeAt(0);
const PARSE_COMPLETE = '1'.charCodeAt(0);
const CLOSE_COMPLETE = '3'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);

const ENDS_TURN = new Set([QUERY, SYNC, FLUSH, FUNCTION_CALL]);
/** CopyData, CopyDone, CopyFail, Terminate: nothing that PGlite could answer. */
const IGNORED = new Set(Buffer.from('dcfX'));
const CAN_START_COPY = new Set([QUERY, EXECUTE]);

/** Type and length of a message. */
export const HEADER_BYTES = 5;

const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;

/** Something the client says before its session starts. */
export type Opening = 'startup' | 'encryption' | 'unknown';

export interface Turn {
  /** Messages for PGlite, up to one that it answers at once. */
  readonly messages: Buffer;
  /** Bytes of the input that this turn used up. */
  readonly length: number;
  /** False when the turn ends in Flush: PostgreSQL then says nothing about being ready. */
  readonly endsReady: boolean;
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

export function query(sql: string): Buffer {
  return message('Q', `${sql}\0`);
}

export function errorResponse(sqlState: string, text: string): Buffer {
  return message('E', `SERROR\0VERROR\0C${sqlState}\0M${text}\0\0`);
}

export const sync = message('S', '');
const parseComplete = message('1', '');
/** Of an answer that says no more than that something was done. */
export const COMPLETE_BYTES = parseComplete.length;
export const readyForQuery = message('Z', 'I');
export const refuseEncryption = Buffer.from('N');

export function closeStatement(name: string): Buffer {
  return message('C', `S${name}\0`);
}

/**
 * Goes behind everything that could start a COPY FROM STDIN, for whose rows PGlite would otherwise
 * look for ever, at full CPU. PostgreSQL ignores this message when no COPY waits for rows, so the
 * SQL need not be understood here.
 */
const copyFail = message(
  'f',
  'the embedded database takes no rows from COPY FROM STDIN: use INSERT, or a PostgreSQL server\0',
);

/** What a client says to open a session; PGlite has one user and one database. */
export function startup(): Buffer {
  const bytes = Buffer.from('\0\0\0\0\0\x03\0\0user\0postgres\0database\0postgres\0\0', 'latin1');
  bytes.writeInt32BE(bytes.length, 0);
  return bytes;
}

/** The first message of a connection, which has no type; undefined until all of it is there. */
export function readOpening(input: Buffer): { kind: Opening; length: number } | undefined {
  if (input.length < 8) return undefined;
  const length = input.readInt32BE(0);
  if (input.length < length) return undefined;
  const code = input.readInt32BE(4);
  if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: 'encryption', length };
  return { kind: code >> 16 === 3 ? 'startup' : 'unknown', length };
}

/** The next turn in what a client has sent, or undefined while its end is still to come. */
export function readTurn(input: Buffer): Turn | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= input.length;) {
    const type = input[at]!;
    const end = endOf(input, at);
    if (end < at + HEADER_BYTES) throw new Error('malformed PostgreSQL message');
    if (end > input.length) return undefined;
    if (!IGNORED.has(type)) parts.push(input.subarray(at, end));
    if (CAN_START_COPY.has(type)) parts.push(copyFail);
    if (ENDS_TURN.has(type)) {
      return { messages: Buffer.concat(parts), length: end, endsReady: type !== FLUSH };
    }
    at = end;
  }
  return undefined;
}

/** A turn that parses a statement without a name, and binds it. */
export interface UnnamedStatement {
  /** With the types of its parameters. */
  readonly text: Buffer;
  /** The same turn, but the statement gets a name. */
  named(name: string): Buffer;
  /** The same turn without the parsing: PostgreSQL has the statement under that name. */
  boundTo(name: string): Buffer;
}

/** Undefined for any other turn. */
export function readUnnamed(turn: Buffer): UnnamedStatement | undefined {
  if (turn[0] !== PARSE || turn[HEADER_BYTES] !== 0) return undefined;
  const bindAt = endOf(turn, 0);
  if (turn[bindAt] !== BIND) return undefined;
  const bindEnd = endOf(turn, bindAt);
  const statementAt = turn.indexOf(0, bindAt + HEADER_BYTES) + 1;
  if (turn[statementAt] !== 0) return undefined;
  const parse = turn.subarray(0, bindAt);
  const bind = turn.subarray(bindAt, bindEnd);
  const bound = (name: string): Buffer[] => [
    withName(bind, statementAt - bindAt, name),
    turn.subarray(bindEnd),
  ];
  return {
    text: parse.subarray(HEADER_BYTES + 1),
    named: (name) => Buffer.concat([withName(parse, HEADER_BYTES, name), ...bound(name)]),
    boundTo: (name) => Buffer.concat(bound(name)),
  };
}

/** Where the message that begins there ends. */
const endOf = (input: Buffer, at: number): number => at + 1 + input.readInt32BE(at + 1);

/** A message with a name where it has an empty one. */
function withName(unnamed: Buffer, at: number, name: string): Buffer {
  const bytes = Buffer.concat([unnamed.subarray(0, at), Buffer.from(name), unnamed.subarray(at)]);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

/** Whether an answer begins with the news that a statement was parsed. */
export function isParsed(answer: Buffer): boolean {
  return answer[0] === PARSE_COMPLETE;
}

/** Whether it begins with the news that one was closed. */
export function isClosed(answer: Buffer): boolean {
  return answer[0] === CLOSE_COMPLETE;
}

/** The answer to a turn whose statement need not be parsed, as to one that parses it. */
export function withParsed(answer: Buffer): Buffer {
  // after an error PostgreSQL has skipped the whole turn
  return answer[0] === READY ? answer : Buffer.concat([parseComplete, answer]);
}

/** True when the answer ends in "ready for query, not in a transaction". */
export function endsIdle(answer: Buffer): boolean {
  return answer.subarray(-readyForQuery.length).equals(readyForQuery);
}

/** Takes NOTIFY messages, which are for every connection, out of the answer to one of them. */
export function splitNotifications(answer: Buffer): { answer: Buffer; notifications: Buffer[] } {
  const kept: Buffer[] = [];
  const notifications: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < answer.length;) {
    const end = endOf(answer, at);
    if (answer[at] === NOTIFICATION) {
      kept.push(answer.subarray(from, at));
      notifications.push(answer.subarray(at, end));
      from = end;
    }
    at = end;
  }
  if (notifications.length === 0) return { answer, notifications };
  kept.push(answer.subarray(from));
  return { answer: Buffer.concat(kept), notifications };
}
