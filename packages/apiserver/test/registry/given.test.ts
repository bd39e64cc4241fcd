import { describe, expect, it } from 'vitest';
import { structuralType } from '../../src/patch/index.ts';
import { requireKey, requireKind, requireObject, requirePatch, requireSelection } from '../../src/registry/given.ts';
import { plainStrategy } from '../../src/registry/index.ts';
import { configMaps } from './support.ts';

describe('what is given', () => {
  it('may be anything that is meant', () => {
    requireObject({ metadata: {} });
    requireKey({ name: 'a', namespace: undefined });
    requireSelection({ limit: 5, labelSelector: 'a=b', continue: undefined });
    requirePatch({ type: 'merge' });
  });

  it('is named where it is of another type', () => {
    expect(() => requireObject([])).toThrow(new TypeError('object is []: give an object of the API'));
    expect(() => requireKey({ name: 'a', namespace: 1 })).toThrow(new TypeError('key.namespace is 1: give a string'));
    expect(() => requireSelection({ limit: '5' })).toThrow(new TypeError('limit is "5": give a number'));
    expect(() => requirePatch({ type: 'toString' as 'json' })).toThrow(
      new TypeError('type is "toString": give one of json, merge, strategic, apply'),
    );
  });
});

describe('what an object says that it is', () => {
  const strategy = plainStrategy({ resource: configMaps });

  it('is what it is written as, or nothing', () => {
    for (const said of [{}, { kind: 'ConfigMap' }, { apiVersion: 'v1' }, { kind: '', apiVersion: '' }])
      requireKind(strategy, { metadata: {}, ...said });
    expect(() => requireKind(strategy, { metadata: {}, kind: 'Pod' })).toThrow('Pod in version "v1" cannot be handled as a ConfigMap');
    const why = 'the API version in the data (v2) does not match the expected API version (v1)';
    expect(() => requireKind(strategy, { metadata: {}, apiVersion: 'v2' })).toThrow(why);
  });

  it('is looked at by custom resources themselves, but for its version', () => {
    const custom = { ...strategy, patchType: structuralType({}) };
    requireKind(custom, { metadata: {}, kind: 'Pod' });
    expect(() => requireKind(custom, { metadata: {}, apiVersion: 'v2' })).toThrow('does not match');
  });
});
