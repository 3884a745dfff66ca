import { Readable } from 'node:stream';

/** Bytes that wait for the reader. */
const HIGH_WATER_MARK = 65_536;

/** Hands on what the database writes, no faster than it is read, and lets go of who stops reading. */
export class CopyStream extends Readable {
  private stalled: NodeJS.Timeout | undefined;

  /**
   * @param stalledMs how long the reader may stand still, in milliseconds
   * @param connection behind the source: `end` when everything is read, `close` when it is not
   */
  constructor(
    private readonly source: Readable,
    private readonly stalledMs: number,
    private readonly connection: { end(): void; close(): void },
  ) {
    super({ highWaterMark: HIGH_WATER_MARK });
    source.on('error', (error: Error) => this.destroy(error));
    // A file that nobody has begun to read may break too.
    this.on('error', () => undefined);
    source.once('end', () => this.finish());
  }

  override _read(): void {
    clearTimeout(this.stalled);
    if (this.source.listenerCount('data') === 0) this.source.on('data', this.passOn);
    this.source.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.stalled);
    this.source.off('data', this.passOn).destroy();
    this.connection.close();
    done(error);
  }

  /** Everything is here: the connection need not wait for the reader. */
  private finish(): void {
    this.push(null);
    this.connection.end();
  }

  private readonly passOn = (chunk: Buffer): void => {
    if (this.push(chunk)) return;
    this.source.pause();
    this.stalled = setTimeout(
      () => this.destroy(new Error('the reader stopped reading')),
      this.stalledMs,
    );
  };
}
