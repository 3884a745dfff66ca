/** A form as a browser submits it unchanged. */
export interface HtmlForm {
  /** As in the markup; empty = the URL of the page. */
  readonly action: string;
  readonly fields: URLSearchParams;
}

const FORM = /<form\b([^>]*)>(.*?)<\/form>/gs;
const INPUT = /<input\b([^>]*)>/g;
const ATTRIBUTE = /([\w-]+)(?:="([^"]*)")?/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

/** POST forms of a page of this service. Not a general HTML parser. */
export function formsOf(html: string): HtmlForm[] {
  return [...html.matchAll(FORM)].flatMap(([, head = '', body = '']) => {
    const { action = '', method } = attributesOf(head);
    return method === 'post' ? [{ action, fields: fieldsOf(body) }] : [];
  });
}

function fieldsOf(html: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [, text = ''] of html.matchAll(INPUT)) {
    const { name, type, value = '', checked } = attributesOf(text);
    const isChosen = type !== 'radio' || checked !== undefined;
    if (name && isChosen) fields.append(name, value);
  }
  return fields;
}

function attributesOf(text: string): Record<string, string | undefined> {
  const pairs = [...text.matchAll(ATTRIBUTE)].map(([, name, value = '']) => [name, decode(value)]);
  return Object.fromEntries(pairs) as Record<string, string>;
}

const decode = (text: string): string =>
  text.replace(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
