import { markdown } from './figures/table.js';
import {
  type Chapter,
  costTable,
  downloadTable,
  type Report,
  speedTable,
  whereAndWhen,
} from './report.js';

const READING = `The **twin** (\`bench/twins\`) is the yardstick: Fastify and \`pg\`, written by hand. It answers the same requests with one named prepared
statement each, commits the same rows in one transaction, and has an index for each query measured here. It has nothing else: no
validation, no handling of rare or late cases, no lists, filters and reports, which the service's other indexes are for. A ratio of 1
means that the service is as fast as the twin.

Service and twin take turns on the same server with PostgreSQL's default settings. Each is one single-threaded process with ten database
connections. A third process generates the load: each connection sends a request, waits for the answer and sends the next. Figures are
medians of the rounds. Ratios are medians of the ratios of adjacent rounds, with the lowest and the highest. All answers are checked: an
unexpected status ends the bench.

- _conns_: concurrent connections of the load generator.
- _p50_, _p99_: 50th and 99th percentile of the response time.
- _Node_, _PG_: processor time per request, of the process and of all server processes.
- _WAL_: bytes of write-ahead log per request. After a checkpoint they include full pages.
- _asking CPU_: processor use of the load generator. From about 90 % on, it is the limit that was measured.
- _paid by callback_ ends when the last order is paid, not when its callback is answered.
- _file_: a download as the portal streams it, compared with \`psql\`'s COPY of the same query to nowhere.`;

const failures = ({ failed }: Chapter): string =>
  failed.length === 0
    ? ''
    : `\n\nNot measured, because an answer was wrong:\n\n- ${failed.join('\n- ')}`;

/** docs/speed.md: what was measured, where and how. */
export function speedPage({ circumstances, chapters, downloads }: Report): string {
  const { command } = circumstances;
  const sections = chapters.map(
    (chapter) =>
      `## ${chapter.title}\n\n\`${command}\`\n\n${markdown(speedTable(chapter))}\n\n${markdown(costTable(chapter))}${failures(chapter)}`,
  );
  const files =
    downloads.length > 0
      ? [
          `## Files\n\n\`${command}\`, alone \`npm run bench:download\`\n\n${markdown(downloadTable(downloads))}`,
        ]
      : [];
  const parts = [
    '# Speed',
    `Written by \`${command}\`. ${whereAndWhen(circumstances)}`,
    READING,
    ...sections,
    ...files,
  ];
  return `${parts.join('\n\n')}\n`;
}
