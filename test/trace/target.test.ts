import { describe, expect, it } from 'vitest';
import { hideCredentials, parseTarget } from '../../src/trace/target.ts';

describe('parseTarget', () => {
  it.each([
    ['web', { host: 'web' }],
    ['web.shop', { host: 'web.shop' }],
    ['web.shop:http', { host: 'web.shop', port: 'http' }],
    ['web.shop:HTTP', { host: 'web.shop', port: 'http' }],
    ['web.shop.svc.cluster.local.:80', { host: 'web.shop.svc.cluster.local.', port: '80' }],
    ['web:0080', { host: 'web', port: '80' }],
    ['dns:53/udp', { host: 'dns', port: '53', protocol: 'UDP' }],
    ['web/SCTP', { host: 'web', protocol: 'SCTP' }],
    ['_http._tcp.web.shop.svc.cluster.local', { host: '_http._tcp.web.shop.svc.cluster.local' }],
    ['*.web.shop.svc.cluster.local', { host: '*.web.shop.svc.cluster.local' }],
    [' web ', { host: 'web' }],
    ['http://web.shop/cart?x=1', { host: 'web.shop', port: '80' }],
    ['https://user:secret@web.shop#top', { host: 'web.shop', port: '443' }],
    ['HTTP://web:8080/', { host: 'web', port: '8080' }],
    ['svc/web.shop:80', { host: 'web.shop', port: '80' }],
    ['redis://cache', { host: 'cache' }],
    ['udp://dns:53', { host: 'dns', port: '53', protocol: 'UDP' }],
    ['TCP://web', { host: 'web', protocol: 'TCP' }],
    ['sctp://user:secret@[fd00::1]:80', { host: 'fd00::1', isAddress: true, port: '80', protocol: 'SCTP' }],
  ])('parses %s as a name', (text, expected) => {
    expect(parseTarget(text)).toEqual({ isAddress: false, ...expected });
  });

  it.each([
    ['10.96.0.7', { host: '10.96.0.7' }],
    ['10.96.000.7:80', { host: '10.96.0.7', port: '80' }],
    ['fd00:0::1', { host: 'fd00::1' }],
    ['[fd00::1]', { host: 'fd00::1' }],
    ['[fd00::1]:http/TCP', { host: 'fd00::1', port: 'http', protocol: 'TCP' }],
    ['http://[fd00::1]/', { host: 'fd00::1', port: '80' }],
  ])('parses %s as an address', (text, expected) => {
    expect(parseTarget(text)).toEqual({ isAddress: true, ...expected });
  });

  it.each([
    ['', 'the target is empty: give a name'],
    [':80', 'it has no name: give one before the port'],
    ['web:', 'the part after ":" is not a port'],
    ['web:0', 'the port 0 is out of range: give a number from 1 to 65535'],
    ['web:65536', 'the port 65536 is out of range'],
    ['web:99999999999999999999999999', 'the port 99999999999999999999 is out of range'],
    ['web:-', 'the part after ":" is not a port'],
    ['shop/web', 'the part after "/" is not a protocol: give TCP, UDP or SCTP, or write NAME.NAMESPACE'],
    ['web:80/TCP/x', 'the part after "/" is not a protocol'],
    ['a:b:c', 'it has several colons'],
    ['[10.0.0.1]:80', 'the part in brackets is not an IPv6 address: give "[fd00::1]:80"'],
    ['web..shop', 'the name has an empty label'],
    ['.', 'the name has an empty label'],
    ['web shop', 'the label "web shop" is invalid'],
    ['-web', 'the label "-web" is invalid'],
    ['w\u0000b', 'is invalid'],
    ['wéb', 'the label "wéb" is invalid'],
    [`${'a'.repeat(64)}.shop`, 'has 64 characters: give at most 63'],
    [`${'a.'.repeat(128)}b`, 'the name has 257 characters: give at most 253'],
    ['a'.repeat(3000), 'the target has 3000 characters'],
  ])('refuses %j', (text, message) => {
    expect(() => parseTarget(text)).toThrow(message);
    expect(() => parseTarget(text)).toThrow(expect.objectContaining({ name: 'Error' }));
  });
});

it('hideCredentials removes only the credentials of a URL', () => {
  expect(hideCredentials('https://user:a@b@web.shop/x?y=c@d')).toBe('https://web.shop/x?y=c@d');
  for (const text of ['web.shop:http', 'http://web/x@y', ' web/TCP']) expect(hideCredentials(text)).toBe(text);
});
