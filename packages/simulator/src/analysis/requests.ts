import type { ApiObject } from 'kube-endpoints/port';
import { computePodRequests, type Requests } from '../scheduler/pod-requests.ts';
import type { Container, PodSpec, ResourceList } from '../scheduler/types.ts';
import { isMap } from './fields.ts';
import { templateOf } from './proof/objects.ts';
import { keyOf, podCountOf, type World } from './world.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The spec of a pod, or of the pods of a workload. Empty if it has none. */
function podSpecOf(object: ApiObject): Fields {
  const spec: unknown = object.kind === 'Pod' ? object['spec'] : templateOf(object)?.spec;
  return isMap(spec) ? spec : {};
}

/** The maps in a list. The API server's validation refuses other values later. */
const mapsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isMap) : []);

/** What one pod of an object requests, in billionths; "pods" is one pod. Empty for an object without pods. */
export function requestsOf(object: ApiObject): Requests {
  if (object.kind !== 'Pod' && !templateOf(object)) return new Map();
  const { containers, initContainers, resources, overhead } = podSpecOf(object);
  const spec: PodSpec = {
    containers: mapsIn(containers).map(toContainer),
    initContainers: mapsIn(initContainers).map(toContainer),
    ...(isMap(resources) && { resources: { requests: withLimits(resources) } }),
    ...(isMap(overhead) && { overhead: overhead as ResourceList }),
  };
  return new Map([...computePodRequests({ metadata: {}, spec }, { usesStatus: false }), ['pods', nanosPerUnit]]);
}

const nanosPerUnit = 1_000_000_000n;

const toContainer = ({ restartPolicy, resources }: Fields): Container => ({
  ...(restartPolicy === 'Always' && { restartPolicy }),
  ...(isMap(resources) && { resources: { requests: withLimits(resources) } }),
});

/** By default, a request equals its limit. */
const withLimits = ({ limits, requests }: Fields): ResourceList =>
  ({ ...(isMap(limits) && limits), ...(isMap(requests) && requests) }) as ResourceList;

/** What all pods of a world request after its change, in billionths. */
export function sumRequests({ objects, change }: World): Requests {
  const nodeCount = objects.filter(({ kind }) => kind === 'Node').length;
  const sum = new Map<string, bigint>();
  for (const object of new Map([...objects, ...change].map((each) => [keyOf(each), each])).values()) {
    const count = BigInt(podCountOf(object, nodeCount));
    if (count > 0n) addRequests(sum, requestsOf(object), count);
  }
  return sum;
}

export function addRequests(sum: Map<string, bigint>, requests: Requests, count: bigint): void {
  for (const [name, nanos] of requests) sum.set(name, (sum.get(name) ?? 0n) + count * nanos);
}

/** Prints an amount in whole units, or CPU in thousandths. It is rounded up. */
export const printAmount = (name: string, nanos: bigint): string =>
  name === 'cpu' ? `${divideUp(nanos, nanosPerUnit / 1000n)}m` : String(divideUp(nanos, nanosPerUnit));

const divideUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** Whether pods may exclude each other from a node or a zone: they use ports of the node, or have required anti-affinity. */
export function isExclusive(object: ApiObject): boolean {
  const { containers, hostNetwork, affinity } = podSpecOf(object);
  const ports = mapsIn(containers).flatMap((container) => mapsIn(container['ports']));
  return ports.some(({ hostPort }) => hostNetwork === true || Boolean(hostPort)) || requiredTerms(affinity, ['podAntiAffinity']).length > 0;
}

/** The labels of nodes by which pods are required to be spread, or to be together. */
export function topologyKeysOf(object: ApiObject): string[] {
  const { topologySpreadConstraints, affinity } = podSpecOf(object);
  const required = mapsIn(topologySpreadConstraints).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  return [...required, ...requiredTerms(affinity, ['podAffinity', 'podAntiAffinity'])].flatMap(({ topologyKey }) =>
    typeof topologyKey === 'string' ? topologyKey : [],
  );
}

const requiredTerms = (affinity: unknown, fields: readonly string[]): Fields[] =>
  fields.flatMap((field) => {
    const terms = isMap(affinity) ? affinity[field] : undefined;
    return isMap(terms) ? mapsIn(terms['requiredDuringSchedulingIgnoredDuringExecution']) : [];
  });
