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

const managedByLabels = { [managedByLabel]: 'endpoint-controller' };
const headlessLabels = { [headlessLabel]: '' };
const parseMap = (text: string): StringMap => JSON.parse(text) as StringMap;
const serviceWithLabels = (labels: StringMap | null | undefined, clusterIP: string | null = '10.96.0.1'): Service =>
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
  ])('for clusterIP %j, returns %s', (clusterIP, expected) => {
    expect(isHeadless({ spec: { clusterIP } })).toBe(expected);
  });
  it('returns true for a Service without spec', () => {
    expect(isHeadless({})).toBe(true);
  });
});

describe('labelsFor', () => {
  it.each<{ name: string; service: Service; v32: StringMap; v33: StringMap }>([
    {
      name: 'a Service with a label __proto__',
      service: serviceWithLabels(parseMap('{"__proto__":"x"}')),
      v32: parseMap('{"__proto__":"x"}'),
      v33: parseMap(`{"__proto__":"x","${managedByLabel}":"endpoint-controller"}`),
    },
    { name: 'an empty Service', service: {}, v32: headlessLabels, v33: { ...managedByLabels, ...headlessLabels } },
  ])('returns the labels of $name', ({ service, v32, v33 }) => {
    expect(JSON.stringify(labelsFor(service, profileFor('1.32')))).toBe(JSON.stringify(sortKeys(v32)));
    expect(JSON.stringify(labelsFor(service, profileFor('1.33')))).toBe(JSON.stringify(sortKeys(v33)));
  });

  it('sorts labels by their UTF-8 bytes', () => {
    const labels = { '\u{1f600}': '1', '\uffee': '2', z: '3', B: '4' };
    expect(Object.keys(labelsFor(serviceWithLabels(labels), profileFor('1.30')))).toEqual(['B', 'z', '\uffee', '\u{1f600}']);
  });
});

const sortKeys = (map: StringMap): StringMap => Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));

describe('annotationsFor', () => {
  const [time, capacity] = [triggerTimeAnnotation, overCapacityAnnotation];
  it.each<[string, StringMap | null | undefined, string | undefined, 'warning' | 'truncated' | undefined, v20: StringMap, v21: StringMap]>([
    ['no annotations', undefined, undefined, undefined, {}, {}],
    ['null annotations', null, undefined, undefined, {}, {}],
    ['a trigger time', {}, 'T', undefined, { [time]: 'T' }, { [time]: 'T' }],
    ['an outdated trigger time', { [time]: 'old' }, undefined, undefined, {}, {}],
    [
      'a new trigger time instead of an outdated one',
      { [time]: 'old', a: '1' },
      'T',
      undefined,
      { a: '1', [time]: 'T' },
      { a: '1', [time]: 'T' },
    ],
    [
      'over capacity',
      { z: '1' },
      'T',
      'warning',
      { [time]: 'T', [capacity]: 'warning', z: '1' },
      { [time]: 'T', [capacity]: 'warning', z: '1' },
    ],
    ['no longer over capacity', { [capacity]: 'truncated' }, undefined, undefined, { [capacity]: 'truncated' }, {}],
    [
      'an annotation __proto__',
      parseMap('{"__proto__":"x"}'),
      undefined,
      undefined,
      parseMap('{"__proto__":"x"}'),
      parseMap('{"__proto__":"x"}'),
    ],
  ])('handles %s', (_, current, triggerTime, overCapacity, v20, v21) => {
    expect(JSON.stringify(annotationsFor(current, triggerTime, overCapacity, profileFor('1.20')))).toBe(JSON.stringify(v20));
    expect(JSON.stringify(annotationsFor(current, triggerTime, overCapacity, profileFor('1.21')))).toBe(JSON.stringify(v21));
  });
});

describe('areLabelsCorrect', () => {
  it.each<{ name: string; current: StringMap | null | undefined; service: Service; v119: boolean; v120: boolean; v133: boolean }>([
    { name: 'no labels on either side', current: undefined, service: serviceWithLabels(null), v119: true, v120: true, v133: false },
    { name: 'no labels, managed', current: managedByLabels, service: serviceWithLabels(null), v119: false, v120: false, v133: true },
    {
      name: 'managed by a different controller',
      current: { [managedByLabel]: 'x' },
      service: serviceWithLabels({}),
      v119: false,
      v120: false,
      v133: false,
    },
    { name: 'equal labels', current: { a: '1' }, service: serviceWithLabels({ a: '1' }), v119: true, v120: true, v133: false },
    {
      name: 'equal labels, managed',
      current: { a: '1', ...managedByLabels },
      service: serviceWithLabels({ a: '1' }),
      v119: false,
      v120: false,
      v133: true,
    },
    { name: 'a missing label', current: managedByLabels, service: serviceWithLabels({ a: '1' }), v119: false, v120: false, v133: false },
    {
      name: 'an additional label',
      current: { a: '1', ...managedByLabels },
      service: serviceWithLabels({}),
      v119: false,
      v120: false,
      v133: false,
    },
    {
      name: 'a different label value',
      current: { a: '2', ...managedByLabels },
      service: serviceWithLabels({ a: '1' }),
      v119: false,
      v120: false,
      v133: false,
    },
    { name: 'headless', current: headlessLabels, service: serviceWithLabels({}, 'None'), v119: false, v120: true, v133: false },
    {
      name: 'headless and managed',
      current: { ...headlessLabels, ...managedByLabels },
      service: serviceWithLabels({}, 'None'),
      v119: false,
      v120: false,
      v133: true,
    },
    { name: 'headless without its label', current: {}, service: serviceWithLabels({}, 'None'), v119: true, v120: true, v133: false },
    {
      name: 'no longer headless',
      current: { ...headlessLabels, ...managedByLabels },
      service: serviceWithLabels({}),
      v119: false,
      v120: false,
      v133: true,
    },
    {
      name: 'the Service has the headless label',
      current: headlessLabels,
      service: serviceWithLabels(headlessLabels, 'None'),
      v119: true,
      v120: false,
      v133: false,
    },
    {
      name: 'the Service has both labels',
      current: { ...headlessLabels, ...managedByLabels },
      service: serviceWithLabels({ ...headlessLabels, ...managedByLabels }, 'None'),
      v119: true,
      v120: false,
      v133: false,
    },
    {
      name: 'the Service has the managed-by label',
      current: managedByLabels,
      service: serviceWithLabels(managedByLabels),
      v119: true,
      v120: true,
      v133: false,
    },
    { name: 'no metadata', current: managedByLabels, service: {}, v119: false, v120: false, v133: true },
  ])('for $name, returns $v119 in 1.19.2, $v120 in 1.20 and $v133 in 1.33', ({ current, service, v119, v120, v133 }) => {
    expect(areLabelsCorrect(current, service, profileFor('1.19.2'))).toBe(v119);
    expect(areLabelsCorrect(current, service, profileFor('1.20'))).toBe(v120);
    expect(areLabelsCorrect(current, service, profileFor('1.33'))).toBe(v133);
  });
});
