/** What a reader sees in a page of ours: enough of HTML to test pages without a browser. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

const unescaped = (text: string): string =>
  text.replace(
    /&(?:lt|gt|quot|amp|#(\d+));/g,
    (entity, code?: string) => ENTITIES[entity] ?? String.fromCodePoint(Number(code)),
  );

/** The words of a piece of a page. */
export const textOf = (html: string): string =>
  unescaped(html.replace(/<(script|style)\b.*?<\/\1>|<[^>]*>/gs, ' '))
    .replace(/\s+/g, ' ')
    .trim();

/** Where the link with these words leads; the first one in the element, where one is named. */
export function hrefOf(html: string, words: string, element?: string): string | undefined {
  const part = element ? html.slice(html.indexOf(`<${element}`)) : html;
  const links = part.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs);
  const link = [...links].find(([, , content]) => textOf(content!) === words);
  return attribute(link?.[1], 'href');
}

/** Where the links of a class lead. */
export const linksOf = (html: string, name: string): string[] =>
  [...html.matchAll(/<a\b([^>]*)>/g)]
    .filter(([, attributes]) => attribute(attributes, 'class') === name)
    .map(([, attributes]) => attribute(attributes, 'href')!);

function attribute(attributes: string | undefined, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes ?? '')?.[1];
  return value === undefined ? undefined : unescaped(value);
}

/** The rows of the list of orders, by the heads of its columns in lower case. */
export function rowsOf(html: string): Record<string, string>[] {
  const table = /<table class="table orders".*?<\/table>/s.exec(html)?.[0] ?? '';
  const [head = '', ...rows] = table.match(/<tr\b.*?<\/tr>/gs) ?? [];
  const names = cellsOf(head).map((cell) => textOf(cell).toLowerCase());
  return rows.map((row) => {
    const cells = cellsOf(row);
    const entries = names.map((name, n) => [name, textOf(cells[n]!)] as const);
    const order = cells[names.indexOf('order')]!;
    const txid = textOf(/<span class="txid">.*?<\/span>/s.exec(order)![0]);
    const id = textOf(/<a\b.*?<\/a>/s.exec(order)![0]);
    return { ...Object.fromEntries(entries), order: id, txid };
  });
}

const cellsOf = (row: string): string[] => row.match(/<t([hd])\b.*?<\/t\1>/gs) ?? [];
