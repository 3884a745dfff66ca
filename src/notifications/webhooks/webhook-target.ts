import { isIP, isIPv4 } from 'node:net';
import { ipAllowed } from '../../common/ip-allow-list.js';
import { isPublicAddress } from './public-address.js';

export const TARGET_LENGTH_MAX = 2048;

const PORTS: ReadonlySet<string> = new Set(['', '443', '8443']);

/** RFC 1035, section 2.3.4, without the root's length byte and dot. */
const NAME_LENGTH_MAX = 253;
const LABEL = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
const NAME = new RegExp(`^${LABEL}(\\.${LABEL})+$`);

/**
 * Endings of internal names of networks, clusters and machines. None is delegated on the internet, except `arpa` for
 * infrastructure.
 */
const PRIVATE_ENDING = new RegExp(
  `\\.(${[
    'alt|arpa|invalid|onion|test',
    'local|localhost|localdomain|lan|home|router|gateway|workgroup|domain',
    'corp|intern|internal|intra|intranet|mail|private',
    'cluster|consul|container|docker|k8s|kube|kubernetes|marathon|mesos|nomad|rancher|svc|swarm',
  ].join('|')})$`,
);

/** Typical reader: a developer whose shop runs on the same machine. */
const HTTPS_REASON =
  'The URL must begin with https://, unless WEBHOOK_ALLOWED_NETWORKS of the service names its network, such as 127.0.0.0/8.';

/**
 * Characters that parsers interpret differently or silently repair: white space, controls, quotes, brackets,
 * backslashes; and invisible marks.
 */
const MISLEADING = /[\s\p{Cc}\p{Cf}"<>`{}|^\\]/u;
const PARTS = /^https?:\/\/([^/?]+)/i;

/** Target of a webhook. */
export interface Target {
  readonly url: URL;
  /** A name, or an IP address without brackets. */
  readonly host: string;
  /** Why the address is private; the operator may have allowed its network. */
  readonly privateReason: string | undefined;
}

/** A rejected target, with the reason for the merchant. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

/** A name without addresses; it may have one at the time of delivery. */
export class TargetUnknown extends TargetRefused {}

const refuse = (reason: string): never => {
  throw new TargetRefused(reason);
};

/**
 * Parses a URL as strictly as the strictest parser in the chain.
 * @throws TargetRefused
 */
export function parseTarget(text: string): Target {
  if (text.length > TARGET_LENGTH_MAX) {
    refuse(`The URL may have at most ${TARGET_LENGTH_MAX} characters.`);
  }
  if (MISLEADING.test(text) || !text.isWellFormed()) {
    refuse('The URL has a character that must be percent-encoded.');
  }
  const authority = PARTS.exec(text)?.[1] ?? refuse('The URL must begin with https:// and a host.');
  if (authority.includes('@')) refuse('The URL must not have a user or a password.');
  if (text.includes('#')) refuse('The URL must not have a fragment (#).');
  const url = URL.parse(text);
  if (!url || authority.includes('%')) return refuse('The URL has no valid host or port.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(host) && authority.split(':')[0] !== host) {
    refuse('The URL must write an IPv4 address as four decimal numbers.');
  }
  if (host.endsWith('.')) refuse('The host must not end with a dot.');
  return { url, host, privateReason: privateReason(url, host) };
}

function privateReason(url: URL, host: string): string | undefined {
  if (url.protocol !== 'https:') return HTTPS_REASON;
  if (!PORTS.has(url.port)) return 'The port must be 443 or 8443.';
  if (isIP(host) > 0) return undefined;
  if (host.length > NAME_LENGTH_MAX || !NAME.test(host)) {
    return 'The host must be a full domain name, such as shop.example.com.';
  }
  return PRIVATE_ENDING.test(host) ? 'The host is not a name on the internet.' : undefined;
}

/**
 * Checks all addresses of the target's host. Private networks in `allowed` are permitted, also with plain HTTP.
 * @throws TargetRefused
 */
export function checkAddresses(
  target: Pick<Target, 'privateReason'>,
  addresses: readonly string[],
  allowed: readonly string[],
): void {
  if (addresses.length === 0) refuse('The host has no address.');
  if (addresses.every((address) => ipAllowed(address, allowed))) return;
  if (target.privateReason !== undefined) refuse(target.privateReason);
  const isFine = (address: string) => isPublicAddress(address) || ipAllowed(address, allowed);
  if (!addresses.every(isFine)) refuse('The host has an address that is not public.');
}
