/**
 * `npm run bench`: the service against its twin (`bench/twins`), the same work by hand with Fastify and
 * `pg` alone. Both take turns on the same server, asked by a process of its own. With `--help` it says
 * what can be chosen. Ends with 1 when an answer was wrong.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeFolder, temporaryFolder } from '../test/support/program.js';
import { contest, type Result, type Rivals, warmUp } from './contest.js';
import { type Download, measureDownloads } from './downloads.js';
import { plain } from './figures/table.js';
import { Load } from './load/load.js';
import { type Course, HELP, type Options, readOptions } from './options.js';
import { readmeTable, withTable } from './readme-table.js';
import {
  type Chapter,
  circumstances,
  costTable,
  downloadTable,
  type Report,
  speedTable,
  whereAndWhen,
} from './report.js';
import { serverUrl } from './server.js';
import { embeddedDatabase, postgresDatabase, type SideDatabase } from './sides/database.js';
import type { Kind } from './sides/kind.js';
import { SERVICE } from './sides/service.js';
import { Side } from './sides/side.js';
import { furnish, type Wanted } from './sides/supplies.js';
import { TWIN } from './sides/twin.js';
import { speedPage } from './speed-page.js';
import type { Furnished } from './works/work.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What the bench does meanwhile: standard output is for figures. */
const say = (words: string): void => console.error(`  ${words}`);

class Bench {
  private server = '';
  private readonly load: Load;

  constructor(
    private readonly stack: AsyncDisposableStack,
    private readonly options: Options,
  ) {
    this.load = Load.start(stack);
  }

  async run(): Promise<Omit<Report, 'circumstances'>> {
    const { courses, grow, downloadRows } = this.options;
    const onServer = courses.some(({ database }) => database === 'postgres');
    // Before what runs on it, so that it ends after that.
    if (onServer) this.server = await serverUrl(this.stack);
    const chapters: Chapter[] = [];
    for (const course of courses) {
      // One course's processes and data are gone before the next begins.
      await using stack = this.stack.use(new AsyncDisposableStack());
      chapters.push(grow ? await this.growth(stack, course) : await this.twins(stack, course));
    }
    const downloads = downloadRows > 0 && onServer ? await this.downloads(downloadRows) : [];
    return { chapters, downloads };
  }

  private async twins(stack: AsyncDisposableStack, course: Course): Promise<Chapter> {
    const { wanted } = course;
    const measured = await this.furnished(stack, course, SERVICE, wanted);
    const yardstick = await this.furnished(stack, course, TWIN, wanted);
    const names = { measured: 'service', yardstick: 'twin' };
    return this.chapter(course, `${number(wanted.rows)} orders there`, names, {
      measured,
      yardstick,
    });
  }

  /** The service with many orders against the service with none. */
  private async growth(stack: AsyncDisposableStack, course: Course): Promise<Chapter> {
    const measured = await this.furnished(stack, course, SERVICE, course.wanted);
    const yardstick = await this.furnished(stack, course, SERVICE, { rows: 0, each: 1 });
    const names = { measured: number(course.wanted.rows), yardstick: 'none' };
    return this.chapter(course, 'many orders there against none', names, { measured, yardstick });
  }

  private async chapter(
    { works, connections, pace }: Course,
    title: string,
    names: { readonly measured: string; readonly yardstick: string },
    rivals: Rivals,
  ): Promise<Chapter> {
    const { database } = rivals.measured.side;
    const results: Result[] = [];
    const failed: string[] = [];
    const attempt = (step: () => Promise<void>): Promise<void> =>
      step().catch((error: Error) => {
        failed.push(error.message);
        say(`FAILED: ${error.message}`);
      });
    for (const work of works) {
      await attempt(() => warmUp(this.load, rivals, work, pace, connections[0]!));
      for (const many of connections) {
        await attempt(async () => {
          const result = await contest(this.load, rivals, work, pace, many);
          results.push(result);
          const ratio = `${result.ratio.median.toFixed(2)} × ${names.yardstick}`;
          say(`${work.name}, ${many} at once: ${ratio}`);
        });
      }
    }
    return { title: `${await versionOf(database)}, ${title}`, ...names, results, failed };
  }

  private async furnished(
    stack: AsyncDisposableStack,
    { database }: Course,
    kind: Kind,
    wanted: Wanted,
  ): Promise<Furnished> {
    say(`${kind.name} on ${database}: ${number(wanted.rows)} orders`);
    const side = await Side.start(stack, kind, await this.databaseFor(stack, database));
    return { side, supplies: await furnish(side, wanted) };
  }

  private async databaseFor(
    stack: AsyncDisposableStack,
    kind: Course['database'],
  ): Promise<SideDatabase> {
    if (kind === 'embedded') return embeddedDatabase(stack.adopt(temporaryFolder(), removeFolder));
    return postgresDatabase(stack, this.server);
  }

  private async downloads(orders: number): Promise<Download[]> {
    if (spawnSync('psql', ['--version']).status !== 0) {
      say('psql is not there: no downloads');
      return [];
    }
    say(`files of ${number(orders)} orders`);
    await using stack = this.stack.use(new AsyncDisposableStack());
    return await measureDownloads(stack, this.server, orders);
  }
}

const number = (value: number): string => value.toLocaleString('en');

async function versionOf(database: SideDatabase): Promise<string> {
  if (database.isAlone) return 'embedded database';
  const [row] = await database.use((query) =>
    query<{ server_version: string }>('SHOW server_version'),
  );
  return `${database.kind} ${row!.server_version.split(' ')[0]}`;
}

const commit = (): string => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  try {
    return git('rev-parse', '--short', 'HEAD').trim();
  } catch {
    return 'unknown';
  }
};

function writePages(report: Report): void {
  writeFileSync(path.join(ROOT, 'docs/speed.md'), speedPage(report));
  const chapter = report.chapters.find(({ title }) => title.startsWith('PostgreSQL'));
  if (!chapter) return;
  const readme = path.join(ROOT, 'README.md');
  const page = readFileSync(readme, 'utf8');
  writeFileSync(readme, withTable(page, whereAndWhen(report.circumstances), readmeTable(chapter)));
}

/** Whoever is impatient finds no servers left behind. */
const interruption = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error('interrupted')));
  });

/** @returns whether every answer was as it should be */
async function main(args: readonly string[]): Promise<boolean> {
  const options = readOptions(args, process.env);
  const asked = circumstances(
    commit(),
    ['npm run bench', ...(args.length ? ['--', ...args] : [])].join(' '),
  );
  await using stack = new AsyncDisposableStack();
  const run = new Bench(stack, options).run();
  const report = { circumstances: asked, ...(await Promise.race([run, interruption()])) };
  for (const chapter of report.chapters)
    console.log(
      `\n${chapter.title}\n\n${plain(speedTable(chapter))}\n\n${plain(costTable(chapter))}`,
    );
  if (report.downloads.length > 0) console.log(`\n${plain(downloadTable(report.downloads))}`);
  if (options.jsonFile) writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (options.write) writePages(report);
  const failed = report.chapters.flatMap((chapter) => chapter.failed);
  for (const words of failed) console.error(`\nFAILED: ${words}`);
  return failed.length === 0;
}

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(HELP);
else
  // The exit code is the result. After a failure, open sockets would keep the process alive.
  await main(args).then(
    (isRight) => process.exit(isRight ? 0 : 1),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    },
  );
