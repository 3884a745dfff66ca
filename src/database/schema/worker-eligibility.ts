import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Durability } from '../connection/durability.js';
import { ServerTime } from '../connection/server-time.js';
import { Database } from '../database.js';
import { FENCE, SCHEMA_READS } from './schema-version-guard.js';

const CHECK_MS = 60_000;
/** Maximum clock offset from the database: a process with a larger one would expire, purge and disable too early. */
export const OFFSET_MAX_MS = 60_000;

/**
 * Checks whether this process may work: with a program too old for the schema it serves nothing, and with a wrong clock
 * it runs no background work. It also reports settings with which the database can lose confirmed commits.
 */
@Injectable()
export class WorkerEligibility implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('worker-eligibility');
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

  /** Whether the schema belongs to a newer version of the program. */
  get isTooOld(): boolean {
    return this.tooOld;
  }

  /** Clock offset of this process from the database at the last check, in milliseconds; positive = ahead. */
  get clockOffsetMs(): number {
    return this.offsetMs;
  }

  get isClockWrong(): boolean {
    return Math.abs(this.offsetMs) > OFFSET_MAX_MS;
  }

  /** Database settings, at the last check, with which confirmed commits can be lost. */
  get unsafeSettings(): readonly string[] {
    return this.unsafe;
  }

  /** Whether background work may start. */
  get mayWork(): boolean {
    return !this.tooOld && !this.isClockWrong && !this.rests;
  }

  /** Stops starting background work before shutdown. */
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

  /** Checks now; keeps the previous result while the database is unavailable. */
  check(): Promise<void> {
    this.checking ??= this.compare()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'eligibility check failed'))
      .finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async compare(): Promise<void> {
    const [fence] = await this.database.query<{ reads: number }>(FENCE, []);
    if (fence!.reads > SCHEMA_READS && !this.tooOld) {
      this.tooOld = true;
      this.logger.error('the schema belongs to a newer version: replace this process');
    }
    await this.compareClocks();
    await this.checkSettings();
  }

  private async compareClocks(): Promise<void> {
    const wasWrong = this.isClockWrong;
    this.offsetMs = await this.measure();
    const offset = { offsetSeconds: this.offsetMs / 1_000 };
    if (this.isClockWrong && !wasWrong)
      this.logger.error(offset, 'wrong clock: background work is paused');
    if (!this.isClockWrong && wasWrong)
      this.logger.log(offset, 'clock is correct again: background work resumes');
  }

  private async checkSettings(): Promise<void> {
    const before = this.unsafe.join();
    this.unsafe = await this.database.entities((manager) =>
      this.durability.unsafeSettings(manager),
    );
    const settings = this.unsafe.join(', ');
    if (this.unsafe.join() === before) return;
    if (settings)
      this.logger.warn({ settings }, 'unsafe settings: a power failure can lose confirmed commits');
    else this.logger.log('settings are safe again: confirmed commits survive a power failure');
  }

  /** Measures the offset at the midpoint of the round trip. */
  private async measure(): Promise<number> {
    const before = this.clock.now().getTime();
    const there = (await this.serverTime.now()).getTime();
    return Math.round((before + this.clock.now().getTime()) / 2 - there);
  }
}
