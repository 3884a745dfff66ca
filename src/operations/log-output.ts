import { write, writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;
/** Characters that wait while the destination takes nothing: some thousand lines. */
const WAITING_MAX = 1_000_000;
/** Milliseconds until it is asked again. */
const PAUSE_MS = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Standard output, as a log needs it: a disk that is full and a reader that stands still cost lines,
 * which are counted, and never hold up or end the process.
 */
export class LogOutput {
  /** Lines that were not written since the process began. */
  static lost = 0;
  private waiting = '';
  /** What is left of the lines that were tried last. */
  private left: Buffer = NOTHING;
  private isBusy = false;

  constructor() {
    // The runtime's own stream of it lets a pipe say that it is full, instead of holding up whoever writes.
    void process.stdout;
    process.once('exit', () => this.finish());
  }

  write(line: string): void {
    if (this.waiting.length + line.length > WAITING_MAX) return void LogOutput.lost++;
    this.waiting += line;
    if (this.isBusy) return;
    this.isBusy = true;
    // All lines of this turn in one go; those of a last turn are written at the exit.
    setImmediate(() => this.send());
  }

  private send(): void {
    const lines = this.take();
    this.isBusy = lines.length > 0;
    if (!this.isBusy) return;
    write(STANDARD_OUTPUT, lines, (error, written) => {
      this.left = lines.subarray(written ?? 0);
      if (error) setTimeout(() => this.send(), PAUSE_MS).unref();
      else this.send();
    });
  }

  /** The process ends: now or never. */
  private finish(): void {
    try {
      for (let lines = this.take(); lines.length > 0; lines = this.take()) {
        this.left = lines.subarray(writeSync(STANDARD_OUTPUT, lines));
      }
    } catch {
      // Nobody takes it.
    }
  }

  private take(): Buffer {
    const lines = this.left.length > 0 ? this.left : Buffer.from(this.waiting);
    if (this.left.length === 0) this.waiting = '';
    this.left = NOTHING;
    return lines;
  }
}
