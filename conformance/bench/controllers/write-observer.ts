import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { podCountOf, type Size } from './world.ts';

/** Observes the writes of controllers through watches. */
export interface WriteObserver {
  /** Resolves once every pod is in the Endpoints and slices of its Service. Milliseconds since the epoch. */
  waitUntilComplete(): Promise<number>;
  /** Calls back when the pod has this readiness in the slice, and again when it has it in the Endpoints. */
  expect(pod: string, ready: boolean, seen: (where: 'endpoints' | 'slices') => void): void;
}

interface Expected {
  readonly ready: boolean;
  readonly seen: (where: 'endpoints' | 'slices') => void;
  open: number;
}

export async function createWriteObserver(client: ClientPort, size: Size): Promise<WriteObserver> {
  const wanted = Math.min(size.podsPerService, 1000) * size.services;
  const counts = { endpoints: new Map<string, number>(), slices: new Map<string, number>() };
  const totals = { endpoints: 0, slices: 0 };
  const expected = new Map<string, Expected>();
  let whenComplete: ((at: number) => void) | undefined;

  const count = (where: 'endpoints' | 'slices', key: string, now: number): void => {
    totals[where] += now - (counts[where].get(key) ?? 0);
    counts[where].set(key, now);
    if (totals.endpoints >= wanted && totals.slices >= podCountOf(size)) whenComplete?.(Date.now());
  };
  const reportIfExpected = (where: 'endpoints' | 'slices', bit: number, pod: string, ready: boolean): void => {
    const each = expected.get(pod);
    if (!each || each.ready !== ready || (each.open & bit) === 0) return;
    each.open &= ~bit;
    if (each.open === 0) expected.delete(pod);
    each.seen(where);
  };
  const onEndpoints = (object: ApiObject, key: string): void => {
    const subsets = (object['subsets'] ?? []) as readonly Subset[];
    count(
      'endpoints',
      key,
      subsets.reduce((sum, subset) => sum + (subset.addresses?.length ?? 0) + (subset.notReadyAddresses?.length ?? 0), 0),
    );
    if (expected.size === 0) return;
    for (const { addresses = [], notReadyAddresses = [] } of subsets) {
      for (const { targetRef } of addresses) reportIfExpected('endpoints', 1, targetRef.name, true);
      for (const { targetRef } of notReadyAddresses) reportIfExpected('endpoints', 1, targetRef.name, false);
    }
  };
  const onSlice = (object: ApiObject, key: string): void => {
    const endpoints = (object['endpoints'] ?? []) as readonly SliceEndpoint[];
    count('slices', key, endpoints.length);
    if (expected.size > 0)
      for (const { targetRef, conditions } of endpoints) reportIfExpected('slices', 2, targetRef.name, conditions.ready);
  };
  void followResource(client, resources.endpoints, onEndpoints);
  void followResource(client, resources.endpointSlices, onSlice);
  return {
    waitUntilComplete: () =>
      new Promise((resolve) => {
        whenComplete = resolve;
      }),
    expect(pod, ready, seen) {
      expected.set(pod, { ready, seen, open: 3 });
    },
  };
}

async function followResource(client: ClientPort, resource: Resource, see: (object: ApiObject, key: string) => void): Promise<void> {
  const { metadata } = await client.list(resource);
  for await (const { type, object } of client.watch(resource, { resourceVersion: metadata.resourceVersion })) {
    if (type === 'ADDED' || type === 'MODIFIED') see(object, `${object.metadata.namespace}/${object.metadata.name}`);
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
