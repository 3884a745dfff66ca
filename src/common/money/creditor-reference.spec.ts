import { describe, expect, it } from '@jest/globals';
import {
  creditorReference,
  newTransferReference,
  printedReference,
  readCreditorReference,
  transferReferencesIn,
} from './creditor-reference.js';

describe('a creditor reference', () => {
  it.each(['539007547034', 'a b2', '0', 'Z'.repeat(21)])('is made of %s', (body) => {
    const made = creditorReference(body);
    // Modulo 97 with the first four characters at the end, which is how any bank checks it.
    const turned = [...`${made.slice(4)}${made.slice(0, 4)}`]
      .map((sign) => Number.parseInt(sign, 36))
      .join('');
    expect(BigInt(turned) % 97n).toBe(1n);
    expect(readCreditorReference(made)).toBe(made);
  });

  it('is known', () => {
    expect(creditorReference('539007547034')).toBe('RF18539007547034');
    expect(readCreditorReference('rf18 5390 0754 7034')).toBe('RF18539007547034');
    expect(printedReference('RF18539007547034')).toBe('RF18 5390 0754 7034');
  });

  it.each(['', 'a-b', 'ß', 'x'.repeat(22)])('is not made of "%s"', (body) => {
    expect(() => creditorReference(body)).toThrow(RangeError);
  });

  it('is not what leaves the same remainder with other check digits', () => {
    // 02 and 99, 00 and 97, 01 and 98 are the same modulo 97.
    const all = Array.from({ length: 2_000 }, (_, at) => creditorReference(String(at)));
    const twins = all.flatMap((each) => {
      const twin = { '02': '99', '97': '00', '98': '01' }[each.slice(2, 4)];
      return twin ? [`RF${twin}${each.slice(4)}`] : [];
    });
    expect(twins.length).toBeGreaterThan(30);
    expect(twins.map(readCreditorReference)).toEqual(twins.map(() => null));
  });

  it.each([
    'RF17539007547034',
    'RF18',
    'XX18539007547034',
    'RF18539007547034-',
    `RF18${'1'.repeat(22)}`,
  ])('%s is none', (text) => {
    expect(readCreditorReference(text)).toBeNull();
  });
});

describe('a reference of our own', () => {
  it.each([
    ['test', /^RF\d\d0\d{15}$/],
    ['live', /^RF\d\d[1-9]\d{15}$/],
  ] as const)('is random in %s mode, and valid', (mode, form) => {
    const all = Array.from({ length: 2_000 }, () => newTransferReference(mode));
    expect(all.filter((each) => !form.test(each) || readCreditorReference(each) !== each)).toEqual(
      [],
    );
    expect(new Set(all).size).toBe(all.length);
    for (let at = 5; at < 20; at++) expect(new Set(all.map((each) => each[at])).size).toBe(10);
  });

  it('is found in text however cut or spelt', () => {
    const own = newTransferReference('live');
    const other = newTransferReference('test');
    const spelt = [
      own,
      printedReference(own).toLowerCase(),
      `Order7${own}thanks`,
      [...own].join('\n'),
      `SVWZ+${own.slice(0, 9)}\n${own.slice(9)}ABC`,
      own.replace('RF', 'RF-').replace(/(\d{5})/g, '$1.'),
      [...own].map((sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0)).join(''),
      `RF12 ${own}`,
      `RF${own}`,
    ];
    for (const text of spelt) expect([text, transferReferencesIn(text)]).toEqual([text, [own]]);
    expect(transferReferencesIn(`${own} and ${other}, ${own}`)).toEqual([own, other]);
  });

  it('is found in no time among thousands of accents', () => {
    const own = newTransferReference('live');
    const accents = '\u0301'.repeat(40_000) + '\u0316'.repeat(40_000);
    const started = performance.now();
    expect(transferReferencesIn(`x${accents} ${own}`)).toEqual([own]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('is not found with an error in it', () => {
    const own = newTransferReference('live');
    for (let at = 2; at < own.length; at++) {
      const digit = (Number(own[at]) + 1) % 10;
      const wrong = `${own.slice(0, at)}${digit}${own.slice(at + 1)}`;
      expect(transferReferencesIn(wrong)).toEqual([]);
      const [one, two] = [own[at]!, own[at + 1]];
      if (two === undefined || one === two) continue;
      expect(transferReferencesIn(`${own.slice(0, at)}${two}${one}${own.slice(at + 2)}`)).toEqual(
        [],
      );
    }
    expect(transferReferencesIn(own.slice(2))).toEqual([]);
    expect(transferReferencesIn('RF18539007547034')).toEqual([]);
  });
});
