import { describe, expect, it } from 'vitest';
import { createMirror } from '../../../src/incremental/mirror.ts';
import { type MirrorInput, mirrorEndpoints } from '../../../src/spec/mirroring/mirror.ts';
import type { SlicePlan } from '../../../src/spec/slices/plan.ts';
import type { EndpointSliceInput, Service } from '../../../src/types/index.ts';
import {
  controllerName,
  makeEndpoints,
  makeMirrored,
  makeReadySubset,
  managedByLabel,
  mirrorLabels,
  serviceNameLabel,
  summarizeSlice,
} from './objects.ts';

const key = 'shop/db';
const service: Service = { metadata: { name: 'db', namespace: 'shop', uid: 's1' }, spec: { clusterIP: 'None' } };
const endpoints = makeEndpoints([makeReadySubset(['10.0.0.1'])]);
const matchingSlice = makeMirrored('db-a', ['10.0.0.1']);
const skipMetadata = { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } };
const lockMetadata = { annotations: { 'control-plane.alpha.kubernetes.io/leader': '' } };

const summarize = ({ create, update, delete: toDelete, retry, reasons }: SlicePlan) => ({
  writes: [
    ...create.map((slice) => `create ${summarizeSlice(slice)}`),
    ...update.map((slice) => `update ${summarizeSlice(slice)}`),
    ...toDelete.map(({ metadata }) => `delete ${metadata.name}`),
  ],
  retry,
  codes: reasons.map(({ code }) => code),
});

describe('createMirror mirrors Endpoints depending on their labels and Service', () => {
  const cases: { name: string; version?: string; input: Partial<MirrorInput>; writes: string[]; code: string }[] = [
    { name: 'a Service without selector', input: { service, endpoints }, writes: [], code: 'SlicesEqual' },
    { name: 'missing Endpoints', input: { service }, writes: ['delete db-a'], code: 'EndpointsMissing' },
    { name: 'missing Endpoints and a missing Service', input: {}, writes: ['delete db-a'], code: 'EndpointsMissing' },
    {
      name: 'the label skip-mirror',
      input: { service, endpoints: makeEndpoints([], skipMetadata) },
      writes: ['delete db-a'],
      code: 'NotMirrored',
    },
    {
      name: 'a leader election annotation',
      input: { service, endpoints: makeEndpoints([], lockMetadata) },
      writes: ['delete db-a'],
      code: 'NotMirrored',
    },
    { name: 'a missing Service', input: { endpoints }, writes: ['delete db-a'], code: 'ServiceMissing' },
    {
      name: 'a null selector',
      input: { service: { ...service, spec: { selector: null } }, endpoints },
      writes: [],
      code: 'SlicesEqual',
    },
    {
      name: 'a Service of type ExternalName',
      input: { service: { ...service, spec: { type: 'ExternalName' } }, endpoints },
      writes: [],
      code: 'SlicesEqual',
    },
    ...['1.21', '1.22', '1.23.0', '1.37'].map((version) => ({
      name: 'a selector',
      version,
      input: { service: { ...service, spec: { selector: { app: 'db' } } }, endpoints },
      writes: ['delete db-a'],
      code: 'ServiceHasSelector',
    })),
    {
      name: 'an empty selector',
      input: { service: { spec: { selector: {} } }, endpoints },
      writes: ['delete db-a'],
      code: 'ServiceHasSelector',
    },
    ...['1.21.0', '1.22.0'].map((version) => ({
      name: 'a selector, before the release checks it',
      version,
      input: { service: { ...service, spec: { selector: { app: 'db' } } }, endpoints },
      writes: [],
      code: 'ServiceHasSelector',
    })),
  ];
  it.each(cases)('handles $name $version', ({ version, input, writes, code }) => {
    const plan = createMirror(version ? { version } : {}).mirror({ key, current: [matchingSlice], ...input });
    expect(summarize(plan)).toEqual({ writes, retry: false, codes: [code] });
    expect(plan.events).toEqual([]);
  });

  it.each(['false', 'True', ''])('mirrorEndpoints mirrors Endpoints whose label skip-mirror is %j', (value) => {
    const labels = { 'endpointslice.kubernetes.io/skip-mirror': value };
    expect(mirrorEndpoints(makeEndpoints([makeReadySubset(['10.0.0.1'])], { labels }))).toHaveLength(1);
  });
});

describe('createMirror', () => {
  const foreignSlices: [string, EndpointSliceInput][] = [
    [
      'of a different controller',
      makeMirrored('x', [], { metadata: { labels: { ...mirrorLabels, [managedByLabel]: 'endpointslice-controller.k8s.io' } } }),
    ],
    ['without a managed-by label', makeMirrored('x', [], { metadata: { labels: { [serviceNameLabel]: 'db' } } })],
    [
      'of a different Service',
      makeMirrored('x', [], { metadata: { labels: { [managedByLabel]: controllerName, [serviceNameLabel]: 'web' } } }),
    ],
    ['without a Service', makeMirrored('x', [], { metadata: { labels: { [managedByLabel]: controllerName } } })],
    ['of a different namespace', makeMirrored('x', [], { metadata: { namespace: 'other' } })],
    ['without a name', makeMirrored('', [])],
    ['without metadata', { addressType: 'IPv4' }],
  ];
  it.each(foreignSlices)('ignores a slice %s', (_, slice) => {
    const mirror = createMirror();
    expect(summarize(mirror.mirror({ key, service, current: [slice] })).writes).toEqual([]);
    expect(summarize(mirror.mirror({ key, service, endpoints, current: [slice] })).writes).toEqual(['create db-* IPv4 sql: 10.0.0.1']);
  });

  it.each<[string, EndpointSliceInput]>(foreignSlices.slice(0, 2))('does not track a slice %s', (_, slice) => {
    const mirror = createMirror();
    mirror.observe(slice);
    mirror.expectDeletion(slice);
    expect(mirror.handleDeletion(slice)).toBe(true);
    expect(mirror.mirror({ key, service, endpoints, current: [matchingSlice] }).retry).toBe(false);
  });
});

describe('the tracked state of a mirror', () => {
  const generation = (value: number) => makeMirrored('db-a', ['10.0.0.1'], { metadata: { generation: value } });
  const sync = (mirror: ReturnType<typeof createMirror>, ...current: EndpointSliceInput[]) =>
    summarize(mirror.mirror({ key, service, endpoints, current }));
  const stalePlan = { writes: [], retry: true, codes: ['SlicesStale'] };
  const settledPlan = { writes: [], retry: false, codes: ['SlicesEqual'] };

  it('waits for written slices to appear in the cache', () => {
    const mirror = createMirror();
    mirror.observe(generation(2));
    expect(sync(mirror, generation(1))).toEqual(stalePlan);
    expect(sync(mirror)).toEqual(stalePlan);
    expect(sync(mirror, generation(2))).toEqual(settledPlan);
    expect(sync(mirror, generation(3))).toEqual(settledPlan);
  });

  it('waits for deletions to appear in the cache', () => {
    const mirror = createMirror();
    mirror.expectDeletion(generation(1));
    expect(sync(mirror, generation(1))).toEqual(stalePlan);
    expect(mirror.handleDeletion(generation(1))).toBe(true);
    expect(sync(mirror, makeMirrored('db-b', ['10.0.0.1']))).toEqual(settledPlan);
  });

  it('reports deletions by other clients', () => {
    const mirror = createMirror();
    mirror.observe(generation(1));
    expect(mirror.handleDeletion(generation(1))).toBe(false);
    expect(mirror.handleDeletion(generation(1))).toBe(true);
  });

  it.each(['forget', 'a sync without Endpoints'])('is cleared by %s', (action) => {
    const mirror = createMirror();
    mirror.observe(generation(2));
    if (action === 'forget') mirror.forget(key);
    else mirror.mirror({ key, service, current: [] });
    expect(sync(mirror, generation(1))).toEqual(settledPlan);
  });

  it('is kept if the release ignores a selector', () => {
    const mirror = createMirror({ version: '1.21.0' });
    mirror.observe(generation(2));
    mirror.mirror({ key, service: { spec: { selector: {} } }, endpoints, current: [] });
    expect(sync(mirror, generation(1))).toEqual(stalePlan);
  });

  it.each([
    ['1.30', true],
    ['1.31.0', false],
    ['1.37', false],
  ])('in %s, handleDeletion returns %s for a slice that was never written', (version, isExpected) => {
    const mirror = createMirror({ version });
    sync(mirror, generation(1));
    expect(mirror.handleDeletion(generation(1))).toBe(isExpected);
  });

  it('keeps a newer generation when the slices are equal', () => {
    const mirror = createMirror();
    mirror.observe(generation(2));
    sync(mirror, generation(2));
    expect(sync(mirror, generation(1))).toEqual(stalePlan);
  });
});

describe('mirrorEndpoints', () => {
  it.each<[string, Parameters<typeof makeEndpoints>[1], number]>([
    ['plain Endpoints', {}, 1],
    ['Endpoints with the label skip-mirror', skipMetadata, 0],
    ['a leader-election lock', lockMetadata, 0],
    ['Endpoints being deleted', { deletionTimestamp: '2026-01-01T00:00:00Z' }, 0],
  ])('returns the expected number of slices for %s', (_, metadata, count) => {
    expect(mirrorEndpoints(makeEndpoints([makeReadySubset(['10.0.0.1'])], metadata))).toHaveLength(count);
  });

  it('accepts null lists and an object without fields', () => {
    expect(mirrorEndpoints({})).toEqual([]);
    expect(mirrorEndpoints({ metadata: null, subsets: null })).toEqual([]);
    expect(mirrorEndpoints(makeEndpoints([{ addresses: null, notReadyAddresses: null, ports: null }]))).toEqual([]);
  });

  it.each([0, -1, 1.5, 1001, Number.NaN])('refuses a maximum of %d', (maxEndpointsPerSubset) => {
    expect(() => mirrorEndpoints(endpoints, { maxEndpointsPerSubset })).toThrow(RangeError);
    expect(() => createMirror({ maxEndpointsPerSubset })).toThrow(/maxEndpointsPerSubset.*from 1 to 1,000/);
  });

  it.each(['1.99', '1.18'])('refuses version %s', (version) => {
    expect(() => mirrorEndpoints(endpoints, { version })).toThrow(RangeError);
    expect(() => createMirror({ version })).toThrow(RangeError);
  });
});
