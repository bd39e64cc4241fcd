import { describe, expect, it } from 'vitest';
import { createSliceReconciler, type SlicesInput } from '../../../src/incremental/slices/reconciler.ts';
import { sliceSettingsFor } from '../../../src/spec/settings.ts';
import type { EndpointSliceInput } from '../../../src/types/index.ts';
import { freezeDeeply } from '../../property/check.ts';
import { makePod, makeService } from '../../spec/objects.ts';
import {
  applyPlan,
  controller,
  key,
  makeEndpoint,
  makeNode,
  makeSlice,
  managedByLabel,
  ownLabels,
  summarizePlan,
} from '../../spec/slices/objects.ts';

const createTestReconciler = (version = '1.37', max = 3, timeZone?: string) =>
  createSliceReconciler(sliceSettingsFor({ version, maxEndpointsPerSlice: max, ...(timeZone !== undefined && { timeZone }) }));
const input = (fields: Partial<SlicesInput> = {}): SlicesInput => ({
  key,
  service: makeService(),
  pods: [makePod()],
  current: [],
  ...fields,
});
const plan = (fields: Partial<SlicesInput>, version?: string) => createTestReconciler(version).reconcileSlices(input(fields));

describe('bad input', () => {
  const manyEndpoints = Array.from({ length: 5000 }, (_, i) => makeEndpoint(`p${i}`, `10.1.${i >> 8}.${i & 255}`));
  const malformedSlices: EndpointSliceInput[] = [
    makeSlice('null', null),
    makeSlice('nulls', [{}, { addresses: null, conditions: null, targetRef: null, hints: null }, { addresses: [], hints: {} }]),
    makeSlice('twice', [makeEndpoint(), makeEndpoint()]),
    makeSlice('again', [makeEndpoint()]),
    makeSlice('family', [makeEndpoint('a', 'fd00::1')]),
    makeSlice('untyped', [makeEndpoint()], { addressType: undefined }),
    makeSlice('names', [makeEndpoint()], { addressType: 'FQDN' }),
    makeSlice('many', manyEndpoints),
    makeSlice('portless', [makeEndpoint()], { ports: null }),
    makeSlice('odd ports', [makeEndpoint()], { ports: [{}, { name: null, port: null }] }),
    makeSlice('unowned', [makeEndpoint()], { metadata: { ownerReferences: null } }),
    makeSlice('unconditional', [makeEndpoint('a', '10.0.0.1', { conditions: {} })]),
    { metadata: { labels: ownLabels, namespace: 'shop' } },
    {},
  ];

  it.each(['1.21', '1.24.1', '1.26', '1.33', '1.37'])(
    'one sync in %s leaves correct slices, given one malformed slice or all of them',
    (version) => {
      for (const current of [...malformedSlices.map((slice) => [slice]), malformedSlices]) {
        for (const annotations of [{}, { 'service.kubernetes.io/topology-aware-hints': 'Auto' }]) {
          const service = makeService({}, { annotations });
          const slicePlan = createTestReconciler(version, 100).reconcileSlices(
            freezeDeeply(input({ service, current, nodes: [makeNode('n1', 'a')] })),
          );
          const remaining = applyPlan(current, slicePlan).filter(
            (slice) => slice.metadata?.labels?.[managedByLabel] === controller && slice.addressType === 'IPv4',
          );
          const ownEndpoints = remaining
            .filter(({ metadata }) => metadata?.ownerReferences?.length)
            .flatMap(({ endpoints }) => endpoints ?? []);
          expect(ownEndpoints.map(({ addresses }) => addresses)).toEqual([['10.0.0.1']]);
        }
      }
    },
  );

  it('accepts a Service, pods and nodes without any fields', () => {
    const reconciler = createTestReconciler();
    expect(summarizePlan(reconciler.reconcileSlices({ key: '', service: {}, pods: [{}], current: [{}] }))).toBe(
      '0 0 0 ServiceHasNoSelector',
    );
    const service = { spec: { selector: {} } };
    const slicePlan = reconciler.reconcileSlices({
      key: '/',
      service,
      pods: [{}, { metadata: null, spec: null, status: null }],
      nodes: [{}],
      current: [{}],
    });
    expect(summarizePlan(slicePlan)).toBe('2 0 0 Placeholder');
  });

  it('accepts a node without a name or labels', () => {
    expect(plan({ nodes: [{}, { metadata: { name: 'n1', labels: null } }] }).create[0]?.endpoints).toEqual([makeEndpoint()]);
  });
});
