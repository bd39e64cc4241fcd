import { describe, expect, it } from 'vitest';
import { parseHost, toFqdn } from '../../src/dns/name.ts';

describe('parseHost', () => {
  it.each([
    ['10.0.0.1', 'A', '10.0.0.1'],
    ['FD00:0:0::1', 'AAAA', 'fd00::1'],
    ['::ffff:10.0.0.1', 'A', '10.0.0.1'],
    ['db.example.com', 'CNAME', 'db.example.com.'],
    ['None', 'CNAME', 'None.'],
    ['', 'CNAME', '.'],
    ['010.0.0.1', 'CNAME', '010.0.0.1.'],
    ['fe80::1%eth0', 'CNAME', 'fe80::1%eth0.'],
  ])('classifies %j as %s %s', (text, type, data) => {
    expect(parseHost(text)).toEqual({ text, type, data });
  });
});

describe('toFqdn', () => {
  it('appends a dot unless the name ends in an unescaped dot', () => {
    expect(['a', 'a.', 'a\\.', 'a\\\\.', ''].map(toFqdn)).toEqual(['a.', 'a.', 'a\\..', 'a\\\\.', '.']);
  });
});
