import { type HtmlForm, formsOf } from './forms.js';
import { Difference } from './report.js';

/** Maximum redirects per form submission. */
const REDIRECTS_MAX = 5;

/** A page with its URL and response. */
export interface Page {
  readonly url: string;
  readonly html: string;
}

/** A simple browser: opens pages, keeps cookies, and submits forms. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  open(url: string): Promise<Page> {
    return this.load(url, {});
  }

  /** Submits the form whose action ends with `actionEnd`, with these fields filled in. */
  submit(page: Page, actionEnd = '', filled: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { action, fields } = formOn(page, actionEnd);
    for (const [name, value] of Object.entries(filled)) fields.set(name, value);
    return this.load(new URL(action, page.url).href, { method: 'POST', body: fields });
  }

  private async load(url: string, init: RequestInit, redirects = 0): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const html = await response.text();
    const location = response.headers.get('location');
    if (location !== null && redirects < REDIRECTS_MAX) {
      return this.load(new URL(location, url).href, {}, redirects + 1);
    }
    if (!response.ok) throw new Difference(`the page ${url} answered ${response.status}`);
    return { url, html };
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    this.cookies.set(name, value);
  }
}

export function formOn({ url, html }: Page, actionEnd = ''): HtmlForm {
  const form = formsOf(html).find(({ action }) =>
    new URL(action, url).pathname.endsWith(actionEnd),
  );
  if (!form) throw new Difference(`the page ${url} has no form ${actionEnd}`);
  return form;
}
