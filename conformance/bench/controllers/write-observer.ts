import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { type ClusterSize, countPods } from './objects.ts';

/** Observes the writes of controllers through watches. */
export interface WriteObserver {
  /** Resolves once every pod is in the Endpoints and slices of its Service, with that time in milliseconds since the epoch. */
  waitUntilComplete(): Promise<number>;
  /** Calls `onSeen` once when the slice shows this readiness of the pod, and once when the Endpoints show it. */
  expect(pod: string, ready: boolean, onSeen: (target: 'endpoints' | 'slices') => void): void;
}

/** The bits of `pendingTargets`. */
const targetBits = { endpoints: 1, slices: 2 };

interface Expectation {
  readonly ready: boolean;
  readonly onSeen: (target: 'endpoints' | 'slices') => void;
  pendingTargets: number;
}

export async function createWriteObserver(client: ClientPort, size: ClusterSize): Promise<WriteObserver> {
  // Kubernetes truncates Endpoints to 1,000 addresses.
  const expectedEndpoints = Math.min(size.podsPerService, 1000) * size.services;
  const counts = { endpoints: new Map<string, number>(), slices: new Map<string, number>() };
  const totals = { endpoints: 0, slices: 0 };
  const expectations = new Map<string, Expectation>();
  let resolveComplete: ((at: number) => void) | undefined;

  const recordCount = (target: 'endpoints' | 'slices', key: string, newCount: number): void => {
    totals[target] += newCount - (counts[target].get(key) ?? 0);
    counts[target].set(key, newCount);
    if (totals.endpoints >= expectedEndpoints && totals.slices >= countPods(size)) resolveComplete?.(Date.now());
  };
  const reportIfExpected = (target: 'endpoints' | 'slices', pod: string, ready: boolean): void => {
    const expectation = expectations.get(pod);
    if (!expectation || expectation.ready !== ready || (expectation.pendingTargets & targetBits[target]) === 0) return;
    expectation.pendingTargets &= ~targetBits[target];
    if (expectation.pendingTargets === 0) expectations.delete(pod);
    expectation.onSeen(target);
  };
  const onEndpoints = (object: ApiObject, key: string): void => {
    const subsets = (object['subsets'] ?? []) as readonly Subset[];
    recordCount(
      'endpoints',
      key,
      subsets.reduce((sum, subset) => sum + (subset.addresses?.length ?? 0) + (subset.notReadyAddresses?.length ?? 0), 0),
    );
    if (expectations.size === 0) return;
    for (const { addresses = [], notReadyAddresses = [] } of subsets) {
      for (const { targetRef } of addresses) reportIfExpected('endpoints', targetRef.name, true);
      for (const { targetRef } of notReadyAddresses) reportIfExpected('endpoints', targetRef.name, false);
    }
  };
  const onSlice = (object: ApiObject, key: string): void => {
    const endpoints = (object['endpoints'] ?? []) as readonly SliceEndpoint[];
    recordCount('slices', key, endpoints.length);
    if (expectations.size > 0)
      for (const { targetRef, conditions } of endpoints) reportIfExpected('slices', targetRef.name, conditions.ready);
  };
  void followResource(client, resources.endpoints, onEndpoints);
  void followResource(client, resources.endpointSlices, onSlice);
  return {
    waitUntilComplete: () =>
      new Promise((resolve) => {
        resolveComplete = resolve;
      }),
    expect(pod, ready, onSeen) {
      expectations.set(pod, { ready, onSeen, pendingTargets: targetBits.endpoints | targetBits.slices });
    },
  };
}

async function followResource(client: ClientPort, resource: Resource, onObject: (object: ApiObject, key: string) => void): Promise<void> {
  const { metadata } = await client.list(resource);
  for await (const { type, object } of client.watch(resource, { resourceVersion: metadata.resourceVersion })) {
    if (type === 'ADDED' || type === 'MODIFIED') onObject(object, `${object.metadata.namespace}/${object.metadata.name}`);
  }
}

interface Subset {
  readonly addresses?: readonly { readonly targetRef: { readonly name: string } }[];
  readonly notReadyAddresses?: readonly { readonly targetRef: { readonly name: string } }[];
}

interface SliceEndpoint {
  readonly targetRef: { readonly name: string };
  readonly conditions: { readonly ready: boolean };
}
