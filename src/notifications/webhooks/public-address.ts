import { isIPv4 } from 'node:net';
import { ipAllowed } from '../../common/ip-allow-list.js';

/** IPv4 that is not public unicast, by IANA's registry of special-purpose addresses. */
const IPV4_SPECIAL = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16', // platform services of a cloud, at a public address
  '169.254.0.0/16', // link-local, and the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/3', // multicast, class E and broadcast
];

/** IPv6 global unicast by IANA; mapped, NAT64 and local addresses are outside. */
const IPV6_GLOBAL = ['2000::/3'];

const IPV6_SPECIAL = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which leads to an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
];

/** Whether an IP address is public unicast. */
export const isPublicAddress = (ip: string): boolean =>
  isIPv4(ip)
    ? !ipAllowed(ip, IPV4_SPECIAL)
    : ipAllowed(ip, IPV6_GLOBAL) && !ipAllowed(ip, IPV6_SPECIAL);
