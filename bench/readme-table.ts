import { figure, markdown, type Table } from './figures/table.js';
import type { Chapter } from './report.js';

const BEGIN = '<!-- Written by npm run bench -- --write -->';
const END = '<!-- End of what was written -->';

const SHOWN = [
  'create with a key',
  'status by txid',
  'read',
  'paid by callback',
  'payment page',
  'history, first page',
  'history, deepest page',
];
/** Connections at the same time, or the nearest number that was measured. */
const CONNECTIONS = 16;

/** The few figures that the README has, each with the command that prints it. */
export function readmeTable({ results }: Chapter): Table {
  const rows = SHOWN.flatMap((name) => {
    const [nearest] = results
      .filter(({ work }) => work === name)
      .toSorted((a, b) => distance(a.connections) - distance(b.connections));
    return nearest ? [nearest] : [];
  });
  return {
    head: ['Work', 'requests/s', 'p99, ms', '÷ by hand', 'printed by'],
    rows: rows.map(({ work, connections, measured, ratio }) => [
      work,
      figure(measured.perSecond),
      figure(measured.p99Ms),
      ratio.median.toFixed(2),
      `\`npm run bench -- --on postgres --connections ${connections} --works "${work.replace(',', '')}"\``,
    ]),
  };
}

const distance = (connections: number): number => Math.abs(connections - CONNECTIONS);

/** The page with other figures between its two marks. @throws Error where they are not */
export function withTable(page: string, caption: string, table: Table): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('the page has no place for the figures');
  return `${page.slice(0, begin + BEGIN.length)}\n\n${caption}\n\n${markdown(table)}\n\n${page.slice(end)}`;
}
