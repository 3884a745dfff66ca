import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export interface Address {
  readonly address: string;
  readonly family: number;
}

export type Hosts = ReadonlyMap<string, readonly Address[]>;

const LOOPBACK = '127.0.0.1 localhost\n';

/** Lower-case names of a hosts file (hosts(5)) with all their addresses. */
export function hostsIn(text: string): Hosts {
  const hosts = new Map<string, Address[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family }]);
    }
  }
  return hosts;
}

/** Names of this machine; localhost even without a hosts file. */
export function hostsHere(): Hosts {
  try {
    const hosts = hostsIn(readFileSync('/etc/hosts', 'utf8'));
    return hosts.has('localhost') ? hosts : new Map([...hosts, ...hostsIn(LOOPBACK)]);
  } catch {
    return hostsIn(LOOPBACK);
  }
}
