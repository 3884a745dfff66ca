import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How the line from the shop to the service behaves.
 * - `works`: requests and answers pass
 * - `cut`: nothing arrives
 * - `swallows`: the request arrives, and the connection ends in place of the answer
 * - `slow`: the answer arrives two seconds later
 */
type Behaviour = 'works' | 'cut' | 'swallows' | 'slow';

const SLOW_MS = 2_000;

/** An HTTP proxy before the service that fails in the ways networks fail. */
export class Line {
  behaviour: Behaviour = 'works';

  private constructor(readonly url: string) {}

  static async start(to: string, stack: AsyncDisposableStack): Promise<Line> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new Line(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (incoming: IncomingMessage, reply: ServerResponse) => {
      line.pass(to, incoming, reply).catch(() => reply.destroy());
    });
    stack.defer(() => {
      server.close();
      server.closeAllConnections();
    });
    return line;
  }

  private async pass(to: string, incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { behaviour } = this;
    if (behaviour === 'cut') return void reply.destroy();
    const { method, headers } = incoming;
    const outgoing = request(new URL(incoming.url!, to), { method, headers });
    outgoing.end(await buffer(incoming));
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const body = await buffer(answer);
    if (behaviour === 'swallows') return void reply.destroy();
    if (behaviour === 'slow') await sleep(SLOW_MS);
    reply.writeHead(answer.statusCode!, answer.headers).end(body);
  }
}
