import { isIpRange } from '../common/ip-allow-list.js';

/** `trustProxy` of Fastify: none, a number of hops, or addresses. Never all. */
export function parseTrustProxy(text: string): number | string[] | false | undefined {
  if (text === 'off') return false;
  if (/^[1-9]$/.test(text)) return Number(text);
  const addresses = parseNetworks(text);
  return addresses?.every(isSingleOrganisation) && addresses.length > 0 ? addresses : undefined;
}

/**
 * Whether a network can be private to one organisation. The widest are 10.0.0.0/8 and fd00::/8; wider ones, and
 * IPv4-mapped ones, contain other parties.
 */
function isSingleOrganisation(network: string): boolean {
  const [address = '', prefix] = network.split('/');
  if (prefix === undefined) return true;
  if (!address.includes(':')) return Number(prefix) >= 8;
  if (/^f[cd]/i.test(address)) return Number(prefix) >= 7;
  return Number(prefix) >= (/^[:0]+(ffff:|$)/i.test(address) ? 104 : 16);
}

/** Addresses and networks, separated by commas. */
export function parseNetworks(text: string): string[] | undefined {
  const networks = text.split(',').map((network) => network.trim());
  if (text === '') return [];
  return networks.every(isIpRange) ? networks : undefined;
}
