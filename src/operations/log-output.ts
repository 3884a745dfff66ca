import { writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;
/** Maximum buffered characters while the destination is blocked: some thousand lines. */
const WAITING_MAX = 1_000_000;
/** Milliseconds until the next try. */
const PAUSE_MS = 10;

/**
 * Standard output for logs. A full disk or a stalled reader only loses lines, which are counted; it never blocks or
 * ends the process, except for a terminal that is paused manually.
 */
export class LogOutput {
  /** Lost lines since the start of the process. */
  static lost = 0;
  private waiting = '';
  /** Unwritten rest of the last batch. */
  private left = Buffer.alloc(0);
  private isBusy = false;

  constructor() {
    // Initialising the runtime's own stream makes pipes non-blocking.
    void process.stdout;
    process.once('exit', () => this.send());
  }

  write(line: string): void {
    if (this.waiting.length + line.length > WAITING_MAX) return void LogOutput.lost++;
    this.waiting += line;
    if (this.isBusy) return;
    this.isBusy = true;
    // Writes all lines of this turn at once; those of the last turn at exit.
    setImmediate(() => this.send());
  }

  /** Synchronous, since handing over to a thread takes longer than the write. */
  private send(): void {
    try {
      while (this.hasLines()) this.left = this.left.subarray(writeSync(STANDARD_OUTPUT, this.left));
      this.isBusy = false;
    } catch {
      setTimeout(() => this.send(), PAUSE_MS).unref();
    }
  }

  private hasLines(): boolean {
    if (this.left.length === 0) [this.left, this.waiting] = [Buffer.from(this.waiting), ''];
    return this.left.length > 0;
  }
}
