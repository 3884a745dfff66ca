import { describe, expect, it } from '@jest/globals';
import { passwordProblem } from './password-rules.js';

const SOFIA = { email: 'sofia.klein@nordlicht.example', name: 'Sofia <b>Klein</b>' };

describe(passwordProblem.name, () => {
  it.each([
    'six wet grey herons',
    'correct zebra paints the shed',
    'tH7#kq2!vN0p',
    'żółw idzie do sklepu',
    '愛しています毎日お茶を飲みます',
    'x'.repeat(3) + ' marks the hidden place',
  ])('takes %j', (password) => {
    expect(passwordProblem(password, SOFIA)).toBeUndefined();
  });

  it.each([
    ['', 'at least 12'],
    ['eleven chr.', 'at least 12'],
    ['🦄🦄🐙🐙🦊🦊', 'at least 12'],
    [`a b c d e ${'f'.repeat(1_020)}`, 'at most 1024'],
    ['sofia wears green', 'your name'],
    ['the KLEIN bottle leaks', 'your name'],
    ['my Nordlicht till opens', 'your name'],
    ['aaaaaaaaaaaaaaaa', 'repetition'],
    ['abababababababab', 'repetition'],
    ['wombat wombat wombat ', 'repetition'],
    ['purplesnakepurplesnake', 'repetition'],
    ['correct horse battery staple', 'Many people'],
    ['CorrectHorseBatteryStaple1!', 'Many people'],
    ['wombatwombatwom', 'repetition'],
    ['Password1234567', 'Many people'],
    ['P@ssw0rd20262026', 'Many people'],
    ['Summer2026!!!', 'Many people'],
    ['il0vey0uf0rever', 'Many people'],
    ['welcome-admin-2024', 'Many people'],
    ['abcdefghijklmnop', 'row'],
    ['987654321098', 'row'],
    ['qwertyuiopasdf', 'row'],
    ['1qaz2wsx3edc4rfv', 'row'],
    ['mnbvcxzlkjhg?', 'row'],
  ])('refuses %j', (password, words) => {
    expect(passwordProblem(password, SOFIA)).toContain(words);
  });

  it('leaves short names alone, for they stand in words by chance', () => {
    const bearer = { email: 'al@x.example', name: 'Al Wu' };
    expect(passwordProblem('all walls are wunderbar', bearer)).toBeUndefined();
  });
});
