import { describe, expect, test } from 'vitest';
import { createAddressList, type DnsServerOptions, defaultDnsLimits, normalizeAddress, validateDnsOptions } from '../src/options.ts';
import { answerFromTestZone } from './support.ts';

test('validateDnsOptions applies defaults', () => {
  const settings = validateDnsOptions({ answer: answerFromTestZone });
  expect(settings).toMatchObject({ address: '127.0.0.1', port: 0, zones: [], limits: defaultDnsLimits, resolver: undefined });
  expect([settings.ready(), settings.transferTo.has('127.0.0.1'), [...settings.transfer('x')]]).toEqual([true, false, []]);
});

test('validateDnsOptions makes zones absolute and lower-case', () => {
  expect(validateDnsOptions({ answer: answerFromTestZone, zones: ['Cluster.Local', 'b.'] }).zones).toEqual(['cluster.local.', 'b.']);
});

test("validateDnsOptions wraps onEvent, so that an observer's exception is ignored", () => {
  const { onEvent } = validateDnsOptions({
    answer: answerFromTestZone,
    onEvent: () => {
      throw new Error('failed observer');
    },
  });
  expect(() => onEvent({ kind: 'dropped', transport: 'udp', reason: 'short' })).not.toThrow();
});

describe('validateDnsOptions refuses an invalid value', () => {
  test.each<[Partial<DnsServerOptions>, string]>([
    [{ port: 65_536 }, 'port is 65536: give a whole number from 0 to 65535'],
    [{ port: 0.5 }, 'port is 0.5'],
    [{ limits: { udpPayload: 511 } }, 'limits.udpPayload is 511: give a whole number from 512 to 4096'],
    [{ limits: { udpPayload: 4097 } }, 'limits.udpPayload is 4097'],
    [{ limits: { connections: 0 } }, 'limits.connections is 0: give a whole number from 1 to 2147483647'],
    [{ transferTo: ['invalid'] }, '"invalid" is neither an address nor a range'],
    [{ limits: { foo: 1 } as object }, 'limits.foo is not a limit: use udpPayload, connections, '],
    [{ answer: undefined as never }, 'answer is undefined: give a function such as ClusterZone.answer'],
    [{ ready: true as never }, 'ready is true: give a function'],
    [{ zones: [1 as never] }, 'zones contains 1: give a name such as "cluster.local"'],
    [{ zones: [''] }, 'zones contains "": give a name'],
  ])('%j', (options, message) => {
    expect(() => validateDnsOptions({ answer: answerFromTestZone, ...options })).toThrow(message);
  });
});

describe('createAddressList', () => {
  const list = createAddressList(['10.1.0.0/16', '192.0.2.7', 'fd00::/64', '2001:db8::1']);
  test.each([
    ['10.1.255.255', true],
    ['10.2.0.0', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['::ffff:10.1.0.1', true],
    ['fd00::ffff', true],
    ['fd00:0:0:1::', false],
    ['2001:db8::1', true],
    ['', false],
    ['localhost', false],
  ])('returns a list whose has(%j) returns %s', (address, expected) => {
    expect(list.has(address)).toBe(expected);
  });

  test('returns a list without addresses if there are no ranges, and with every IPv4 address for 0.0.0.0/0', () => {
    expect(createAddressList([]).has('127.0.0.1')).toBe(false);
    const all = createAddressList(['0.0.0.0/0']);
    expect([all.has('8.8.8.8'), all.has('fd00::1')]).toEqual([true, false]);
  });

  test.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129', 'fe80::1%eth0', '10.0.0/8', '*'])(
    'refuses %j',
    (text) => {
      expect(() => createAddressList([text])).toThrow(
        `${JSON.stringify(text)} is neither an address nor a range: give, for example, "10.0.0.1"`,
      );
    },
  );
});

test.each([
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['fd00::1', 'fd00::1'],
])('normalizeAddress turns %s into %s', (address, normalized) => {
  expect(normalizeAddress(address)).toBe(normalized);
});
