import { describe, expect, it } from 'vitest';
import { type Gate, type GateName, gates, newest, profileFor } from '../../src/versions/index.ts';
import { createGateLookup, isOpen } from '../../src/versions/profile.ts';
import { parseRelease } from '../../src/versions/releases.ts';

describe('profileFor', () => {
  it('returns the profile of the newest release by default', () => {
    expect(newest).toBe('1.37');
    expect(profileFor()).toEqual(profileFor('1.37'));
    expect(profileFor(undefined).version).toBe('1.37');
  });

  it('returns every gate and the version, frozen', () => {
    const profile = profileFor('1.29.6');
    expect(Object.keys(profile).sort()).toEqual([...Object.keys(gates), 'version'].sort());
    expect(profile.version).toBe('1.29.6');
    expect(Object.isFrozen(profile)).toBe(true);
  });

  it('treats a minor version as its last patch release', () => {
    const { version: _, ...minor } = profileFor('1.24');
    const { version: __, ...patch } = profileFor('1.24.17');
    expect(minor).toEqual(patch);
  });

  it('refuses an unknown version', () => {
    expect(() => profileFor('1.8')).toThrow(RangeError);
    expect(() => profileFor('1.24.18')).toThrow(RangeError);
  });
});

describe('isOpen', () => {
  const makeGate = (fields: Partial<Gate>): Gate => ({ stage: 'ports', since: '1.25.0', reference: '#1', summary: '', ...fields });
  it.each<[string, Gate, string, boolean]>([
    ['before its first release', makeGate({}), '1.24', false],
    ['at its first release', makeGate({}), '1.25.0', true],
    ['after its first release', makeGate({}), '1.37', true],
    ['before a backport', makeGate({ backports: ['1.23.5'] }), '1.23.4', false],
    ['at a backport', makeGate({ backports: ['1.23.5'] }), '1.23.5', true],
    ['after a backport', makeGate({ backports: ['1.23.5'] }), '1.23', true],
    ['in a minor without a backport', makeGate({ backports: ['1.23.5'] }), '1.24', false],
    ['in a minor before all backports', makeGate({ backports: ['1.23.5'] }), '1.22', false],
    ['before its revert', makeGate({ until: '1.30.0' }), '1.29', true],
    ['at its revert', makeGate({ until: '1.30.0' }), '1.30.0', false],
    ['before a backport of its revert', makeGate({ until: '1.30.0', untilBackports: ['1.28.2'] }), '1.28.1', true],
    ['at a backport of its revert', makeGate({ until: '1.30.0', untilBackports: ['1.28.2'] }), '1.28.2', false],
    ['in a minor without a backport of its revert', makeGate({ until: '1.30.0', untilBackports: ['1.28.2'] }), '1.29', true],
  ])('evaluates a gate %s', (_, gate, version, expected) => {
    expect(isOpen(gate, parseRelease(version))).toBe(expected);
  });

  it('matches the profiles', () => {
    for (const version of ['1.17', '1.23.7', '1.31.1', '1.36.1', '1.37']) {
      for (const [name, each] of Object.entries(gates)) {
        expect(profileFor(version)[name as GateName], `${name} in ${version}`).toBe(isOpen(each, parseRelease(version)));
      }
    }
  });
});

describe('createGateLookup', () => {
  const table = createGateLookup({ early: { since: '1.19.0' }, late: { since: '1.30.0', backports: ['1.28.4'] } }, 17);

  it.each([
    ['1.18', { early: false, late: false }],
    ['1.28.3', { early: true, late: false }],
    ['1.28.4', { early: true, late: true }],
    [undefined, { early: true, late: true }],
  ])('returns the gates in %s', (version, expected) => {
    expect(table(version)).toEqual(expected);
    expect(Object.isFrozen(table(version))).toBe(true);
  });

  it('refuses an unknown version', () => {
    expect(() => table('1.16')).toThrow(RangeError);
  });
});
