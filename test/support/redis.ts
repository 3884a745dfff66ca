import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';

const URL_OF_TESTS = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** The Redis that TEST_REDIS_URL names, or the one of this machine; undefined when none answers. */
export async function findRedis(): Promise<Redis | undefined> {
  const redis = new Redis(URL_OF_TESTS, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  const answer = await redis.connect().then(
    () => redis.ping(),
    () => undefined,
  );
  if (answer === 'PONG') return redis;
  console.warn(`Tests with Redis are skipped: none answers at ${redis.options.host}.`);
  redis.disconnect();
  return undefined;
}

/** A port before Redis that a test can close and open, or that takes commands and stays silent. */
export class RedisPort {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  /** @param target what stands behind the port; nothing when it stays silent */
  constructor(private readonly target?: Redis) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async open(): Promise<this> {
    this.server = createServer((socket) => this.accept(socket)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server?.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    this.track(socket);
    if (!this.target) return void socket.resume();
    const { host = '127.0.0.1', port = 6379 } = this.target.options;
    const upstream = this.track(connect(port, host));
    socket.pipe(upstream).pipe(socket);
  }

  private track(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    return socket.on('close', () => this.sockets.delete(socket));
  }
}
