import { describe, expect, it } from 'vitest';
import { dnsGates, dnsProfile } from '../../src/dns/gates.ts';

describe('dnsProfile', () => {
  it('enables a gate at `since`, and disables it at `until`', () => {
    const isEnabled = (release: string) => dnsProfile(release).onlyHostnamesReversed;
    expect(['1.11.3', '1.11.4', '1.11', '1.12.0', '1.12.1', '1.12', '1.14'].map(isEnabled)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('resolves a minor release to its last patch release, and defaults to the newest', () => {
    expect(dnsProfile('1.8')).toEqual(dnsProfile('1.8.7'));
    expect(dnsProfile()).toEqual(dnsProfile('1.15'));
    expect(Object.values(dnsProfile('1.6')).every((isOn) => !isOn)).toBe(true);
  });

  it.each(['1.5', '1.6.8', '1.16', '1.8.8', '1.14.8', '1.13.3', '1', '', 'v1.8', '1.8.', '1.08', 1.9, null])('refuses %j', (release) => {
    expect(() => dnsProfile(release as string)).toThrow(RangeError);
    expect(() => dnsProfile(release as string)).toThrow(
      `release is ${JSON.stringify(release)}: give a CoreDNS release from "1.6" to "1.15", or a patch release from "1.6.9" on, such as "1.8.6"`,
    );
  });
});

it('dnsGates are in the order of their releases', () => {
  const key = (release: string): number => release.split('.').reduce((sum, part) => sum * 100 + Number(part), 0);
  const since = Object.values(dnsGates).map((gate) => key(gate.since));
  expect(since).toEqual([...since].sort((a, b) => a - b));
});
