import { describe, expect, it } from '@jest/globals';
import { mailTextOf } from './mail.js';

const mail = (encoding: string, text: string): string =>
  [
    'Content-Type: multipart/alternative;\r\n boundary="--_Part_1"',
    '',
    '----_Part_1',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>HTML</p>',
    '----_Part_1',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    text,
    '----_Part_1--',
    '',
  ].join('\r\n');

describe('mailTextOf', () => {
  it.each([
    ['7bit', 'Order: A=20B\r\n\r\nPaid'],
    ['quoted-printable', 'Order: A=3D20=\r\nB\r\n\r\nPaid'],
    ['base64', Buffer.from('Order: A=20B\r\n\r\nPaid').toString('base64')],
  ])('reads the text part that is written as %s', (encoding, text) => {
    expect(mailTextOf(mail(encoding, text))).toBe('Order: A=20B\n\nPaid');
  });

  it('joins the bytes of a character', () => {
    expect(mailTextOf(mail('quoted-printable', '=E2=82=AC89.90'))).toBe('€89.90');
  });
});
