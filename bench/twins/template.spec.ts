import { describe, expect, it } from '@jest/globals';
import { compile, raw } from './template.js';

describe('compiled templates', () => {
  it('fill their slots', () => {
    const render = compile('<p>{{name}} pays {{amount}}</p>{{rest}}');
    expect(render({ name: 'Ann', amount: 12, rest: null })).toBe('<p>Ann pays 12</p>');
  });

  it('let nobody write markup but their author', () => {
    const render = compile('{{name}}{{form}}');
    const values = { name: `<a href="x">&'`, form: raw('<form>') };
    expect(render(values)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;<form>');
  });
});
