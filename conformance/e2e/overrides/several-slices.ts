import { setTimeout as pause } from 'node:timers/promises';
import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import type { Manifest } from '../../../examples/manifest.ts';
import { type Api, pathOf } from '../api.ts';
import { type Check, check } from '../compare.ts';
import { namespace } from './fleet.ts';
import { minReady } from './rules.ts';

const sliceNumbers = [1, 2, 3];
/** The prefix selects the rules for "full-*". */
const serviceName = 'full-by-hand';
const nameOf = (number: number): string => `${serviceName}-${number}`;
/** Time until the webhook's cache contains the writes. */
const SETTLE_MS = 3000;

/**
 * Checks that the required number of pods stays ready in a Service with several slices, although all slices are written within
 * milliseconds.
 */
export async function checkSeveralSlices(key: string, api: Api): Promise<Check[]> {
  for (const number of sliceNumbers) await api.post(pathOf('EndpointSlice', namespace), sliceManifest(number));
  try {
    await pause(SETTLE_MS);
    for (const number of sliceNumbers) await setReady(api, number, false);
    const afterSequentialWrites = await countReady(api);
    for (const number of sliceNumbers) await setReady(api, number, true);
    await pause(SETTLE_MS);
    await Promise.all(sliceNumbers.map((number) => setReady(api, number, false)));
    return [
      check(key, 'ready endpoints after sequential writes of slices', afterSequentialWrites, minReady),
      check(key, 'ready endpoints after concurrent writes of slices', await countReady(api), minReady),
    ];
  } finally {
    for (const number of sliceNumbers) await api.delete(pathOf('EndpointSlice', namespace, nameOf(number)));
  }
}

const setReady = (api: Api, number: number, ready: boolean): Promise<Manifest> =>
  api.mergePatch(pathOf('EndpointSlice', namespace, nameOf(number)), { endpoints: endpointsOf(number, ready) });

async function countReady(api: Api): Promise<number> {
  const slices = (await api.list(pathOf('EndpointSlice', namespace))) as readonly EndpointSliceInput[];
  return slices
    .filter(({ metadata }) => metadata?.labels?.['kubernetes.io/service-name'] === serviceName)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready).length;
}

const sliceManifest = (number: number): Manifest & EndpointSliceInput => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace, name: nameOf(number), labels: { 'kubernetes.io/service-name': serviceName } },
  addressType: 'IPv4',
  endpoints: endpointsOf(number, true),
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
});

const endpointsOf = (number: number, ready: boolean): EndpointInput[] =>
  [1, 2, 3].map((index) => ({ addresses: [`10.67.${number}.${index}`], conditions: { ready, serving: ready, terminating: false } }));
