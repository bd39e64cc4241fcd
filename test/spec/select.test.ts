import { describe, expect, it } from 'vitest';
import { createLabelMatcher, isInNamespace, selectPods, unmanagedCodeOf } from '../../src/spec/select.ts';
import type { StringMap } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from './objects.ts';

const parseMap = (text: string): StringMap => JSON.parse(text) as StringMap;

describe('unmanagedCodeOf', () => {
  it('treats a Service without spec as one without selector', () => {
    expect(unmanagedCodeOf({}, profileFor())).toBe('ServiceHasNoSelector');
    expect(unmanagedCodeOf({ spec: null }, profileFor())).toBe('ServiceHasNoSelector');
  });
});

describe('createLabelMatcher', () => {
  it.each<[StringMap | null | undefined, StringMap | null | undefined, boolean]>([
    [undefined, { a: '1' }, false],
    [null, {}, false],
    [{}, { a: '1' }, true],
    [{}, undefined, true],
    [{ a: '1' }, {}, false],
    [{ a: '1' }, undefined, false],
    [{ a: '1', b: '2' }, { a: '1', b: '2', c: '3' }, true],
    [{ a: '1', b: '2' }, { a: '3', b: '2' }, false],
    [{ a: '1', b: '2' }, { a: '1' }, false],
    [{ a: '1', b: '2' }, null, false],
    [{ a: '1', b: '2' }, undefined, false],
    [{ constructor: 'x', a: '1' }, { a: '1' }, false],
    [parseMap('{"__proto__":"x"}'), parseMap('{"__proto__":"x"}'), true],
    [parseMap('{"__proto__":"x"}'), parseMap('{"__proto__":"y"}'), false],
    [parseMap('{"__proto__":"x"}'), {}, false],
    [parseMap('{"__proto__":"x","a":"1"}'), parseMap('{"__proto__":"x","a":"1"}'), true],
    [parseMap('{"__proto__":"x","a":"1"}'), { a: '1' }, false],
  ])('with the selector %j and the labels %j returns %s', (selector, labels, expected) => {
    expect(createLabelMatcher(selector)(labels)).toBe(expected);
  });
});

describe('isInNamespace', () => {
  it.each([
    ['shop', 'shop', true],
    ['shop', 'Shop', false],
    ['shop', undefined, false],
    [undefined, 'shop', false],
    [undefined, '', true],
    ['', null, true],
  ])('with the pod namespace %j and the Service namespace %j returns %s', (namespace, serviceNamespace, expected) => {
    expect(isInNamespace({ metadata: { namespace } }, serviceNamespace)).toBe(expected);
  });

  it('treats a pod without metadata as one without a namespace', () => {
    expect(isInNamespace({}, '')).toBe(true);
    expect(isInNamespace({ metadata: null }, 'shop')).toBe(false);
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
  const namesOf = (selected: ReturnType<typeof selectPods>) => selected.map(({ metadata }) => metadata?.name);

  it('returns the pods of the namespace that match the selector, in the given order', () => {
    expect(namesOf(selectPods(makeService(), pods))).toEqual(['c', 'a']);
  });

  it('returns all pods of the namespace for an empty selector, and none without a selector', () => {
    expect(namesOf(selectPods(makeService({ selector: {} }), pods))).toEqual(['c', 'a', 'unlabelled', 'other']);
    expect(selectPods(makeService({ selector: null }), pods)).toEqual([]);
    expect(selectPods({}, pods)).toEqual([]);
  });
});
