import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { DemoOrder } from './shop.js';

/** A webhook with a valid signature. */
export interface Verified {
  readonly id: string;
  readonly type: string;
  readonly order: Pick<DemoOrder, 'txid' | 'orderMerchantId' | 'status'>;
}

/** Webhook receiver of a shop. */
export class Receiver {
  /** Secret from the creation of the endpoint. */
  secret = '';
  readonly refused: string[] = [];
  readonly verified: Verified[] = [];
  onVerified: (webhook: Verified) => void = () => undefined;

  private constructor(readonly url: string) {}

  static async start(): Promise<Receiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(`http://127.0.0.1:${port}/hook`);
    server.on('request', (request, response) => {
      receiver.take(request).then(
        (status) => response.writeHead(status).end(),
        // A client that disconnects needs no answer.
        () => response.destroy(),
      );
    });
    // Must not keep the demo running.
    server.unref();
    return receiver;
  }

  /** @returns the status to answer with */
  private async take(request: IncomingMessage): Promise<number> {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    try {
      const { type, data } = new Webhook(this.secret).verify(body, headers) as Event;
      const webhook = { id: headers['webhook-id']!, type, order: data };
      this.verified.push(webhook);
      this.onVerified(webhook);
      return 204;
    } catch (error) {
      this.refused.push((error as Error).message);
      return 400;
    }
  }
}

interface Event {
  readonly type: string;
  readonly data: DemoOrder;
}
