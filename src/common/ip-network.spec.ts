import { describe, expect, it } from '@jest/globals';
import { ipNetwork, ipSite, sharesOf, withoutPorts } from './ip-network.js';

describe('ipNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8::3:4:5:6', '2001:db8:0:0'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['not an address', 'unknown'],
    ['', 'unknown'],
  ])('%s counts as %s', (ip, network) => {
    expect(ipNetwork(ip)).toBe(network);
  });
});

describe('withoutPorts', () => {
  it.each([
    ['203.0.113.9:51324', '203.0.113.9'],
    ['192.0.2.1, 203.0.113.9:51324', '192.0.2.1, 203.0.113.9'],
    ['[2001:db8::1]:443, [2001:db8::2]', '2001:db8::1, 2001:db8::2'],
    ['2001:db8::1:443', '2001:db8::1:443'],
    ['unknown', 'unknown'],
  ])('%s is %s', (forwarded, addresses) => {
    expect(withoutPorts(forwarded)).toBe(addresses);
  });
});

describe('ipSite', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
    ['2001:db8:1:ffff::', '2001:db8:1'],
  ])('%s counts as %s', (ip, site) => {
    expect(ipSite(ip)).toBe(site);
  });
});

describe('sharesOf', () => {
  it('counts an IPv6 address for its network and, in part, for its site', () => {
    expect(sharesOf('2001:db8:1:2::6')).toEqual([
      { holder: '2001:db8:1:2', share: 1 },
      { holder: '2001:db8:1', share: 1 / 16 },
    ]);
  });

  it.each(['192.0.2.7', '::ffff:192.0.2.7', 'unknown'])('counts %s alone', (ip) => {
    expect(sharesOf(ip)).toEqual([{ holder: ip, share: 1 }]);
  });
});
