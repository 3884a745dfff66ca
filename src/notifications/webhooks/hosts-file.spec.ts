import { describe, expect, it } from '@jest/globals';
import { hostsIn } from './hosts-file.js';

describe(hostsIn.name, () => {
  it('knows every name with all its addresses', () => {
    const hosts = hostsIn(`# made by hand
127.0.0.1\tlocalhost
::1  localhost ip6-localhost # the same machine
10.0.0.7   Receiver.Shop.Example receiver
fe80::1%eth0 zone
nothing here`);
    expect(Object.fromEntries(hosts)).toEqual({
      localhost: [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
      'ip6-localhost': [{ address: '::1', family: 6 }],
      'receiver.shop.example': [{ address: '10.0.0.7', family: 4 }],
      receiver: [{ address: '10.0.0.7', family: 4 }],
      zone: [{ address: 'fe80::1%eth0', family: 6 }],
    });
  });
});
