import type { Rush } from '../load/rush.js';
import type { Side } from '../sides/side.js';
import { CpuTimes } from './processes.js';

/** What one rush showed. */
export interface Reading {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time for each request, in microseconds: of the side's process. */
  readonly nodeUs: number;
  /** Of all processes of the server; NaN where there is none, or it is on another machine. */
  readonly postgresUs: number;
  /** Bytes of write-ahead log for each request; NaN without a server. */
  readonly walBytes: number;
  /** The part of a processor that the asking took. */
  readonly generatorShare: number;
}

const SERVER = `SELECT array_agg(pid) AS pids, pg_current_wal_lsn() - '0/0' AS wal FROM pg_stat_activity`;

interface Server {
  readonly pids: readonly number[];
  readonly wal: number;
}

/** What a side has used so far, beside what it answers. */
export class Meter {
  private constructor(
    private readonly side: Side,
    private readonly node: CpuTimes,
    private readonly server: CpuTimes,
    private readonly wal: number,
  ) {}

  static async start(side: Side): Promise<Meter> {
    const { pids, wal } = await serverOf(side);
    return new Meter(side, new CpuTimes([side.pid]), new CpuTimes(pids, POSTGRES), wal);
  }

  async read({ requests, seconds, p50Ms, p99Ms, cpuMs }: Rush): Promise<Reading> {
    const node = new CpuTimes([this.side.pid]);
    const { pids, wal } = await serverOf(this.side);
    return {
      perSecond: requests / seconds,
      p50Ms,
      p99Ms,
      nodeUs: (1_000 * node.since(this.node)) / requests,
      postgresUs: (1_000 * new CpuTimes(pids, POSTGRES).since(this.server)) / requests,
      walBytes: (wal - this.wal) / requests,
      generatorShare: cpuMs / 1_000 / seconds,
    };
  }
}

const POSTGRES = /^postgres$/;

async function serverOf({ database }: Side): Promise<Server> {
  if (database.isAlone) return { pids: [], wal: NaN };
  const [row] = await database.use((query) => query<{ pids: number[]; wal: string }>(SERVER));
  return { pids: row!.pids, wal: Number(row!.wal) };
}
