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

/** Executions after which a statement is prepared: one-off statements use no memory. */
const ASKED_MIN = 3;
/** Maximum known statements; the least recently used is evicted. */
const KNOWN_MAX = 400;
/** Maximum length of a cached statement in bytes; longer ones are generated for a single use. */
const TEXT_MAX = 32_768;
/** Lifetime of a plan in milliseconds: without autovacuum, nothing invalidates plans when tables grow. */
const KEPT_MS = 10_000;
/** Statements that change tables or discard prepared statements. */
const MAKES_STALE = /\b(?:CREATE|ALTER|DROP|DISCARD|DEALLOCATE)\s/i;
/** Name prefix, unused otherwise: the service names no statements when all connections share one session. */
const NAME = 'kept_';

interface Known {
  asked: number;
  /** Its prepared name, and since when. */
  kept?: { readonly name: string; readonly since: number } | undefined;
}

/** The messages to send instead of a turn, and a function that maps the response for the client. */
export interface Shortened {
  readonly messages: Buffer;
  readonly heard: (answer: Buffer) => Buffer;
}

/**
 * Cache of prepared statements: parsing and planning take more than half the time of a short statement. All connections
 * share the one session, so they share the cache. It is transparent to the driver, which sends each statement complete
 * and unnamed.
 */
export class PreparedStatementCache {
  private readonly known = new Map<string, Known>();
  private dropped: Buffer[] = [];
  private made = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  shorten(messages: Buffer): Shortened {
    const statement = readUnnamed(messages);
    const sql = statement?.text ?? messages.subarray(HEADER_BYTES);
    if (sql.length <= TEXT_MAX && MAKES_STALE.test(sql.toString('latin1'))) this.dropAll();
    else if (statement && sql.length <= TEXT_MAX) return this.withEvictions(this.asKept(statement));
    return this.withEvictions({ messages, heard: (answer) => answer });
  }

  /** The session has discarded all prepared statements. */
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

  /** Sends Close messages of evicted statements before the next turn, and removes their responses. */
  private withEvictions({ messages, heard }: Shortened): Shortened {
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
