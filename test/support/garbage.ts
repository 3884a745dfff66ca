import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Numbers from 0 to 1 that are the same in every run. */
export type Dice = () => number;

/** https://en.wikipedia.org/wiki/Linear_congruential_generator, with the numbers of Knuth’s MMIX. */
export function dice(seed: number): Dice {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 11n) / 2 ** 53;
  };
}

const below = (roll: Dice, end: number): number => Math.floor(roll() * end);
const noise = (roll: Dice, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => below(roll, 256)));

/** What a broken line or a broken server makes of bytes. */
export function broken(bytes: Buffer, roll: Dice): Buffer {
  const at = below(roll, bytes.length);
  const way = below(roll, 6);
  if (way === 0) return noise(roll, 1 + below(roll, 300));
  if (way === 1) return bytes.subarray(0, at);
  if (way === 2) return Buffer.concat([bytes.subarray(0, at), noise(roll, 9), bytes.subarray(at)]);
  const copy = Buffer.from(bytes);
  for (let flips = 1; flips < way; flips++) copy[below(roll, copy.length)] = below(roll, 256);
  return copy;
}

/** A server that says something to whoever connects, and to everything that is said to it. */
export class TalkingServer {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param answer to what was heard; null is a new connection */
  static async start(answer: (heard: Buffer | null) => Buffer | undefined): Promise<TalkingServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const talking = new TalkingServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => {
      talking.sockets.add(socket);
      const say = (heard: Buffer | null) => {
        const said = answer(heard);
        if (said && socket.writable) socket.write(said);
      };
      socket.on('error', () => undefined).on('data', say);
      say(null);
    });
    return talking;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
