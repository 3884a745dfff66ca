import { describe, expect, it } from '@jest/globals';
import { accepts, preferred } from './accepts.js';

describe(accepts.name, () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'APPLICATION/JSON',
    'application/*;q=0.1',
    'application/problem+json',
    'application/json; charset=utf-8',
    'text/html, application/xhtml+xml, */*;q=0.8',
    'text/html;q=0.9,application/json;q=0.001',
    // No media range at all says nothing.
    'json',
    ',;,',
  ])('answers with JSON to %p', (header) => expect(accepts(header)).toBe(true));

  it.each([
    'text/html',
    'application/xml, text/*',
    'application/json;q=0',
    'application/json; q=0.000',
    '*/*;q=0',
    'application/jsonl',
  ])('has nothing for %p', (header) => expect(accepts(header)).toBe(false));
});

describe(preferred.name, () => {
  const TYPES = ['application/json', 'text/csv'] as const;

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv, */*', 'text/csv'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['application/json;q=0.5, text/csv;q=0.6', 'text/csv'],
    ['application/json, text/csv', 'application/json'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['text/csv;q=0, */*;q=0.1', 'application/json'],
    ['*/*;q=0, text/csv', 'text/csv'],
    ['text/html', undefined],
    ['text/csv;q=0', undefined],
  ])('of %p is %p', (header, type) => expect(preferred(header, TYPES)).toBe(type));
});
