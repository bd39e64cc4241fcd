import { describe, expect, it } from 'vitest';
import { canonicalIP, isIPv4Mapped, parseAddr, parseIP, strictIP } from '../../src/apimachinery/index.ts';
import { fc } from '../support/property.ts';

describe('parseAddr', () => {
  it.each([
    ['10.0.0.1', { family: 'IPv4', value: 0x0a000001n, zone: '' }],
    ['::ffff:10.0.0.1', { family: 'IPv6', value: 0xffff0a000001n, zone: '' }],
    ['fe80::1%eth0', { family: 'IPv6', value: (0xfe80n << 112n) | 1n, zone: 'eth0' }],
  ])('reads %s', (text, addr) => {
    expect(parseAddr(text)).toStrictEqual(addr);
  });

  it.each([
    ['', 'unable to parse IP'],
    ['1', 'unable to parse IP'],
    ['%eth0', 'missing IPv6 address'],
    ['010.0.0.1', 'IPv4 field has octet with leading zero'],
    ['10.0.0.256', 'IPv4 field has value >255'],
    ['10.0.0', 'IPv4 address too short'],
    ['1.2.3.4.5', 'IPv4 address too long'],
    ['10.0.0.', 'IPv4 field must have at least one digit (at ".")'],
    ['1.2.3.x', 'unexpected character (at "x")'],
    ['::1%', 'zone must be a non-empty string'],
    ['1:2', 'address string too short'],
    ['12345::', 'each group must have 4 or less digits (at "12345::")'],
    ['1::2::3', 'multiple :: in address (at ":3")'],
    ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
    ['1:2:3:4:5:6:7::8', 'the :: must expand to at least one field of zeros'],
    ['1:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
  ])('refuses %j: %s', (text, message) => {
    expect(parseAddr(text)).toBe(`ParseAddr(${JSON.stringify(text)}): ${message}`);
  });
});

it('isIPv4Mapped detects IPv4-mapped addresses', () => {
  const isMapped = (text: string): boolean => isIPv4Mapped(parseAddr(text) as Exclude<ReturnType<typeof parseAddr>, string>);
  expect(['::ffff:1.2.3.4', '::1.2.3.4', '1.2.3.4'].map(isMapped)).toStrictEqual([true, false, false]);
});

describe('the three IP parsers', () => {
  const octet = fc.oneof({ weight: 8, arbitrary: fc.nat(255).map(String) }, fc.constantFrom('256', '010', '00', '0255', '', 'a'));
  const ipv4 = fc.array(octet, { minLength: 3, maxLength: 5 }).map((octets) => octets.join('.'));
  const group = fc.constantFrom('0', '0', '1', 'db8', 'FFFF', 'ffff', '0001', '00001', '12345', 'g', '');
  const ipv6 = fc
    .tuple(fc.array(group, { maxLength: 8 }), fc.array(group, { maxLength: 8 }), fc.constantFrom('::', ':'), fc.option(ipv4))
    .map(([head, tail, middle, end]) => `${head.join(':')}${middle}${[...tail, ...(end === null ? [] : [end])].join(':')}`);

  it('accept the same texts and parse them alike, except that canonicalIP also accepts leading zeros', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), (text) => {
        const [lenient, strict, addr] = [canonicalIP(text), strictIP(text), parseAddr(text)];
        expect(strict !== undefined).toBe(typeof addr !== 'string');
        if (strict === undefined || typeof addr === 'string') return;
        expect(lenient).toBe(strict);
        const value = isIPv4Mapped(addr) ? addr.value & 0xffffffffn : addr.value;
        expect(parseIP(text)).toStrictEqual({ family: isIPv4Mapped(addr) ? 'IPv4' : addr.family, value });
      }),
    );
  });
});
