import { csrfOf } from '../../src/people/sessions/session-token.js';
import type { TestApp } from './app.js';

/** What a page answered. */
export interface PageReply {
  readonly status: number;
  readonly html: string;
  readonly location: string | null;
  readonly headers: Headers;
}

/** Uses pages as a browser without scripts does: keeps cookies, and sends the forms it was given. */
export class FormBrowser {
  private readonly cookies = new Map<string, string>();
  private csrf = '';

  /** @param address where a proxy says that the browser is */
  constructor(
    private readonly url: string,
    private readonly address?: string,
  ) {}

  /** The value of a cookie, to steal it. */
  cookie(name = 'portal'): string | undefined {
    return this.cookies.get(name);
  }

  setCookie(value: string, name = 'portal'): void {
    this.cookies.set(name, value);
  }

  get(path: string): Promise<PageReply> {
    return this.call('GET', path);
  }

  /** With the token of the page that was shown last, unless the fields name another. */
  post(path: string, fields: Record<string, string> = {}): Promise<PageReply> {
    return this.call('POST', path, new URLSearchParams({ csrf: this.csrf, ...fields }));
  }

  /** Opens the page of a form, then sends it. */
  async fill(page: string, fields: Record<string, string>, action = page): Promise<PageReply> {
    await this.get(page);
    return this.post(action, fields);
  }

  /** Sends a form with a file behind its fields. */
  upload(
    path: string,
    fields: Record<string, string>,
    file: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> },
  ): Promise<PageReply> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ csrf: this.csrf, ...fields }))
      form.append(name, value);
    form.append('file', new Blob([file.bytes]), file.name);
    return this.call('POST', path, form);
  }

  /** Signs in with a password, and goes where the service leads. */
  signIn(email: string, password: string): Promise<PageReply> {
    return this.fill('/portal/sign-in', { email, password });
  }

  private async call(
    method: string,
    path: string,
    body?: URLSearchParams | FormData,
  ): Promise<PageReply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers: Record<string, string> = cookie ? { cookie } : {};
    if (this.address) headers['x-forwarded-for'] = this.address;
    const init: RequestInit = { method, headers, redirect: 'manual', ...(body ? { body } : {}) };
    const response = await fetch(new URL(path, this.url), init);
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const html = await response.text();
    this.csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? this.csrf;
    const location = response.headers.get('location');
    return { status: response.status, html, location, headers: response.headers };
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const isGone = /max-age=0|expires=thu, 01 jan 1970/i.test(line);
    if (isGone) this.cookies.delete(name);
    else this.cookies.set(name, value);
    // Its forms stand on the page to which the answer leads.
    if (name === 'portal' && !isGone) this.csrf = csrfOf(value);
  }
}

export const browserOf = (app: TestApp, address?: string): FormBrowser =>
  new FormBrowser(app.url, address);
