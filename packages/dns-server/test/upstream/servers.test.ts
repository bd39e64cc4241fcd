import { expect, test } from 'vitest';
import { readServer } from '../../src/upstream/servers.ts';

test.each([
  ['10.0.0.1', '10.0.0.1', 53],
  ['10.0.0.1:5353', '10.0.0.1', 5353],
  ['fd00::1', 'fd00::1', 53],
  ['[fd00::1]', 'fd00::1', 53],
  ['[fd00::1]:5353', 'fd00::1', 5353],
])('%s', (text, address, port) => {
  expect(readServer(text)).toEqual({ address, port });
});

test.each([
  '',
  'dns.example.com',
  '10.0.0.1:',
  '10.0.0.1:0',
  '10.0.0.1:65536',
  '[10.0.0.1]:53',
  '[fd00::1',
  'fd00::1]:53',
  '10.0.0.1:5:3',
  ':53',
])('%j is none', (text) => {
  expect(() => readServer(text)).toThrow(`${JSON.stringify(text)} is no address of a DNS server: give such as "10.0.0.1"`);
});
