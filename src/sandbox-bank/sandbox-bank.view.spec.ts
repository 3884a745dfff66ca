import { describe, expect, it } from '@jest/globals';
import { renderSandboxBankPage } from './sandbox-bank.view.js';

const page = {
  styleHref: '/pay/assets/pay.css',
  merchantName: 'A & B <script>alert(1)</script>',
  amountText: '€89.90',
  reference: '"><img src=x>',
  answered: false,
};

describe(renderSandboxBankPage.name, () => {
  it('offers each outcome and the payer, in a form that posts', () => {
    const html = renderSandboxBankPage(page);
    expect(html).toMatch(/<form[^>]* method="post"/);
    const outcomes = [...html.matchAll(/name="outcome" value="(\w+)"/g)].map(([, value]) => value);
    expect(outcomes).toEqual(['paid', 'pending', 'declined', 'unknown', 'cancelled']);
    const names = ['amount', 'afterSeconds', 'payerAccountNumber', 'payerAccountName'];
    for (const name of names) expect(html).toContain(`name="${name}"`);
  });

  it('has nothing left to choose after an answer', () => {
    const html = renderSandboxBankPage({ ...page, answered: true, returnHref: '/pay/t' });
    expect(html).not.toContain('<form');
    expect(html).toContain('href="/pay/t"');
  });

  it('shows data as text, and has no inline code or style', () => {
    const html = renderSandboxBankPage(page);
    expect(html).not.toMatch(/<script|<img|<style|\sstyle=|\son\w+=/);
    expect(html).toContain('A &amp; B &lt;script');
  });
});
