type Values = Readonly<Record<string, Value>>;
type Value = string | number | null | undefined | Markup;

/** Fills a page's slots. Only what `raw` made may be markup. */
export type Render = (values: Values) => string;

const SLOT = /\{\{(\w+)\}\}/;
const SPECIAL = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

class Markup {
  constructor(readonly html: string) {}
}

export const raw = (html: string): Markup => new Markup(html);

function shown(value: Value): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Markup) return value.html;
  return String(value).replace(SPECIAL, (character) => ENTITIES[character]!);
}

/** Takes a page with slots such as `{{name}}` apart, once. */
export function compile(source: string): Render {
  const parts = source.split(SLOT);
  return (values) => parts.map((part, i) => (i % 2 ? shown(values[part]) : part)).join('');
}
