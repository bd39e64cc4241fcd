import { describe, expect, it } from 'vitest';
import { absolute, hostOf, readAddress } from '../../src/dns/host.ts';

describe('hostOf', () => {
  it.each([
    ['10.0.0.1', 'A', '10.0.0.1'],
    ['FD00:0:0::1', 'AAAA', 'fd00::1'],
    ['::ffff:10.0.0.1', 'A', '10.0.0.1'],
    ['db.example.com', 'CNAME', 'db.example.com.'],
    ['None', 'CNAME', 'None.'],
    ['', 'CNAME', '.'],
  ])('%j is %s %s', (text, type, data) => {
    expect(hostOf(text)).toEqual({ text, type, data });
  });
});

describe('readAddress', () => {
  it.each(['010.0.0.1', '10.00.0.1', '10.0.0', '::ffff:010.0.0.1', '00001::', '1:2', 'fe80::1%eth0', '10.0.0.1/8'])(
    'takes %j for none',
    (text) => {
      expect(readAddress(text)).toBeUndefined();
    },
  );

  it('takes groups with zeros before', () => {
    expect([readAddress('0001::'), readAddress('::01'), readAddress('0.0.0.0')]).toEqual(['1::', '::1', '0.0.0.0']);
  });
});

describe('absolute', () => {
  it('ends in a dot that is not escaped', () => {
    expect(['a', 'a.', 'a\\.', 'a\\\\.', ''].map(absolute)).toEqual(['a.', 'a.', 'a\\..', 'a\\\\.', '.']);
  });
});
