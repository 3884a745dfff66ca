import os from 'node:os';
import type { Result } from './contest.js';
import { figure, type Table } from './figures/table.js';
import type { Download } from './downloads.js';

/** What the figures hold for. */
export interface Circumstances {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** Of the machine, the minute before: much of it means that others were at work. */
  readonly load: number;
  readonly node: string;
  readonly commit: string;
  /** How it was asked for. */
  readonly command: string;
}

export interface Chapter {
  /** `PostgreSQL 17.2, 5,000,000 orders there`. */
  readonly title: string;
  readonly measured: string;
  readonly yardstick: string;
  readonly results: readonly Result[];
  /** Works that had to be given up: somebody answered otherwise than he should. */
  readonly failed: readonly string[];
}

export interface Report {
  readonly circumstances: Circumstances;
  readonly chapters: readonly Chapter[];
  readonly downloads: readonly Download[];
}

export function circumstances(commit: string, command: string): Circumstances {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: os.cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    load: Math.round(os.loadavg()[0]! * 10) / 10,
    node: process.version,
    commit,
    command,
  };
}

/** The loads of a machine that has nothing else to do stay below this. */
const IDLE_LOAD = 0.5;

/** A sentence for whoever reads the figures elsewhere. */
export function whereAndWhen(where: Circumstances): string {
  const { date, processor, cores, memoryGb, load, node, commit } = where;
  const machine = `${processor}, ${cores} cores, ${memoryGb} GB, Node.js ${node}, commit ${commit}`;
  const noise = `**The machine was busy with other things (load ${load}): a first sketch, not to be relied on.**`;
  return `Measured on ${date}: ${machine}.${load > IDLE_LOAD ? ` ${noise}` : ''}`;
}

/** How fast: the yardstick's figures beside those of the measured side. */
export const speedTable = ({ measured, yardstick, results }: Chapter): Table => ({
  head: [
    'work',
    'conns',
    `${measured} req/s`,
    `${yardstick} req/s`,
    'ratio',
    'least–most',
    'p50 ms',
    'p99 ms',
    `${yardstick} p50`,
    'p99',
  ],
  rows: results.map(({ work, connections, measured: own, yardstick: other, ratio }) => [
    work,
    String(connections),
    figure(own.perSecond),
    figure(other.perSecond),
    ratio.median.toFixed(2),
    `${ratio.least.toFixed(2)}–${ratio.most.toFixed(2)}`,
    figure(own.p50Ms),
    figure(own.p99Ms),
    figure(other.p50Ms),
    figure(other.p99Ms),
  ]),
});

/** At what cost. */
export const costTable = ({ yardstick, results }: Chapter): Table => ({
  head: [
    'work',
    'conns',
    'Node µs',
    yardstick,
    'PG µs',
    yardstick,
    'WAL bytes',
    yardstick,
    'asking CPU %',
  ],
  rows: results.map(({ work, connections, measured: own, yardstick: other }) => [
    work,
    String(connections),
    figure(own.nodeUs),
    figure(other.nodeUs),
    figure(own.postgresUs),
    figure(other.postgresUs),
    figure(own.walBytes),
    figure(other.walBytes),
    (100 * Math.max(own.generatorShare, other.generatorShare)).toFixed(0),
  ]),
});

export const downloadTable = (downloads: readonly Download[]): Table => ({
  head: ['file', 'orders', 'first byte ms', 'memory MB', 'file s', 'psql s', 'file ÷ psql'],
  rows: downloads.map((one) => [
    one.preset,
    one.orders.toLocaleString('en'),
    figure(one.firstByteMs),
    figure(one.growthBytes / 2 ** 20),
    figure(one.ms / 1_000),
    figure(one.psqlMs / 1_000),
    (one.ms / one.psqlMs).toFixed(2),
  ]),
});
