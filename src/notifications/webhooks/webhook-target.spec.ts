import { describe, expect, it } from '@jest/globals';
import { checkAddresses, parseTarget, TargetRefused } from './webhook-target.js';

const PUBLIC = ['93.184.215.14'];

/** Whether a URL passes, as if every name had a public address. */
function passes(text: string, addresses: readonly string[] = PUBLIC, allowed: string[] = []) {
  try {
    const target = parseTarget(text);
    const isAddress = /^[\d.]+$|:/.test(target.host);
    checkAddresses(target, isAddress ? [target.host] : addresses, allowed);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(TargetRefused);
    return false;
  }
}

describe(parseTarget.name, () => {
  it.each([
    'https://hooks.lampenladen.example/events',
    'https://hooks.lampenladen.example',
    'HTTPS://Hooks.Lampenladen.Example:8443/a?b=c&d=%20',
    'https://hooks.lampenladen.example:443/',
    'https://lampenladen.co.uk/?token=a:b@c',
    'https://bücher.example/ereignisse',
    'https://xn--bcher-kva.example/',
    'https://my_hooks.example/',
    'https://9.9.9.9/hook',
    'https://[2620:fe::fe]/hook',
    'https://[2620:fe::fe]:8443/hook',
    `https://a.example/${'x'.repeat(2030)}`,
  ])('takes %.60s', (text) => {
    expect(passes(text)).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    ['hooks.example/events', 'no scheme'],
    ['//hooks.example/events', 'no scheme'],
    ['https:hooks.example', 'no slashes'],
    ['https:/hooks.example', 'one slash'],
    ['https:///hooks.example', 'no host'],
    ['https://', 'no host'],
    ['https://?hooks.example', 'no host'],
    ['http://hooks.example/', 'http'],
    ['ftp://hooks.example/', 'ftp'],
    ['file:///etc/passwd', 'file'],
    ['javascript:alert(1)', 'javascript'],
    ['ws://hooks.example/', 'ws'],
    ['https://hooks.example:80/', 'port 80'],
    ['https://hooks.example:22/', 'port 22'],
    ['https://hooks.example:65536/', 'a port that is none'],
    ['https://user@hooks.example/', 'a user'],
    ['https://user:word@hooks.example/', 'a password'],
    ['https://@hooks.example/', 'an empty user'],
    ['https://hooks.example/#part', 'a fragment'],
    ['https://127.0.0.1#hooks.example', 'a fragment in the host'],
    ['https://hooks.example\\@127.0.0.1/', 'a backslash'],
    ['https:\\\\hooks.example/', 'backslashes'],
    ['https://hooks.example/a b', 'a space'],
    [' https://hooks.example/', 'a space in front'],
    ['https://hooks.example/\n', 'a line break'],
    ['https://hooks.ex\tample/', 'a tab'],
    ['https://hooks.example/\u0000', 'NUL'],
    ['https://hooks\u200b.example/', 'a space that nobody sees'],
    ['https://hooks.example/\u202efdp', 'text that runs backwards'],
    ['https://hooks.example/\ud83d', 'half a character'],
    ['https://hooks.example./', 'a dot at the end'],
    ['https://9.9.9.9./', 'a dot behind an address'],
    ['https://localhost/', 'one label'],
    ['https://orders-db/', 'one label'],
    ['https://app.localhost/', '.localhost'],
    ['https://printer.local/', '.local'],
    ['https://nas.lan/', '.lan'],
    ['https://kubernetes.default.svc/', '.svc'],
    ['https://orders.prod.svc.cluster.local/', '.cluster.local'],
    ['https://orders.cluster/', '.cluster'],
    ['https://orders.service.consul/', '.consul'],
    ['https://orders.docker/', '.docker'],
    ['https://host.docker.internal/', '.docker.internal'],
    ['https://orders.k8s/', '.k8s'],
    ['https://wiki.intranet/', '.intranet'],
    ['https://fritz.router/', '.router'],
    ['https://vault.internal/', '.internal'],
    ['https://router.home.arpa/', '.home.arpa'],
    ['https://expyuzz4wqqyqhjn.onion/', '.onion'],
    [`https://${'a'.repeat(64)}.example/`, 'a long label'],
    [`https://${'a.'.repeat(126)}example/`, 'a long name'],
    ['https://a..example/', 'an empty label'],
    ['https://-a.example/', 'a dash in front'],
    ['https://%6c%6f.example/', 'percent signs in the host'],
    ['https://127.0.0.1/', 'loopback'],
    ['https://127.1/', 'loopback, short'],
    ['https://2130706433/', 'loopback as one number'],
    ['https://0x08.8.8.8/', 'a public address in hexadecimal'],
    ['https://010.8.8.8/', 'a public address in octal'],
    ['https://134744072/', 'a public address as one number'],
    ['https://８.８.８.８/', 'a public address in wide digits'],
    ['https://8。8。8。8/', 'a public address with other dots'],
    ['https://[::1]/', 'loopback in IPv6'],
    ['https://[::ffff:7f00:1]/', 'mapped loopback'],
    ['https://[64:ff9b::808:808]/', 'NAT64'],
    ['https://[fe80::1%25eth0]/', 'a zone'],
    ['https://[::1/', 'half a bracket'],
    [`https://a.example/${'x'.repeat(2031)}`, '2049 characters'],
  ])('refuses %j: %s', (text) => {
    expect(passes(text)).toBe(false);
  });
});

describe(checkAddresses.name, () => {
  const URL = 'https://hooks.example/';

  it('wants every address to be public', () => {
    expect(passes(URL, ['93.184.215.14', '2606:2800:21f::1'])).toBe(true);
    expect(passes(URL, ['93.184.215.14', '10.0.0.1'])).toBe(false);
    expect(passes(URL, ['::ffff:10.0.0.1'])).toBe(false);
    expect(passes(URL, [])).toBe(false);
  });

  it('lets an allowed network be reached, by http and any port and name too', () => {
    const allowed = ['10.1.0.0/16'];
    expect(passes(URL, ['10.1.2.3'], allowed)).toBe(true);
    expect(passes('http://10.1.2.3:8080/', [], allowed)).toBe(true);
    expect(passes('http://receiver:8080/', ['10.1.2.3'], allowed)).toBe(true);
    expect(passes(URL, ['10.1.2.3', '93.184.215.14'], allowed)).toBe(true);
  });

  it('does not open anything else with it', () => {
    const allowed = ['10.1.0.0/16'];
    expect(passes(URL, ['10.2.0.1'], allowed)).toBe(false);
    expect(passes(URL, ['10.1.2.3', '10.2.0.1'], allowed)).toBe(false);
    expect(passes('http://hooks.example/', PUBLIC, allowed)).toBe(false);
    expect(passes('http://hooks.example/', ['10.1.2.3', ...PUBLIC], allowed)).toBe(false);
    expect(passes('http://user@10.1.2.3/', [], allowed)).toBe(false);
    expect(passes('http://localhost./', ['10.1.2.3'], allowed)).toBe(false);
  });
});
