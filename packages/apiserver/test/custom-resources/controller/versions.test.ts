import { describe, expect, it } from 'vitest';
import { compareVersions, deprecationOf } from '../../../src/custom-resources/controller/versions.ts';
import { version } from '../support.ts';

describe('compareVersions', () => {
  it('has stable versions above others, and newer ones above older ones', () => {
    const order = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
    expect([...order].reverse().sort((a, b) => compareVersions(b, a))).toEqual(order);
    expect(compareVersions('v1', 'v1')).toBe(0);
  });
});

describe('deprecationOf', () => {
  const old = version('v1beta1', { deprecated: true });

  it('names the newest version that may be used', () => {
    const all = [version('v1'), old, version('v2', { deprecated: true }), version('v3', { served: false })];
    expect(deprecationOf(old, 'example.com', 'Thing', all)).toBe('example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing');
    expect(deprecationOf(old, 'example.com', 'Thing', [old])).toBe('example.com/v1beta1 Thing is deprecated');
  });

  it('says what the definition says, and nothing of versions that are fine', () => {
    expect(deprecationOf({ ...old, deprecationWarning: 'gone soon' }, 'example.com', 'Thing', [])).toBe('gone soon');
    expect(deprecationOf(version('v1'), 'example.com', 'Thing', [])).toBeUndefined();
  });
});
