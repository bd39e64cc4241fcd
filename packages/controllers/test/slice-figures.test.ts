import { createReconciler, type SlicePlan } from 'kube-endpoints';
import type { EndpointSlice, EndpointSliceInput, Pod } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { pod, service } from '../../cli/test/objects.ts';
import { sliceFigures } from '../src/controllers/slices-sync.ts';

const emptyPlan: SlicePlan = { create: [], update: [], delete: [], events: [], retry: false, reasons: [] };
const key = 'shop/web';

const plan = (pods: readonly Pod[], current: readonly EndpointSliceInput[], maxEndpointsPerSlice = 2): SlicePlan =>
  createReconciler({ maxEndpointsPerSlice }).reconcileSlices({
    key,
    service: service('web'),
    pods,
    nodes: [{ metadata: { name: 'node-1' } }],
    current,
  });

const podsUpTo = (count: number): Pod[] => Array.from({ length: count }, (_, i) => pod(`web-${i}`, 'web', `10.0.0.${i + 1}`));

/** The slices that are there once a plan is carried out, under names of their own. */
const carriedOut = ({ create, update }: SlicePlan): EndpointSlice[] =>
  [...create, ...update].map((slice, i) => ({
    ...slice,
    metadata: { ...slice.metadata, name: slice.metadata.name ?? `web-${i}`, uid: `u${i}` },
  }));

describe('figures of a plan for slices', () => {
  test('of a Service that has none yet', () => {
    expect(sliceFigures(plan(podsUpTo(5), []), [], 2)).toEqual({ there: 0, desired: 3, endpoints: 5, added: 5, removed: 0 });
  });

  test('of one that has what it needs', () => {
    const current = carriedOut(plan(podsUpTo(5), []));
    expect(sliceFigures(emptyPlan, current, 2)).toEqual({ there: 3, desired: 3, endpoints: 5, added: 0, removed: 0 });
  });

  test('of one whose pods change: who is ready now is no other endpoint', () => {
    const current = carriedOut(plan(podsUpTo(5), []));
    const [first, second, ...others] = podsUpTo(5) as [Pod, Pod, ...Pod[]];
    const changed = { ...first, status: { ...first.status, conditions: [{ type: 'Ready', status: 'False' }] } };
    const replaced = pod('web-new', 'web', '10.0.0.99');
    expect(second.metadata?.name).toBe('web-1');
    const figures = sliceFigures(plan([changed, replaced, ...others], current), current, 2);
    expect(figures).toMatchObject({ there: 3, endpoints: 5, added: 1, removed: 1 });
  });

  test('of one that is gone', () => {
    const current = carriedOut(plan(podsUpTo(5), []));
    const gone = createReconciler().reconcileSlices({ key, pods: [], current });
    const all: SlicePlan = {
      ...emptyPlan,
      delete: current.map(({ metadata }) => ({ ...gone.delete[0], metadata }) as SlicePlan['delete'][number]),
    };
    expect(sliceFigures(all, current, 2)).toEqual({ there: 3, desired: 0, endpoints: 0, added: 0, removed: 5 });
  });
});
