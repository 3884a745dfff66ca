import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { xmlParser } from './xml-parser.js';

it('has a parser whose fields V8 finds without a dictionary', () => {
  setFlagsFromString('--allow-natives-syntax');
  const isFast = runInThisContext('(of) => %HasFastProperties(of)') as (of: object) => boolean;
  const nothing = () => {};
  const xml = xmlParser({
    opened: nothing,
    closed: nothing,
    wrote: nothing,
    passed: nothing,
    counted: nothing,
  });
  xml.write('<a>');
  for (let at = 0; at < 10_000; at++) xml.write('<b c="d">e</b>');
  expect(isFast(xml)).toBe(true);
});
