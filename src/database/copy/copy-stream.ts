import { Readable } from 'node:stream';

/** Buffer size in bytes. */
const HIGH_WATER_MARK = 65_536;

/** Streams the database's output with backpressure, and closes when the reader stalls. */
export class CopyStream extends Readable {
  private stalled: NodeJS.Timeout | undefined;

  /**
   * @param stalledMs maximum time without a read, in milliseconds
   * @param connection called with `end` after the last row, with `close` otherwise
   */
  constructor(
    private readonly source: Readable,
    private readonly stalledMs: number,
    private readonly connection: { end(): void; close(): void },
  ) {
    super({ highWaterMark: HIGH_WATER_MARK });
    source.on('error', (error: Error) => this.destroy(error));
    // Errors before the first read must not be uncaught.
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

  /** All rows are buffered: the connection is released before the reader finishes. */
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
