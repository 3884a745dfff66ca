import { parseArgs } from 'node:util';
import type { Pace } from './contest.js';
import type { Wanted } from './sides/supplies.js';
import { WORKS } from './works/works.js';
import type { Work } from './works/work.js';

/** What is measured on one kind of database. */
export interface Course {
  readonly database: 'postgres' | 'embedded';
  readonly works: readonly Work[];
  readonly connections: readonly number[];
  readonly pace: Pace;
  readonly wanted: Wanted;
}

export interface Options {
  readonly courses: readonly Course[];
  /** Whether creations among many orders are held against creations among none, instead of the rest. */
  readonly grow: boolean;
  /** Orders of which files are made; 0 for none. */
  readonly downloadRows: number;
  readonly jsonFile: string | undefined;
  /** Whether docs/speed.md and the README's table are written. */
  readonly write: boolean;
}

export const HELP = `npm run bench -- [options]
  --quick                the main works, little data, about 3 minutes
  --grow                 creations with many orders there (BENCH_ROWS, 1,000,000) against none
  --on postgres,embedded where; both when left out
  --works WORK,…         some of: ${WORKS.map(({ name }) => name.replaceAll(', ', ' ')).join(', ')}
  --connections 16,64    how many ask at the same time
  --rounds N --seconds S of each work on each side
  --json FILE            all figures, for programs
  --write                docs/speed.md, and the table of the README
The environment: BENCH_ROWS, orders that are there from the start; DATABASE_URL, a PostgreSQL server
other than the bench's own.`;

/** Answers in a second that the supplies are made for; a rush that has used them up ends earlier. */
const SUPPLY_PER_SECOND = { postgres: 4_000, embedded: 1_500 };

const PRESETS = {
  full: {
    rows: 5_000_000,
    connections: [1, 16, 64, 256],
    rounds: 5,
    seconds: 3,
    download: 1_000_000,
  },
  quick: { rows: 20_000, connections: [16, 64], rounds: 3, seconds: 0.6, download: 0 },
  grow: { rows: 1_000_000, connections: [16, 64], rounds: 7, seconds: 3, download: 0 },
} as const;

const WARM_UP_SECONDS = 0.6;
/** The embedded database is for a first look: fewer orders, and one number of connections. */
const EMBEDDED = { rowsMax: 20_000, connections: [16] };

/** @throws Error that says what is wrong */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      grow: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      on: { type: 'string', default: 'postgres,embedded' },
      works: { type: 'string' },
      connections: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const { quick, grow } = values;
  const preset = PRESETS[grow ? 'grow' : quick ? 'quick' : 'full'];
  const rows = numberOf('BENCH_ROWS', env['BENCH_ROWS']) ?? preset.rows;
  const pace = {
    rounds: numberOf('--rounds', values.rounds) ?? preset.rounds,
    seconds: numberOf('--seconds', values.seconds) ?? preset.seconds,
  };
  const connections = values.connections
    ?.split(',')
    .map((text) => numberOf('--connections', text)!);
  const course = (database: Course['database']): Course => {
    const isEmbedded = database === 'embedded';
    const numbers = connections ?? (isEmbedded ? EMBEDDED.connections : preset.connections);
    const warmUpSeconds = Math.min(WARM_UP_SECONDS, pace.seconds);
    const seconds = pace.rounds * pace.seconds * numbers.length + warmUpSeconds;
    return {
      database,
      works: worksOf(values.works, quick, grow),
      connections: numbers,
      pace: { ...pace, warmUpSeconds },
      wanted: {
        rows: isEmbedded ? Math.min(rows, EMBEDDED.rowsMax) : rows,
        each: Math.ceil(seconds * SUPPLY_PER_SECOND[database]),
      },
    };
  };
  const databases = grow ? ['postgres'] : values.on.split(',');
  return {
    courses: databases.map((name) => course(databaseOf(name))),
    grow,
    downloadRows: values.works === undefined ? Math.min(rows, preset.download) : 0,
    jsonFile: values.json,
    write: values.write,
  };
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const number = Number(text.replaceAll('_', ''));
  if (!(number > 0)) throw new Error(`${name} must be a number above 0, not ${text}`);
  return number;
}

function databaseOf(name: string): Course['database'] {
  if (name === 'postgres' || name === 'embedded') return name;
  throw new Error(`--on takes postgres and embedded, not ${name}`);
}

/** Without the commas that separate them. */
const typed = (name: string): string => name.replaceAll(',', '').replaceAll('’', "'");

function worksOf(text: string | undefined, quick: boolean, grow: boolean): readonly Work[] {
  if (grow) return WORKS.filter(({ name }) => name === 'create with a key');
  if (text === undefined) return quick ? WORKS.filter(({ isMain }) => isMain) : WORKS;
  return text.split(',').map((name) => {
    const work = WORKS.find((known) => typed(known.name) === typed(name.trim()));
    if (!work) throw new Error(`there is no work ${name}; see --help`);
    return work;
  });
}
