import { markdown } from './figures/table.js';
import {
  type Chapter,
  costTable,
  downloadTable,
  type Report,
  speedTable,
  whereAndWhen,
} from './report.js';

const READING = `The twin (\`bench/twins\`) is Fastify and \`pg\` by hand: the same requests, one named prepared statement
each, the same rows in one commit, an index for each thing that is asked for here, and nothing else: no rules for
what is wrong, rare or late, none of the lists, filters and reports that other indexes of the service are for.
Ratio 1 means: as fast as that.

Service and twin run on the same server with PostgreSQL's own settings, in turns; one process each, of one thread, with ten
connections to the database. A third process asks: each connection sends a request, waits for its answer and sends
the next. Each figure is the median of the rounds, each ratio that of neighbouring rounds, with the least and the
most beside it. All answers are checked; one with another status than the work's ends the bench.

- _conns_: connections that ask at the same time.
- _p50_, _p99_: what half and 99 of a hundred requests took at most.
- _Node_, _PG_: processor time for each request, of the process and of all processes of the server.
- _WAL_: bytes that PostgreSQL writes ahead for each request. After a checkpoint whole pages are among them.
- _asking CPU_: how much of a processor the asking took. From about 90 % on the asking is what was measured.
- _paid by callback_ ends when the last order is paid, not when its callback was answered.
- _file_: a download as the portal streams it, against \`psql\`'s COPY of the same query to nowhere.`;

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
