import { createSocket, type Socket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

const A = 1;
const AAAA = 28;

/** A name server on this machine, which this process asks from then on. It answers what it is told to. */
export class NameServer {
  /** Names that were asked for. */
  readonly asked: string[] = [];
  /** Addresses of each name; a name that has none here gets no answer at all. */
  readonly addresses = new Map<string, () => readonly string[]>();
  private readonly before = dns.getServers();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { address, port }) => {
      const answer = this.answer(query);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new NameServer(socket);
    dns.setServers([`127.0.0.1:${socket.address().port}`]);
    return server;
  }

  stop(): void {
    dns.setServers(this.before);
    this.socket.close();
  }

  /** RFC 1035, section 4: the question again, and an address in each record, for no time at all. */
  private answer(query: Buffer): Buffer | undefined {
    const { name, end } = nameIn(query);
    const type = query.readUInt16BE(end);
    if (type === A) this.asked.push(name);
    const all = this.addresses.get(name)?.();
    if (!all) return undefined;
    const records = all.filter((ip) => isIPv4(ip) === (type === A)).map((ip) => record(type, ip));
    const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
    query.copy(head, 0, 0, 2);
    return Buffer.concat([head, query.subarray(12, end + 4), ...records]);
  }
}

function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at]! > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    at += query[at]! + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function record(type: number, ip: string): Buffer {
  const data = type === AAAA ? mapped(ip) : Buffer.from(ip.split('.').map(Number));
  return Buffer.concat([
    Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]),
    data,
  ]);
}

/** `::ffff:a.b.c.d` as bytes. */
const mapped = (ip: string): Buffer =>
  Buffer.concat([
    Buffer.alloc(10),
    Buffer.from([255, 255]),
    Buffer.from(ip.split(':').at(-1)!.split('.').map(Number)),
  ]);
