import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Durability } from '../connection/durability.js';
import { ServerTime } from '../connection/server-time.js';
import { Database } from '../database.js';
import { FENCE, SCHEMA_READS } from './schema-fence.js';

const CHECK_MS = 60_000;
/** A clock that is further from the database's ends, purges and disables what is not due. */
export const OFFSET_MAX_MS = 60_000;

/**
 * Whether this process may work: whether its program is new enough for the tables, without which it
 * serves nothing, and whether its clock is right, without which its background work rests. It tells
 * as well when the database may forget what it has confirmed.
 */
@Injectable()
export class Fitness implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('fitness');
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;
  private tooOld = false;
  private rests = false;
  private offsetMs = 0;
  private unsafe: readonly string[] = [];

  constructor(
    private readonly database: Database,
    private readonly serverTime: ServerTime,
    private readonly durability: Durability,
    private readonly clock: Clock,
  ) {}

  /** True from when the tables belong to a newer version of the program. */
  get isTooOld(): boolean {
    return this.tooOld;
  }

  /** How far this process is ahead of the database, at the last look. */
  get clockOffsetMs(): number {
    return this.offsetMs;
  }

  get isClockWrong(): boolean {
    return Math.abs(this.offsetMs) > OFFSET_MAX_MS;
  }

  /** Settings of the database that let it lose what it has confirmed, at the last look. */
  get unsafeSettings(): readonly string[] {
    return this.unsafe;
  }

  /** Whether work in the background may be begun. */
  get mayWork(): boolean {
    return !this.tooOld && !this.isClockWrong && !this.rests;
  }

  /** Nothing more is begun: the process is about to stop. */
  rest(): void {
    this.rests = true;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.check();
    this.database.onSchemaFault = () => void this.check();
    this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Checks now; while the database is away, what was seen before stays. */
  check(): Promise<void> {
    this.checking ??= this.compare()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'not looked at'))
      .finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async compare(): Promise<void> {
    const [fence] = await this.database.query<{ reads: number }>(FENCE, []);
    if (fence!.reads > SCHEMA_READS && !this.tooOld) {
      this.tooOld = true;
      this.logger.error('the tables belong to a newer version: replace this process');
    }
    await this.compareClocks();
    await this.checkSettings();
  }

  private async compareClocks(): Promise<void> {
    const wasWrong = this.isClockWrong;
    this.offsetMs = await this.measure();
    const offset = { offsetSeconds: this.offsetMs / 1_000 };
    if (this.isClockWrong && !wasWrong)
      this.logger.error(offset, 'wrong clock: background work rests');
    if (!this.isClockWrong && wasWrong) this.logger.log(offset, 'the clock is right again');
  }

  private async checkSettings(): Promise<void> {
    const before = this.unsafe.join();
    this.unsafe = await this.database.entities((manager) =>
      this.durability.unsafeSettings(manager),
    );
    const settings = this.unsafe.join(', ');
    if (this.unsafe.join() === before) return;
    if (settings) this.logger.warn({ settings }, 'off: a power loss takes what was confirmed');
    else this.logger.log('the database keeps what it confirms again');
  }

  /** What the question took is nobody's offset. */
  private async measure(): Promise<number> {
    const before = this.clock.now().getTime();
    const there = (await this.serverTime.now()).getTime();
    return Math.round((before + this.clock.now().getTime()) / 2 - there);
  }
}
