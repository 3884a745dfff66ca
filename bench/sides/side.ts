import { freePort } from '../../test/support/app.js';
import { Program, removeFolder, temporaryFolder } from '../../test/support/program.js';
import type { Query, SideDatabase } from './database.js';
import type { Kind, Shops } from './kind.js';

/** What V8 and glibc are told for the service, for the twin too. */
const RUNTIME = {
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '32768',
};

/** The service or its twin: a process that answers, and its database. */
export class Side {
  shops: Shops;
  private program: Program;

  private constructor(
    readonly kind: Kind,
    readonly database: SideDatabase,
    readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(
    stack: AsyncDisposableStack,
    kind: Kind,
    database: SideDatabase,
  ): Promise<Side> {
    const folder = stack.adopt(temporaryFolder(), removeFolder);
    const side = new Side(kind, database, await freePort(), folder);
    await kind.prepare(database);
    await side.run();
    stack.defer(() => side.stop());
    side.shops = kind.shops(folder);
    return side;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.program.child.pid!;
  }

  /** The cookie of a session that has just begun: an older one may have ended while orders were made. */
  signIn(): Promise<string> {
    return this.kind.signIn(this.url, this.folder);
  }

  /** Looks at the database and writes into it, beside the process or in its absence. */
  async withDatabase<T>(run: (query: Query) => Promise<T>): Promise<T> {
    if (!this.database.isAlone) return this.database.use(run);
    await this.stop();
    const result = await this.database.use(run);
    await this.run();
    return result;
  }

  private async run(): Promise<void> {
    const { kind, database, folder, port, url } = this;
    const env = { ...RUNTIME, ...kind.env(database, folder, url), PORT: String(port) };
    this.program = new Program(kind.program, [], env, folder);
    await this.program.untilReady(url);
  }

  private async stop(): Promise<void> {
    const { program, kind } = this;
    const endedByItself = program.child.exitCode !== null;
    const { out, err } = await program.kill('SIGTERM');
    if (endedByItself) console.error(`the ${kind.name} has ended by itself\n${out}${err}`);
  }
}
