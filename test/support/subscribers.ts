import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import type { Client } from './client.js';
import { until } from './race.js';

/** How often each message arrived, by its receiver and its id. */
export class Arrivals {
  private readonly counts = new Map<string, number>();

  add(receiver: string, id: string): void {
    const name = `${receiver} ${id}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  get size(): number {
    return this.counts.size;
  }

  get repeats(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count - 1, 0);
  }
}

/** Whether a receiver fails this time. */
type Luck = (receiver: string, id: string) => boolean;

interface Lucks {
  readonly webhooks: Luck;
  readonly mails: () => boolean;
}

/** Webhook receivers and mailboxes that count what they accept, and sometimes do not. */
export class Subscribers {
  readonly hooks = new Arrivals();
  readonly mails = new Arrivals();
  /** Webhooks whose signature was wrong. */
  readonly forged: string[] = [];
  private readonly secrets = new Map<string, string>();
  private readonly links = new Map<string, string>();
  private readonly server: Server;
  private readonly mailServer: SMTPServer;

  private constructor(private readonly lucks: Lucks) {
    this.server = createServer((request, response) => {
      // A sender that is killed leaves half a request.
      this.receive(request).then(
        (status) => response.writeHead(status).end(),
        () => undefined,
      );
    });
    this.mailServer = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) =>
        done(lucks.mails() ? Object.assign(new Error('busy'), { responseCode: 451 }) : null),
      onData: (stream, session, done) => {
        const { address } = session.envelope.rcptTo[0]!;
        buffer(stream)
          .then((mail) => this.keep(address, mail))
          .then(() => done(), done);
      },
    });
    this.mailServer.on('error', () => undefined);
  }

  static async open(lucks: Lucks): Promise<Subscribers> {
    const subscribers = new Subscribers(lucks);
    for (const server of [subscribers.server, subscribers.mailServer.server]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return subscribers;
  }

  /** Settings of a service that reaches them. */
  get environment(): Record<string, string> {
    const { port } = this.mailServer.server.address() as AddressInfo;
    return { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', SMTP_URL: `smtp://127.0.0.1:${port}` };
  }

  async addEndpoint(shop: Client, name: string): Promise<void> {
    const { port } = this.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/${name}`;
    const { status, body } = await shop.call('POST', '/api/webhook-endpoint', { url });
    if (status !== 201) throw new Error(`no endpoint: ${status}`);
    this.secrets.set(name, body['secret'] as string);
  }

  async addRecipient(shop: Client, email: string): Promise<void> {
    const { status } = await shop.call('POST', '/api/notification-recipient', { email });
    if (status !== 201) throw new Error(`no recipient: ${status}`);
  }

  /** Follows the link that every recipient gets first. */
  async confirm(emails: readonly string[]): Promise<void> {
    for (const email of emails) {
      await until(`${email} is asked`, async () => this.links.has(email));
      const answer = await fetch(`${this.links.get(email)}/confirm`, { method: 'POST' });
      if (!answer.ok) throw new Error(`not confirmed: ${answer.status}`);
    }
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
    this.mailServer.close(() => undefined);
  }

  private async receive(request: IncomingMessage): Promise<number> {
    const name = request.url!.slice(1);
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id']!;
    const body = await text(request);
    if (this.lucks.webhooks(name, id)) return 500;
    try {
      new Webhook(this.secrets.get(name)!).verify(body, headers);
      this.hooks.add(name, id);
    } catch (error) {
      this.forged.push(`${name} ${id}: ${(error as Error).message}`);
    }
    return 204;
  }

  private async keep(address: string, bytes: Buffer): Promise<void> {
    const mail = await PostalMime.parse(bytes);
    const link = /https?:\/\/\S+\/notification-recipient\/[\w-]+/.exec(mail.text ?? '')?.[0];
    if (!this.links.has(address) && link) this.links.set(address, link);
    else this.mails.add(address, mail.messageId ?? '');
  }
}
