import { describe, expect, it } from 'vitest';
import { inNamespace, matcherOf, selectPods, unmanagedBecause } from '../../src/spec/select.ts';
import type { StringMap } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from './objects.ts';

const own = (text: string): StringMap => JSON.parse(text) as StringMap;

describe('unmanagedBecause', () => {
  it.each([
    { name: 'a selector', spec: {}, version: '1.37', expected: undefined },
    { name: 'an empty selector', spec: { selector: {} }, version: '1.37', expected: undefined },
    { name: 'no selector', spec: { selector: undefined }, version: '1.37', expected: 'ServiceHasNoSelector' },
    { name: 'null for a selector', spec: { selector: null }, version: '1.17', expected: 'ServiceHasNoSelector' },
    { name: 'ExternalName', spec: { type: 'ExternalName' }, version: '1.27', expected: 'ServiceIsExternalName' },
    {
      name: 'ExternalName without selector',
      spec: { type: 'ExternalName', selector: null },
      version: '1.37',
      expected: 'ServiceIsExternalName',
    },
    { name: 'ExternalName before 1.27', spec: { type: 'ExternalName' }, version: '1.26', expected: undefined },
    {
      name: 'ExternalName without selector before 1.27',
      spec: { type: 'ExternalName', selector: null },
      version: '1.26',
      expected: 'ServiceHasNoSelector',
    },
    { name: 'another type', spec: { type: 'LoadBalancer' }, version: '1.37', expected: undefined },
  ])('$name in $version: $expected', ({ spec, version, expected }) => {
    expect(unmanagedBecause(makeService(spec), profileFor(version))).toBe(expected);
  });

  it('takes a Service without spec for one without selector', () => {
    expect(unmanagedBecause({}, profileFor())).toBe('ServiceHasNoSelector');
    expect(unmanagedBecause({ spec: null }, profileFor())).toBe('ServiceHasNoSelector');
  });
});

describe('matcherOf', () => {
  it.each<[StringMap | null | undefined, StringMap | null | undefined, boolean]>([
    [undefined, { a: '1' }, false],
    [null, {}, false],
    [{}, { a: '1' }, true],
    [{}, undefined, true],
    [{}, null, true],
    [{ a: '1' }, { a: '1' }, true],
    [{ a: '1' }, { a: '1', b: '2' }, true],
    [{ a: '1' }, { a: '2' }, false],
    [{ a: '1' }, { b: '1' }, false],
    [{ a: '1' }, {}, false],
    [{ a: '1' }, null, false],
    [{ a: '1' }, undefined, false],
    [{ a: '' }, { a: '' }, true],
    [{ a: '' }, {}, false],
    [{ a: '1', b: '2' }, { a: '1', b: '2', c: '3' }, true],
    [{ a: '1', b: '2' }, { a: '1', b: '3' }, false],
    [{ a: '1', b: '2' }, { a: '3', b: '2' }, false],
    [{ a: '1', b: '2' }, { a: '1' }, false],
    [{ a: '1', b: '2' }, null, false],
    [{ a: '1', b: '2' }, undefined, false],
    [{ constructor: 'x' }, {}, false],
    [{ constructor: 'x' }, { constructor: 'x' }, true],
    [{ constructor: 'x', a: '1' }, { a: '1' }, false],
    [own('{"__proto__":"x"}'), own('{"__proto__":"x"}'), true],
    [own('{"__proto__":"x"}'), own('{"__proto__":"y"}'), false],
    [own('{"__proto__":"x"}'), {}, false],
    [own('{"__proto__":"x","a":"1"}'), own('{"__proto__":"x","a":"1"}'), true],
    [own('{"__proto__":"x","a":"1"}'), { a: '1' }, false],
  ])('%j over %j: %s', (selector, labels, expected) => {
    expect(matcherOf(selector)(labels)).toBe(expected);
  });
});

describe('inNamespace', () => {
  it.each([
    ['shop', 'shop', true],
    ['shop', 'Shop', false],
    ['shop', undefined, false],
    [undefined, 'shop', false],
    [undefined, '', true],
    ['', null, true],
  ])('a pod of %j in %j: %s', (namespace, wanted, expected) => {
    expect(inNamespace({ metadata: { namespace } }, wanted)).toBe(expected);
  });

  it('takes a pod without metadata for one without a namespace', () => {
    expect(inNamespace({}, '')).toBe(true);
    expect(inNamespace({ metadata: null }, 'shop')).toBe(false);
  });
});

describe('selectPods', () => {
  const pods = [
    makePod('c'),
    makePod('elsewhere', { metadata: { namespace: 'other' } }),
    makePod('a'),
    makePod('unlabelled', { metadata: { labels: null } }),
    makePod('other', { metadata: { labels: { app: 'db' } } }),
    {},
  ];
  const names = (selected: ReturnType<typeof selectPods>) => selected.map(({ metadata }) => metadata?.name);

  it('takes those of its namespace that carry the selector, in the order given', () => {
    expect(names(selectPods(makeService(), pods))).toEqual(['c', 'a']);
  });

  it('takes all of its namespace under an empty selector, and none under no selector', () => {
    expect(names(selectPods(makeService({ selector: {} }), pods))).toEqual(['c', 'a', 'unlabelled', 'other']);
    expect(selectPods(makeService({ selector: null }), pods)).toEqual([]);
    expect(selectPods({}, pods)).toEqual([]);
  });
});
