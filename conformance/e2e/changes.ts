import { keyOf, type Manifest } from '../../examples/manifest.ts';
import type { Random } from '../../examples/random.ts';
import { type Api, inParallel, pathOf } from './api.ts';
import { type ClusterSnapshot, selects } from './cluster-snapshot.ts';
import { load } from './load.ts';
import { randomPod } from './random-objects.ts';

interface Change {
  readonly object: Manifest;
  /** The pod's labels after the change, if it changes them. */
  readonly labels?: Record<string, string>;
  apply(): Promise<unknown>;
}

/** Creates a change of an object; the change happens when its `apply` is called. */
type MakeChange = (api: Api, object: Manifest, random: Random) => Change;

const POD_CHANGES: readonly [MakeChange, ...MakeChange[]] = [
  flipReadiness,
  flipReadiness,
  flipReadiness,
  remove,
  terminate,
  relabel,
  fail,
  addPod,
];
const SERVICE_CHANGES: readonly [MakeChange, ...MakeChange[]] = [changeLabel, retarget, togglePublish, dropSelector, remove];

/** Changes random pods and Services, each at most once, and returns the number of changes per Service key. */
export async function applyRandomChanges(
  api: Api,
  snapshot: ClusterSnapshot,
  random: Random,
  counts: { pods: number; services: number },
): Promise<Map<string, number>> {
  const pods = [...snapshot.pods.values()].flat().filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const services = snapshot.services.filter(({ spec }) => spec?.['selector'] !== undefined);
  const changes = [
    ...pickObjects(pods, counts.pods, random).map((pod) => random.pick(POD_CHANGES)(api, pod, random)),
    ...pickObjects(services, counts.services, random).map((service) => random.pick(SERVICE_CHANGES)(api, service, random)),
  ];
  await inParallel(changes, async (change) => {
    await change.apply();
  });
  const changeCounts = new Map<string, number>();
  for (const { object, labels } of changes) {
    for (const service of snapshot.services.filter((candidate) => affects(candidate, object, labels))) {
      changeCounts.set(keyOf(service), (changeCounts.get(keyOf(service)) ?? 0) + 1);
    }
  }
  return changeCounts;
}

function affects(service: Manifest, object: Manifest, labels?: Record<string, string>): boolean {
  if (object.kind === 'Service') return keyOf(service) === keyOf(object);
  if (service.metadata.namespace !== object.metadata.namespace) return false;
  return selects(service, object.metadata.labels) || selects(service, labels ?? object.metadata.labels);
}

function pickObjects(objects: readonly Manifest[], count: number, random: Random): Manifest[] {
  const rest = [...objects];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(random.below(rest.length), 1)).flat();
}

function pathTo({ kind, metadata }: Manifest): string {
  return pathOf(kind, metadata.namespace, metadata.name);
}

function flipReadiness(api: Api, pod: Manifest): Change {
  return putStatus(api, pod, createFlippedStatus(pod));
}

/**
 * Sets Failed and not ready together, like the kubelet, because kube-controller-manager detects a changed pod by its readiness, not by its
 * phase.
 */
function fail(api: Api, pod: Manifest): Change {
  return putStatus(api, pod, isReady(pod) ? { ...createFlippedStatus(pod), phase: 'Failed' } : createFlippedStatus(pod));
}

function putStatus(api: Api, pod: Manifest, status: Record<string, unknown>): Change {
  return { object: pod, apply: () => api.put(`${pathTo(pod)}/status`, { ...pod, status }) };
}

/** Returns the pod's status with its readiness flipped at the current time. */
function createFlippedStatus(pod: Manifest): Record<string, unknown> {
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const ready = { type: 'Ready', status: isReady(pod) ? 'False' : 'True', lastTransitionTime };
  return { ...pod.status, conditions: [...conditionsOf(pod).filter(({ type }) => type !== 'Ready'), ready] };
}

function isReady(pod: Manifest): boolean {
  return conditionsOf(pod).some(({ type, status }) => type === 'Ready' && status === 'True');
}

function conditionsOf(pod: Manifest): readonly { type: string; status: string }[] {
  return (pod.status?.['conditions'] ?? []) as { type: string; status: string }[];
}

function remove(api: Api, object: Manifest): Change {
  return { object, apply: () => api.delete(pathTo(object), 0) };
}

function terminate(api: Api, pod: Manifest): Change {
  return { object: pod, apply: () => api.delete(pathTo(pod), 3600) };
}

function relabel(api: Api, pod: Manifest): Change {
  const labels = { ...pod.metadata.labels, app: 'set-aside' };
  return { object: pod, labels, apply: () => api.mergePatch(pathTo(pod), { metadata: { labels } }) };
}

/**
 * Adds a new pod with the labels of an existing one. Its status is written after its creation. Without an address in it,
 * kube-controller-manager does not sync because of that write, and learns the time of the Ready condition only in a later sync; so a pod
 * without an address gets no conditions.
 */
function addPod(api: Api, pod: Manifest, random: Random): Change {
  const { namespace = '', labels = {} } = pod.metadata;
  const template = randomPod(random, namespace, `added-${random.suffix(10)}`, labels['app'] ?? '');
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...metadata } = template.metadata;
  const status = template.status?.['podIP'] === undefined ? { ...template.status, conditions: [] } : template.status;
  const addedPod = { ...template, metadata: { ...metadata, labels }, status };
  return { object: addedPod, apply: () => load(api, [addedPod]) };
}

function changeLabel(api: Api, service: Manifest, random: Random): Change {
  return patch(api, service, { metadata: { labels: { changed: random.suffix() } } });
}

function retarget(api: Api, service: Manifest, random: Random): Change {
  const ports = ((service.spec?.['ports'] ?? []) as object[]).map((port) => ({
    ...port,
    targetPort: random.pick([8080, 9090, 'http', 'grpc']),
  }));
  return patch(api, service, { spec: { ports } });
}

function togglePublish(api: Api, service: Manifest): Change {
  return patch(api, service, { spec: { publishNotReadyAddresses: service.spec?.['publishNotReadyAddresses'] !== true } });
}

function dropSelector(api: Api, service: Manifest): Change {
  return patch(api, service, { spec: { selector: null } });
}

function patch(api: Api, service: Manifest, body: object): Change {
  return { object: service, apply: () => api.mergePatch(pathTo(service), body) };
}
