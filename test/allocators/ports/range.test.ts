import { expect, it } from 'vitest';
import { countStaticPorts, defaultNodePorts, parsePortRange } from '../../../src/allocators/ports.ts';

it.each([
  ['30000-32767', { first: 30000, size: 2768, text: '30000-32767' }],
  [' 100+20 ', { first: 100, size: 21, text: '100-120' }],
  ['30000', { first: 30000, size: 1, text: '30000-30000' }],
  ['', { first: 0, size: 0, text: '' }],
])('parsePortRange parses %j', (text, range) => {
  expect(parsePortRange(text)).toEqual(range);
});

it.each([
  ['nonsense', 'strconv.Atoi: parsing "nonsense": invalid syntax'],
  ['-5', 'strconv.Atoi: parsing "": invalid syntax'],
  ['1-99999999999999999999', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
  ['30010-30000', 'end port cannot be less than start port: 30010-30000'],
  ['1-65536', 'the port range cannot be greater than 65535: 1-65536'],
  ['1-2+3', 'unable to parse port range: 1-2+3'],
])('parsePortRange refuses %j', (text, message) => {
  expect(() => parsePortRange(text)).toThrow(new RangeError(message));
});

it.each([
  ['30000-30015', 0],
  ['30000-30016', 16],
  ['30000-30999', 31],
  [defaultNodePorts, 86],
  ['1-65535', 128],
])('countStaticPorts of %s is %i', (text, count) => {
  expect(countStaticPorts(parsePortRange(text))).toBe(count);
});
