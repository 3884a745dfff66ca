import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { PaymentProvider, PaymentRequest } from '../src/providers/provider.js';
import { PROVIDERS } from '../src/providers/provider-registry.js';
import { SandboxProvider } from '../src/providers/sandbox/sandbox.provider.js';
import { openBrowser } from './support/browser.js';
import { openShop } from './support/shop.js';

/** The page of a payment company at another origin. */
const company: Server = createServer((_request, reply) => reply.end('<h1>The company</h1>'));
company.listen(0, '127.0.0.1');
await once(company, 'listening');
const ORIGIN = `http://127.0.0.1:${(company.address() as AddressInfo).port}`;

let declared: readonly string[] = [];

/** The sandbox bank, but its page is the company's. */
const elsewhere = (sandbox: SandboxProvider): PaymentProvider => ({
  name: sandbox.name,
  methods: sandbox.methods,
  get origins() {
    return declared;
  },
  status: (payment) => sandbox.status(payment),
  start: async (request: PaymentRequest) => ({
    ...(await sandbox.start(request)),
    redirectUrl: `${ORIGIN}/pay`,
  }),
});

const { shop } = await openShop({
  replace: (builder) =>
    void builder.overrideProvider(PROVIDERS).useFactory({
      inject: [SandboxProvider],
      factory: (sandbox: SandboxProvider) => [elsewhere(sandbox)],
    } as Parameters<ReturnType<typeof builder.overrideProvider>['useFactory']>[0]),
});

describe('the form of the payment page', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    company.close();
  });

  async function pay(): Promise<Page> {
    const { paymentPageUrl } = await shop.order();
    const page = await browser.newPage();
    await page.goto(paymentPageUrl);
    await page.click('form[action$="/start"] button');
    return page;
  }

  it('leads a real browser to the company that the provider names', async () => {
    declared = [ORIGIN];
    const page = await pay();
    await page.waitForURL(`${ORIGIN}/pay`);
    expect(await page.textContent('h1')).toBe('The company');
  });

  it('leads nowhere else', async () => {
    declared = ['http://127.0.0.1:1'];
    const page = await pay();
    await page.waitForTimeout(1_000);
    expect(page.url()).not.toContain(ORIGIN);
  });

  it('names exactly those places, and only while there is something to pay', async () => {
    declared = [ORIGIN];
    const { txid, paymentPageUrl } = await shop.order();
    const policy = async (): Promise<string | undefined> =>
      /form-action ([^;]+)/.exec(
        (await fetch(paymentPageUrl)).headers.get('content-security-policy') ?? '',
      )?.[1];
    expect(await policy()).toBe(`'self' ${ORIGIN}`);
    await shop.cancel(txid);
    expect(await policy()).toBe(`'self'`);
  });
});
