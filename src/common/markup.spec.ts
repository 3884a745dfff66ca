import { describe, expect, it } from '@jest/globals';
import { CompiledMarkup, fill, selfContained, slotFor, Template } from './markup.js';

describe(fill.name, () => {
  it('puts parts in the place of their names, and leaves an unknown one empty', () => {
    expect(fill('We received {received} of {amount}.', { received: 1 })).toEqual([
      'We received ',
      1,
      ' of ',
      undefined,
      '.',
    ]);
  });
});

describe(selfContained.name, () => {
  it('drops the marks that turn text around, and nothing else', () => {
    expect(selfContained('a\u2066b\u2067c\u2068d\u2069e')).toBe('abcde');
    expect(selfContained('a\u202ab\u202bc\u202cd\u202de\u202ef')).toBe('abcdef');
    const text = 'متجر \u200fA\u200eB 👨‍👩‍👧';
    expect(selfContained(text)).toBe(text);
  });
});

describe(Template.name, () => {
  it('puts texts where their slots are, escaped, and markup as it is', () => {
    const template = new Template(
      `<a href="${slotFor('url')}" title="${slotFor('who')}">${slotFor('who')}</a>${slotFor('more')}!`,
    );
    const texts = { url: '/a?b=1&c="2"', who: `<b>O'Neill\u202e</b>` };
    expect(template.fill(texts, { more: '<br>' })).toBe(
      '<a href="/a?b=1&amp;c=&quot;2&quot;" title="&lt;b&gt;O&#39;Neill&lt;/b&gt;">' +
        '&lt;b&gt;O&#39;Neill&lt;/b&gt;</a><br>!',
    );
  });

  it('takes nothing in a text for a slot', () => {
    const template = new Template(`${slotFor('one')} ${slotFor('two')}`);
    expect(template.fill({ one: slotFor('two'), two: 'secret' })).toBe(`${slotFor('two')} secret`);
  });

  it('is bytes alone, whatever it says', () => {
    const filled = new Template(`Zażółć — ${slotFor('who')}`).fill({ who: 'Łukasz Ünal 🦔' });
    expect(filled).toBe('Za&#380;ó&#322;&#263; &#8212; &#321;ukasz Ünal &#129428;');
  });

  it('leaves a slot without a text empty', () => {
    expect(new Template(`[${slotFor('one')}]`).fill({ one: null })).toBe('[]');
  });
});

describe(CompiledMarkup.name, () => {
  type Texts = Readonly<Record<'count', string | null>>;
  let rendered: number;
  const compiledOf = (max: number): CompiledMarkup<string, Texts> => {
    rendered = 0;
    return new CompiledMarkup((name, { count }) => {
      rendered++;
      return count === null ? name : `${name}: ${count}`;
    }, max);
  };

  it('renders each look once, whatever its texts are', () => {
    const compiled = compiledOf(3);
    const counts = ['1', '2', null, '3', null];
    const filled = counts.map((count) => compiled.fill('open', { count }));
    expect(filled).toEqual(['open: 1', 'open: 2', 'open', 'open: 3', 'open']);
    expect(compiled.fill('paid', { count: '4' })).toBe('paid: 4');
    expect(rendered).toBe(3);
  });

  it('keeps no more looks than it may, and none that it is not to', () => {
    const compiled = compiledOf(2);
    for (const name of ['open', 'paid', 'failed', 'open']) compiled.fill(name, { count: '1' });
    expect(rendered).toBe(4);
    for (let n = 0; n < 2; n++) expect(compiled.fillOnce('open', { count: '2' })).toBe('open: 2');
    expect(rendered).toBe(6);
  });
});
