/** The part of PostgreSQL's wire protocol 3.0 that the embedded database reads and writes itself. */

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
/** CopyData, CopyDone, CopyFail, Terminate: PGlite does not respond to them. */
const IGNORED = new Set(Buffer.from('dcfX'));
const CAN_START_COPY = new Set([QUERY, EXECUTE]);

/** Type and length of a message. */
export const HEADER_BYTES = 5;

const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;

/** A message before the session starts. */
export type Opening = 'startup' | 'encryption' | 'unknown';

export interface Turn {
  /** Messages for PGlite, up to one to which it responds immediately. */
  readonly messages: Buffer;
  /** Length of the turn in the input, in bytes. */
  readonly length: number;
  /** False when the turn ends with Flush: PostgreSQL then sends no ReadyForQuery. */
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
/** Length of a completion message without body. */
export const COMPLETE_BYTES = parseComplete.length;
export const readyForQuery = message('Z', 'I');
export const refuseEncryption = Buffer.from('N');

export function closeStatement(name: string): Buffer {
  return message('C', `S${name}\0`);
}

/**
 * Sent after everything that could start COPY FROM STDIN, because PGlite would otherwise wait for rows forever at full
 * CPU. PostgreSQL ignores this message when no COPY is in progress, so the SQL need not be parsed here.
 */
const copyFail = message(
  'f',
  'the embedded database takes no rows from COPY FROM STDIN: use INSERT, or a PostgreSQL server\0',
);

/** The startup message; PGlite has one user and one database. */
export function startup(): Buffer {
  const bytes = Buffer.from('\0\0\0\0\0\x03\0\0user\0postgres\0database\0postgres\0\0', 'latin1');
  bytes.writeInt32BE(bytes.length, 0);
  return bytes;
}

/** Reads the first message of a connection, which has no type; undefined while incomplete. */
export function readOpening(input: Buffer): { kind: Opening; length: number } | undefined {
  if (input.length < 8) return undefined;
  const length = input.readInt32BE(0);
  if (input.length < length) return undefined;
  const code = input.readInt32BE(4);
  if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: 'encryption', length };
  return { kind: code >> 16 === 3 ? 'startup' : 'unknown', length };
}

/** Reads the next turn of the input; undefined while incomplete. */
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

/** A turn that parses and binds an unnamed statement. */
export interface UnnamedStatement {
  /** SQL text with the parameter types. */
  readonly text: Buffer;
  /** The same turn with a named statement. */
  named(name: string): Buffer;
  /** The same turn without Parse, for a prepared statement. */
  boundTo(name: string): Buffer;
}

/** @returns undefined for any other turn */
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

/** End of the message that starts at `at`. */
const endOf = (input: Buffer, at: number): number => at + 1 + input.readInt32BE(at + 1);

/** Inserts a name where the message has an empty one. */
function withName(unnamed: Buffer, at: number, name: string): Buffer {
  const bytes = Buffer.concat([unnamed.subarray(0, at), Buffer.from(name), unnamed.subarray(at)]);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

/** Whether a response starts with ParseComplete. */
export function isParsed(answer: Buffer): boolean {
  return answer[0] === PARSE_COMPLETE;
}

/** Whether a response starts with CloseComplete. */
export function isClosed(answer: Buffer): boolean {
  return answer[0] === CLOSE_COMPLETE;
}

/** Adds ParseComplete to the response of a turn that was sent without Parse. */
export function withParsed(answer: Buffer): Buffer {
  // After an error PostgreSQL has skipped the whole turn.
  return answer[0] === READY ? answer : Buffer.concat([parseComplete, answer]);
}

/** Whether the response ends with ReadyForQuery outside a transaction. */
export function endsIdle(answer: Buffer): boolean {
  return answer.subarray(-readyForQuery.length).equals(readyForQuery);
}

/** Separates notifications, which are for every connection, from the response to one of them. */
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
