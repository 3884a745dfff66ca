import { describe, expect, it } from '@jest/globals';
import { formsOf } from './forms.js';

describe('formsOf', () => {
  it('finds what a browser would send', () => {
    const [form] = formsOf(
      '<form class="act" method="post" action="/pay/x?a=1&amp;b=2">' +
        '<input type="hidden" name="method" value="&quot;a&quot;">' +
        '<input type="radio" name="outcome" value="paid" checked required>' +
        '<input type="radio" name="outcome" value="declined" required>' +
        '<input name="amount" pattern="[0-9]"><button>Pay</button></form>',
    );
    expect(form?.action).toBe('/pay/x?a=1&b=2');
    expect([...form!.fields]).toEqual([
      ['method', '"a"'],
      ['outcome', 'paid'],
      ['amount', ''],
    ]);
  });

  it('leaves out forms that only read', () => {
    expect(formsOf('<form method="get"></form><form method="post"></form>')).toEqual([
      { action: '', fields: new URLSearchParams() },
    ]);
  });
});
