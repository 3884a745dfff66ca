import {
  closeStatement,
  COMPLETE_BYTES,
  HEADER_BYTES,
  isClosed,
  isParsed,
  readUnnamed,
  type UnnamedStatement,
  withParsed,
} from './protocol.js';

/** A statement that is asked so often is kept: what is asked once costs no memory. */
const ASKED_MIN = 3;
/** Statements that are known; the one that nobody has asked for longest makes room. */
const KNOWN_MAX = 400;
/** Bytes of a text; a longer one was put together for one purpose. */
const TEXT_MAX = 32_768;
/** A plan is made anew after so many milliseconds: nothing tells the database that its tables have grown. */
const KEPT_MS = 10_000;
/** What changes tables, or throws statements away. */
const MAKES_STALE = /\b(?:CREATE|ALTER|DROP|DISCARD|DEALLOCATE)\s/i;
/** Nobody else takes such names: where all connections share one session, the service gives none. */
const NAME = 'kept_';

interface Known {
  asked: number;
  /** Under which PostgreSQL has it, and since when. */
  kept?: { readonly name: string; readonly since: number } | undefined;
}

/** What PostgreSQL is sent in the place of a turn, and what the client hears of the answer. */
export interface Shortened {
  readonly messages: Buffer;
  readonly heard: (answer: Buffer) => Buffer;
}

/**
 * Statements that PostgreSQL has parsed, and soon planned: more than half of what a short one costs.
 * All connections share the one session, so what one of them has brought serves the others. The driver
 * need not know: it goes on sending each statement whole and without a name.
 */
export class KeptStatements {
  private readonly known = new Map<string, Known>();
  private dropped: Buffer[] = [];
  private made = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  shorten(messages: Buffer): Shortened {
    const statement = readUnnamed(messages);
    const sql = statement?.text ?? messages.subarray(HEADER_BYTES);
    if (sql.length <= TEXT_MAX && MAKES_STALE.test(sql.toString('latin1'))) this.dropAll();
    else if (statement && sql.length <= TEXT_MAX) return this.behindDropped(this.asKept(statement));
    return this.behindDropped({ messages, heard: (answer) => answer });
  }

  /** The session has forgotten them all. */
  clear(): void {
    this.known.clear();
    this.dropped = [];
  }

  private asKept(statement: UnnamedStatement): Shortened {
    const known = this.ask(statement.text.toString('latin1'));
    if (known.kept) {
      const messages = statement.boundTo(known.kept.name);
      return { messages, heard: withParsed };
    }
    const name = known.asked < ASKED_MIN ? '' : `${NAME}${++this.made}`;
    const heard = (answer: Buffer): Buffer => {
      if (name !== '' && isParsed(answer)) known.kept = { name, since: this.now() };
      return answer;
    };
    return { messages: statement.named(name), heard };
  }

  private ask(text: string): Known {
    const known = this.known.get(text) ?? { asked: 0 };
    known.asked += 1;
    if (known.kept && this.now() - known.kept.since > KEPT_MS) this.drop(known);
    this.known.delete(text);
    this.known.set(text, known);
    if (this.known.size > KNOWN_MAX) {
      const [oldest] = this.known.keys();
      this.drop(this.known.get(oldest!)!);
      this.known.delete(oldest!);
    }
    return known;
  }

  private dropAll(): void {
    for (const known of this.known.values()) this.drop(known);
  }

  private drop(known: Known): void {
    if (known.kept) this.dropped.push(closeStatement(known.kept.name));
    known.kept = undefined;
  }

  /** PostgreSQL is told with the next turn what it need not keep, and answers that first. */
  private behindDropped({ messages, heard }: Shortened): Shortened {
    const { dropped } = this;
    if (dropped.length === 0) return { messages, heard };
    this.dropped = [];
    return {
      messages: Buffer.concat([...dropped, messages]),
      heard: (answer) => {
        if (isClosed(answer)) return heard(answer.subarray(dropped.length * COMPLETE_BYTES));
        this.dropped.push(...dropped);
        return heard(answer);
      },
    };
  }
}
