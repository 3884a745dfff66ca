import { describe, expect, it } from '@jest/globals';
import { refusedMail, sent, type SmtpError } from './mail-outcome.js';

const failure = (facts: Partial<SmtpError>): SmtpError => Object.assign(new Error('no'), facts);

describe(refusedMail.name, () => {
  it.each([
    [
      'a mailbox that does not exist',
      { code: 'EENVELOPE', responseCode: 550, response: '550 no' },
      true,
    ],
    ['a mail that is refused', { code: 'EMESSAGE', responseCode: 554, response: '554 no' }, true],
    ['a mail that is too large', { code: 'EMESSAGE' }, true],
    ['a mailbox that is busy', { code: 'EENVELOPE', responseCode: 450, response: '450 no' }, false],
    ['a wrong password', { code: 'EAUTH', responseCode: 535, response: '535 no' }, false],
    ['no encryption', { code: 'ETLS', responseCode: 500, response: '500 no' }, false],
    ['a server that greets with a refusal', { code: 'EPROTOCOL', responseCode: 554 }, false],
    ['a server that is away', { code: 'ESOCKET' }, false],
    ['a full disk', { code: 'ENOSPC' }, false],
  ])('%s', (_, facts, final) => {
    expect(refusedMail(failure(facts))).toMatchObject({ succeeded: false, final });
  });

  it('keeps what the server said, in one short line', () => {
    const response = `550 5.1.1 no\r\n550 ${'such '.repeat(200)}`;
    const { error } = refusedMail(failure({ code: 'EENVELOPE', responseCode: 550, response }));
    expect(error).toMatch(/^550 5\.1\.1 no 550 such/);
    expect(error).toHaveLength(500);
  });

  it('keeps what the server said of our password to itself', () => {
    const { error } = refusedMail(
      failure({ code: 'EAUTH', responseCode: 535, response: '535 bad' }),
    );
    expect(error).toBe('The mail server refused the user or the password.');
  });
});

describe(sent.name, () => {
  it('has the number of the answer, where there was one', () => {
    expect(sent('250 2.0.0 queued as 1')).toMatchObject({ succeeded: true, statusCode: 250 });
    expect(sent(undefined)).toMatchObject({ succeeded: true, statusCode: null, response: null });
  });
});
