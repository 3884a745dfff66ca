import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server';

/** What the server does with the next mail; without a script it takes each. */
export type Answer =
  | { readonly code: number; readonly at: 'recipient' | 'data'; readonly text?: string }
  | 'silent'
  | 'close'
  /** Takes the mail, and closes the connection before it says so. */
  | 'take and close';

export interface ReceivedMail extends Email {
  readonly raw: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** Of the message's own header, every value of a name. */
  header(name: string): string[];
}

class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

/** A real mail server, whose answers a test writes down beforehand. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Mails that were offered, taken or not. */
  offered = 0;
  /** Mails with such contents are refused for good. */
  refuses: RegExp | null = null;
  private closed: string | null = null;
  private readonly script: Answer[] = [];
  private readonly server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      closeTimeout: 500,
      logger: false,
      onRcptTo: (address, session, done) => {
        this.offered++;
        if (address.address === this.closed) return done(new Refusal(550, 'no such mailbox'));
        const answer = this.script[0];
        if (answer === 'silent') return void this.script.shift();
        if (answer === 'close') {
          this.script.shift();
          return this.cut(session.id);
        }
        if (typeof answer === 'object' && answer.at === 'recipient') {
          this.script.shift();
          return done(new Refusal(answer.code, answer.text ?? 'refused as the test asked for'));
        }
        done();
      },
      onData: (stream, session, done) => void this.take(stream, session, done),
      ...options,
    });
    this.server.on('error', () => undefined);
  }

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    await new Promise<void>((resolve) => server.server.listen(0, '0.0.0.0', resolve));
    return server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** The answers to the next mails, in their order. */
  answers(...script: Answer[]): void {
    this.script.push(...script);
  }

  /** No mail to the address is taken. */
  refusesTo(address: string | null): void {
    this.closed = address;
  }

  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ envelope }) => envelope.to.includes(address));
  }

  forget(): void {
    this.mails.length = 0;
    this.script.length = 0;
    this.offered = 0;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  private async take(
    stream: SMTPServerDataStream,
    session: { id: string; envelope: { mailFrom: unknown; rcptTo: { address: string }[] } },
    done: (error?: Error | null, message?: string) => void,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const answer = this.script.shift();
    if (typeof answer === 'object') {
      return done(new Refusal(answer.code, answer.text ?? 'refused as the test asked for'));
    }
    const raw = Buffer.concat(chunks).toString();
    const email = await PostalMime.parse(raw);
    if (this.refuses?.test(`${email.subject} ${email.text} ${email.html}`)) {
      return done(new Refusal(554, '5.7.1 refused for its contents'));
    }
    const { mailFrom, rcptTo } = session.envelope;
    this.mails.push(
      Object.assign(email, {
        raw,
        envelope: {
          from: (mailFrom as { address: string }).address,
          to: rcptTo.map(({ address }) => address),
        },
        header: (name: string) =>
          email.headers
            .filter(({ key }) => key === name.toLowerCase())
            .map(({ value }) => value ?? ''),
      }),
    );
    if (answer === 'take and close') return this.cut(session.id);
    done(null, '2.0.0 queued as TEST');
  }

  private cut(id: string): void {
    const { connections } = this.server as unknown as {
      connections: Set<Record<'_socket', { destroy(): void }> & { id: string }>;
    };
    for (const connection of connections) {
      if (connection.id === id) connection['_socket'].destroy();
    }
  }
}
