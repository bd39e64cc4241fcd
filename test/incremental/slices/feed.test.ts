import { describe, expect, it } from 'vitest';
import { createReconciler, type PodFeed, type Reconciler } from '../../../src/index.ts';
import type { EndpointSliceInput, Node, Pod } from '../../../src/types/index.ts';
import { scramble } from '../../property/check.ts';
import { makePod, makeService } from '../../spec/objects.ts';
import { applyPlan, key, makeNode, summarizePlan } from '../../spec/slices/objects.ts';

const service = makeService({ ipFamilies: ['IPv4', 'IPv6'] });
const nodes = [makeNode('n1', 'z')];

/** A cluster with one Service whose pods come from a feed. Holds the pods and slices, and counts how often the full pod list was read. */
function createCluster(reconciler: Reconciler = createReconciler({ maxEndpointsPerSlice: 4, minIndexedPods: 0 })) {
  const podsByName = new Map<string, Pod>();
  const changes = new Map<string, Pod | undefined>();
  let current: EndpointSliceInput[] = [];
  let [reads, syncCount] = [0, 0];
  const feed: PodFeed = {
    all: () => {
      reads++;
      return podsByName.values();
    },
    changes,
  };
  const put = (...pods: Pod[]): void => {
    for (const pod of pods) {
      podsByName.set(pod.metadata?.name ?? '', pod);
      changes.set(pod.metadata?.name ?? '', pod);
    }
  };
  const remove = (name: string): void => {
    podsByName.delete(name);
    changes.set(name, undefined);
  };
  /** Runs one sync and applies its plan. Expects the plan that a new reconciler makes from the full pod list. */
  const sync = (clusterNodes: readonly Node[] = nodes, syncedService = service): string => {
    const plan = reconciler.reconcileSlices({ key, service: syncedService, pods: feed, nodes: clusterNodes, current });
    changes.clear();
    const listReconciler = createReconciler({ maxEndpointsPerSlice: 4, minIndexedPods: 0 });
    const expected = listReconciler.reconcileSlices({
      key,
      service: syncedService,
      pods: [...podsByName.values()],
      nodes: clusterNodes,
      current,
    });
    expect({ ...plan, events: [] }).toStrictEqual({ ...expected, events: [] });
    current = applyPlan(current, plan, `new${syncCount++}-`);
    const text = summarizePlan(plan);
    scramble(plan);
    return text;
  };
  return { reconciler, feed, put, remove, sync, slices: () => current, reads: () => reads };
}

const makePods = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => makePod(`p${from + i}`, { ip: `10.0.0.${from + i}`, spec: { nodeName: 'n1' } }));

describe('a pod feed', () => {
  it('is read in full for the first two syncs; later syncs read only its changes', () => {
    const { put, remove, sync, reads } = createCluster();
    put(...makePods(10));
    expect(sync()).toBe('4 0 0 EndpointsAdded Placeholder');
    put(makePod('p3', { ip: '10.0.0.3', ready: false }));
    expect(sync()).toBe('0 1 0 EndpointsDiffer');
    remove('p9');
    expect(sync()).toBe('0 1 0 EndpointsDiffer');
    put(...makePods(1, 50));
    expect(sync()).toBe('0 1 0 EndpointsAdded');
    put(makePod('p3', { ip: '10.0.0.99' }), makePod('six', { ip: 'fd00::1' }));
    expect(sync()).toMatch(/^0 2 0 /);
    for (let i = 0; i < 10; i++) remove(`p${i}`);
    expect(sync()).toMatch(/^0 0 2 |^0 1 2 /);
    expect(sync()).toBe('0 0 0 SlicesEqual');
    expect(reads()).toBe(2);
  });

  it('need not repeat changes that it reported to a sync whose plan was to retry', () => {
    const { reconciler, put, remove, sync, reads, slices, feed } = createCluster();
    put(...makePods(6));
    sync();
    sync();
    const [slice] = slices();
    const newerSlice = { ...slice, metadata: { ...slice?.metadata, generation: 99 } } as EndpointSliceInput;
    reconciler.observe(newerSlice);
    for (const name of ['p0', 'p1']) {
      remove(name);
      const plan = reconciler.reconcileSlices({ key, service, pods: feed, nodes, current: slices() });
      expect(summarizePlan(plan)).toBe('0 0 0 SlicesStale');
      (feed.changes as Map<string, unknown>).clear();
    }
    put(makePod('p1', { ip: '10.0.0.1' }));
    reconciler.observe(slice as EndpointSliceInput);
    expect(sync()).toBe('0 1 0 EndpointsDiffer');
    expect(reads()).toBe(2);
  });

  it.each<[string, (cluster: ReturnType<typeof createCluster>) => unknown]>([
    ['a change of the ports', ({ sync }) => sync(nodes, makeService({ ports: [] }))],
    ['a change of the nodes', ({ sync }) => sync([...nodes, makeNode('n2', 'z')])],
    ['a change of the zones', ({ sync }) => sync([makeNode('n1', 'y')])],
    ['a sync with a list of pods', ({ reconciler }) => reconciler.reconcileSlices({ key, service, pods: [], nodes, current: [] })],
    [
      'a sync without a selector',
      ({ reconciler }) => reconciler.reconcileSlices({ key, service: makeService({ selector: null }), pods: [], current: [] }),
    ],
    ['forget', ({ reconciler }) => reconciler.forget(key)],
  ])('is read in full again after %s', (_, action) => {
    const cluster = createCluster();
    cluster.put(...makePods(6));
    cluster.sync();
    cluster.sync();
    expect(cluster.reads()).toBe(2);
    action(cluster);
    cluster.put(makePod('p1', { ip: '10.0.0.77' }));
    (cluster.feed.changes as Map<string, unknown>).clear();
    cluster.sync();
    expect(cluster.reads()).toBeGreaterThan(2);
  });

  it('is not read in full again when all slices are gone', () => {
    const { reconciler, put, sync, reads, feed } = createCluster();
    put(...makePods(3));
    sync();
    sync();
    const plan = reconciler.reconcileSlices({ key, service, pods: feed, nodes, current: [] });
    expect(summarizePlan(plan)).toBe('2 0 0 EndpointsAdded Placeholder');
    expect(reads()).toBe(2);
  });

  it('lets the reconciler skip slices whose pods did not change', () => {
    const { reconciler, put, sync, slices, feed } = createCluster();
    put(...makePods(12));
    sync();
    sync();
    const readSlices = new Set<string | null | undefined>();
    const current = slices().map((slice) => ({
      ...slice,
      endpoints: (slice.endpoints ?? []).map((endpoint) => ({
        ...endpoint,
        get addresses() {
          readSlices.add(slice.metadata?.name);
          return endpoint.addresses;
        },
      })),
    }));
    const countReadSlices = (...pods: Pod[]): number => {
      readSlices.clear();
      put(...pods);
      reconciler.reconcileSlices({ key, service, pods: feed, nodes, current });
      (feed.changes as Map<string, unknown>).clear();
      return readSlices.size;
    };
    const p3 = { ip: '10.0.0.3', spec: { nodeName: 'n1' } };
    expect(countReadSlices()).toBe(3);
    expect(countReadSlices()).toBe(0);
    expect(countReadSlices(makePod('p3', { ...p3, metadata: { annotations: { a: 'b' } } }))).toBe(0);
    expect(countReadSlices(makePod('p3', { ...p3, ready: false }))).toBe(1);
  });
});
