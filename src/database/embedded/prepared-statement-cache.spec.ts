import { describe, expect, it } from '@jest/globals';
import { PreparedStatementCache } from './prepared-statement-cache.js';
import { sync } from './protocol.js';

const message = (type: string, body: string): Buffer => {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
};

const asking = (sql: string): Buffer =>
  Buffer.concat([message('P', `\0${sql}\0\0\0`), message('B', '\0\0\0\0\0\0\0\0'), sync]);

const PARSED = message('1', '');
const BOUND = message('2', '');
const CLOSED = message('3', '');

/** What PostgreSQL is asked, and the answer that begins with so much. */
function ask(statements: PreparedStatementCache, sql: string, answer: readonly Buffer[]) {
  const { messages, heard } = statements.shorten(asking(sql));
  return { asked: messages.toString('latin1'), heard: heard(Buffer.concat(answer)) };
}

describe('PreparedStatementCache', () => {
  it('plans anew what was planned some time ago, and hides that from the client', () => {
    let now = 0;
    const statements = new PreparedStatementCache(() => now);
    for (let count = 0; count < 3; count++) ask(statements, 'SELECT 1', [PARSED, BOUND]);
    const short = ask(statements, 'SELECT 1', [BOUND]);
    expect(short.asked).not.toContain('SELECT 1');
    expect(short.heard).toEqual(Buffer.concat([PARSED, BOUND]));
    now = 10_001;
    const anew = ask(statements, 'SELECT 1', [CLOSED, PARSED, BOUND]);
    expect(anew.asked).toContain('SELECT 1');
    expect(anew.heard).toEqual(Buffer.concat([PARSED, BOUND]));
    expect(ask(statements, 'SELECT 1', [BOUND]).asked).not.toContain('SELECT 1');
  });

  it('does not take a statement for kept that was not parsed', () => {
    const statements = new PreparedStatementCache();
    for (let count = 0; count < 5; count++) {
      const error = message('E', 'no such table');
      expect(ask(statements, 'SELECT 1', [error])).toMatchObject({ heard: error });
    }
    expect(ask(statements, 'SELECT 1', [PARSED]).asked).toContain('SELECT 1');
  });

  it('closes later what PostgreSQL did not close because it skipped the turn', () => {
    const statements = new PreparedStatementCache();
    const ready = message('Z', 'I');
    for (let count = 0; count < 3; count++) ask(statements, 'SELECT 1', [PARSED, BOUND]);
    const skipped = ask(statements, 'DROP TABLE item', [ready]);
    expect(skipped.asked).toContain('Skept_1');
    expect(skipped.heard).toEqual(ready);
    const next = ask(statements, 'SELECT 2', [CLOSED, PARSED]);
    expect(next.asked).toContain('Skept_1');
    expect(next.heard).toEqual(PARSED);
  });
});
