import type { Page } from 'playwright-core';
import { arrived } from '../support/browser.js';
import type { World } from './world.js';

/** A payer's browser on the payment page; it follows the page back to the shop. */
export class Payer {
  constructor(readonly page: Page) {}

  static async at(world: World, url: string): Promise<Payer> {
    const page = await world.browser.newPage({ locale: 'en-GB' });
    await page.goto(url);
    return new Payer(page);
  }

  /** To the bank and back, with the bank's answer, and with another amount in minor units if need be. */
  async pay(outcome = 'paid', amount?: number): Promise<void> {
    const { page } = this;
    await page.click('form[action$=start] button');
    await arrived(page, /\/sandbox-bank\//);
    await page.check(`[value=${outcome}]`);
    if (amount !== undefined) {
      await page.click('details summary');
      await page.fill('[name=amount]', String(amount));
    }
    await page.click('form .button');
    await arrived(page, /\/pay\//);
  }

  async cancel(): Promise<void> {
    await this.page.click('.cancel summary');
    await this.page.click('.cancel button');
  }

  /** Waits until the payment page shows a state. */
  async sees(state: string): Promise<void> {
    await this.page.waitForSelector(`main[data-state^="${state}."]`);
  }

  /** Goes back to the shop, whose address then names the order. */
  async goBack(): Promise<void> {
    await this.page.click('#back');
    await arrived(this.page, /\/\?order=/);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
