import { writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;
/** Characters that wait while the destination takes nothing: some thousand lines. */
const WAITING_MAX = 1_000_000;
/** Milliseconds until it is asked again. */
const PAUSE_MS = 10;

/**
 * Standard output, as a log needs it: a disk that is full and a reader that stands still cost lines,
 * which are counted, and never hold up or end the process. Only a terminal that is stopped by hand holds it up.
 */
export class LogOutput {
  /** Lines that were not written since the process began. */
  static lost = 0;
  private waiting = '';
  /** What is left of the lines that were tried last. */
  private left = Buffer.alloc(0);
  private isBusy = false;

  constructor() {
    // The runtime's own stream of it lets a pipe say that it is full, instead of holding up whoever writes.
    void process.stdout;
    process.once('exit', () => this.send());
  }

  write(line: string): void {
    if (this.waiting.length + line.length > WAITING_MAX) return void LogOutput.lost++;
    this.waiting += line;
    if (this.isBusy) return;
    this.isBusy = true;
    // All lines of this turn in one go; those of a last turn are written at the exit.
    setImmediate(() => this.send());
  }

  /** At once, not in another thread, to which handing it over would take longer than the write. */
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
