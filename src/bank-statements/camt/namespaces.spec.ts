import { describe, expect, it } from '@jest/globals';
import { Namespaces } from './namespaces.js';

describe(Namespaces.name, () => {
  it('are those that the element has declared, or else the nearest above it', () => {
    const namespaces = new Namespaces();
    namespaces.open({ xmlns: 'a', 'xmlns:p': 'b', name: 'c' });
    namespaces.open({ 'xmlns:p': 'd' });
    expect(['Document', 'p:Document', 'q:Document'].map((name) => namespaces.of(name))).toEqual([
      'a',
      'd',
      '',
    ]);
    namespaces.close();
    expect(namespaces.of('p:Document')).toBe('b');
  });

  it('are known in no time where thousands are declared above', () => {
    const namespaces = new Namespaces();
    const started = performance.now();
    for (let depth = 0; depth < 60; depth++) {
      const names = Array.from({ length: 700 }, (_, at) => [`xmlns:a${depth}-${at}`, 'a']);
      namespaces.open(Object.fromEntries(names) as Record<string, string>);
    }
    for (let at = 0; at < 5_000; at++) {
      namespaces.open({ xmlns: 'a' });
      namespaces.close();
    }
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
