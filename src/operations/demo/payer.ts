import { type Form, formsOf } from './forms.js';
import { Difference } from './report.js';

export interface Page {
  readonly url: string;
  readonly html: string;
}

/** Opens a page as a browser does. */
export const open = (url: string): Promise<Page> => load(url, {});

/** Sends the page's form whose action ends so, and follows where that leads. */
export function submit(page: Page, actionEnd = ''): Promise<Page> {
  const form = formOn(page, actionEnd);
  return load(new URL(form.action, page.url).href, { method: 'POST', body: form.fields });
}

export function formOn({ url, html }: Page, actionEnd = ''): Form {
  const form = formsOf(html).find(({ action }) => action.endsWith(actionEnd));
  if (!form) throw new Difference(`the page ${url} has no form ${actionEnd}`);
  return form;
}

async function load(url: string, init: RequestInit): Promise<Page> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Difference(`the page ${url} answered ${response.status}`);
  return { url: response.url, html: await response.text() };
}
