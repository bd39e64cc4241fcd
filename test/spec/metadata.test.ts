import { describe, expect, it } from 'vitest';
import {
  annotationsFor,
  areLabelsCorrect,
  headlessLabel,
  isHeadless,
  labelsFor,
  managedByLabel,
  overCapacityAnnotation,
  triggerTimeAnnotation,
} from '../../src/spec/metadata.ts';
import type { Service, StringMap } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makeService } from './objects.ts';

const managed = { [managedByLabel]: 'endpoint-controller' };
const headless = { [headlessLabel]: '' };
const own = (text: string): StringMap => JSON.parse(text) as StringMap;
const labelled = (labels: StringMap | null | undefined, clusterIP: string | null = '10.96.0.1'): Service =>
  makeService({ clusterIP }, { labels });

it('label and annotation names are those of the API', () => {
  expect([headlessLabel, managedByLabel, triggerTimeAnnotation, overCapacityAnnotation]).toEqual([
    'service.kubernetes.io/headless',
    'endpoints.kubernetes.io/managed-by',
    'endpoints.kubernetes.io/last-change-trigger-time',
    'endpoints.kubernetes.io/over-capacity',
  ]);
});

describe('isHeadless', () => {
  it.each([
    ['None', true],
    ['', true],
    [null, true],
    [undefined, true],
    ['10.96.0.1', false],
    ['none', false],
  ])('clusterIP %j: %s', (clusterIP, expected) => {
    expect(isHeadless({ spec: { clusterIP } })).toBe(expected);
  });
  it('is true without spec', () => {
    expect(isHeadless({})).toBe(true);
  });
});

describe('labelsFor', () => {
  it.each<{ name: string; service: Service; v32: StringMap; v33: StringMap }>([
    {
      name: '__proto__',
      service: labelled(own('{"__proto__":"x"}')),
      v32: own('{"__proto__":"x"}'),
      v33: own(`{"__proto__":"x","${managedByLabel}":"endpoint-controller"}`),
    },
    { name: 'no fields', service: {}, v32: headless, v33: { ...managed, ...headless } },
  ])('$name', ({ service, v32, v33 }) => {
    expect(JSON.stringify(labelsFor(service, profileFor('1.32')))).toBe(JSON.stringify(sorted(v32)));
    expect(JSON.stringify(labelsFor(service, profileFor('1.33')))).toBe(JSON.stringify(sorted(v33)));
  });

  it('sorts labels by their UTF-8 bytes', () => {
    const labels = { '\u{1f600}': '1', '\uffee': '2', z: '3', B: '4' };
    expect(Object.keys(labelsFor(labelled(labels), profileFor('1.30')))).toEqual(['B', 'z', '\uffee', '\u{1f600}']);
  });
});

const sorted = (map: StringMap): StringMap => Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));

describe('annotationsFor', () => {
  const [time, capacity] = [triggerTimeAnnotation, overCapacityAnnotation];
  it.each<[string, StringMap | null | undefined, string | undefined, 'warning' | 'truncated' | undefined, v20: StringMap, v21: StringMap]>([
    ['none', undefined, undefined, undefined, {}, {}],
    ['null', null, undefined, undefined, {}, {}],
    ['a time', {}, 'T', undefined, { [time]: 'T' }, { [time]: 'T' }],
    ['an old time', { [time]: 'old' }, undefined, undefined, {}, {}],
    ['a new time for an old one', { [time]: 'old', a: '1' }, 'T', undefined, { a: '1', [time]: 'T' }, { a: '1', [time]: 'T' }],
    [
      'over capacity',
      { z: '1' },
      'T',
      'warning',
      { [time]: 'T', [capacity]: 'warning', z: '1' },
      { [time]: 'T', [capacity]: 'warning', z: '1' },
    ],
    ['no longer over capacity', { [capacity]: 'truncated' }, undefined, undefined, { [capacity]: 'truncated' }, {}],
    ['another one', own('{"__proto__":"x"}'), undefined, undefined, own('{"__proto__":"x"}'), own('{"__proto__":"x"}')],
  ])('%s', (_, current, triggerTime, overCapacity, v20, v21) => {
    expect(JSON.stringify(annotationsFor(current, triggerTime, overCapacity, profileFor('1.20')))).toBe(JSON.stringify(v20));
    expect(JSON.stringify(annotationsFor(current, triggerTime, overCapacity, profileFor('1.21')))).toBe(JSON.stringify(v21));
  });
});

describe('areLabelsCorrect', () => {
  it.each<{ name: string; current: StringMap | null | undefined; service: Service; v119: boolean; v120: boolean; v133: boolean }>([
    { name: 'no labels on either side', current: undefined, service: labelled(null), v119: true, v120: true, v133: false },
    { name: 'no labels, managed', current: managed, service: labelled(null), v119: false, v120: false, v133: true },
    {
      name: 'managed by another controller',
      current: { [managedByLabel]: 'x' },
      service: labelled({}),
      v119: false,
      v120: false,
      v133: false,
    },
    { name: 'equal labels', current: { a: '1' }, service: labelled({ a: '1' }), v119: true, v120: true, v133: false },
    { name: 'equal labels, managed', current: { a: '1', ...managed }, service: labelled({ a: '1' }), v119: false, v120: false, v133: true },
    { name: 'a missing label', current: managed, service: labelled({ a: '1' }), v119: false, v120: false, v133: false },
    { name: 'an additional label', current: { a: '1', ...managed }, service: labelled({}), v119: false, v120: false, v133: false },
    {
      name: 'a different label value',
      current: { a: '2', ...managed },
      service: labelled({ a: '1' }),
      v119: false,
      v120: false,
      v133: false,
    },
    { name: 'headless', current: headless, service: labelled({}, 'None'), v119: false, v120: true, v133: false },
    {
      name: 'headless and managed',
      current: { ...headless, ...managed },
      service: labelled({}, 'None'),
      v119: false,
      v120: false,
      v133: true,
    },
    { name: 'headless without its label', current: {}, service: labelled({}, 'None'), v119: true, v120: true, v133: false },
    { name: 'no longer headless', current: { ...headless, ...managed }, service: labelled({}), v119: false, v120: false, v133: true },
    {
      name: 'the Service has the headless label',
      current: headless,
      service: labelled(headless, 'None'),
      v119: true,
      v120: false,
      v133: false,
    },
    {
      name: 'the Service has both labels',
      current: { ...headless, ...managed },
      service: labelled({ ...headless, ...managed }, 'None'),
      v119: true,
      v120: false,
      v133: false,
    },
    { name: 'the Service has the managed-by label', current: managed, service: labelled(managed), v119: true, v120: true, v133: false },
    { name: 'no metadata', current: managed, service: {}, v119: false, v120: false, v133: true },
  ])('$name: $v119 in 1.19.2, $v120 in 1.20, $v133 in 1.33', ({ current, service, v119, v120, v133 }) => {
    expect(areLabelsCorrect(current, service, profileFor('1.19.2'))).toBe(v119);
    expect(areLabelsCorrect(current, service, profileFor('1.20'))).toBe(v120);
    expect(areLabelsCorrect(current, service, profileFor('1.33'))).toBe(v133);
  });
});
