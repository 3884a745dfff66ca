import { Duplex } from 'node:stream';
import {
  errorResponse,
  readOpening,
  readTurn,
  readyForQuery,
  refuseEncryption,
  type Turn,
} from './protocol.js';
import { DatabaseBusyError, type Session, type SessionClient } from './session.js';

const LOCK_NOT_AVAILABLE = '55P03';

/** A virtual connection, which the `pg` driver uses like a TCP socket. */
export class WireSocket extends Duplex implements SessionClient {
  private started = false;
  private skipping = false;
  private input: Buffer = Buffer.alloc(0);

  constructor(private readonly session: Session) {
    super();
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  notify(message: Buffer): void {
    this.push(message);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.receive(chunk).then(() => done(), done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.receive(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done);
  }

  override _final(done: (error?: Error) => void): void {
    this.session.leave(this).then(() => {
      this.push(null);
      done();
    }, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.session.leave(this).then(() => done(error), done);
  }

  private async receive(chunk: Buffer): Promise<void> {
    this.input = this.input.length > 0 ? Buffer.concat([this.input, chunk]) : chunk;
    if (!this.started) this.open();
    if (!this.started) return;
    for (let turn = readTurn(this.input); turn; turn = readTurn(this.input)) {
      this.input = this.input.subarray(turn.length);
      await this.answer(turn);
    }
  }

  private open(): void {
    const opening = readOpening(this.input);
    if (!opening) return;
    this.input = this.input.subarray(opening.length);
    if (opening.kind === 'encryption') {
      this.push(refuseEncryption);
      return;
    }
    if (opening.kind === 'unknown') {
      this.end();
      return;
    }
    this.session.join(this);
    this.started = true;
    this.push(this.session.greeting);
  }

  private async answer(turn: Turn): Promise<void> {
    try {
      if (!this.skipping) this.push(await this.session.run(this, turn.messages));
    } catch (error) {
      if (!(error instanceof DatabaseBusyError)) throw error;
      this.skipping = true;
      this.push(errorResponse(LOCK_NOT_AVAILABLE, error.message));
    }
    if (!this.skipping || !turn.endsReady) return;
    // Like PostgreSQL, skips messages after an error until Sync.
    this.skipping = false;
    this.push(readyForQuery);
  }
}
