import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { ContainerRef, ListenerState, TimelineEntry } from '../engine/timeline.ts';
import type { Listeners } from '../network/router.ts';

/** A pod at an address, as a connection meets it. */
export interface TrackedPod {
  /** "namespace/name" */
  readonly key: string;
  readonly uid: string;
  readonly addresses: readonly string[];
  /** The name of its node. */
  readonly node: string;
  readonly object: ApiObject;
}

export interface TrackedListener {
  readonly state: ListenerState;
  /** The id of the entry of this state. */
  readonly entry: number;
  /** When the container stopped accepting connections, in milliseconds since the epoch. */
  readonly closedAt: number | undefined;
}

/** The pods and listeners of a timeline, up to the entry that was applied last. */
export interface PodTracker {
  apply(entry: TimelineEntry): void;
  /** The pod that had an address last. */
  at(address: string): TrackedPod | undefined;
  /** The pod of a UID, while it has an address. */
  byUid(uid: string): TrackedPod | undefined;
  /** The listener of the container that serves a port of a Service; undefined if it has never listened. */
  listenerOf(pod: TrackedPod, service: string, port: string): TrackedListener | undefined;
  /** The name of the container that serves a port of a Service. */
  containerOf(pod: TrackedPod, service: string, port: string): string;
  /** The state of a container's listener; undefined if it has never listened. */
  stateOf(ref: ContainerRef): ListenerState | undefined;
  /** Whether a node is lost. */
  isLost(node: string): boolean;
  /** The pods with an address on a node. */
  onNode(node: string): readonly TrackedPod[];
  /** Whether a container got SIGKILL last. */
  isKilled(ref: ContainerRef): boolean;
}

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly readinessProbe?: unknown;
}

interface PodSpec {
  readonly spec?: { readonly nodeName?: string; readonly containers?: readonly Container[] };
  readonly status?: { readonly phase?: string; readonly podIP?: string; readonly podIPs?: readonly { readonly ip?: string }[] };
}

export function createPodTracker(): PodTracker {
  const byAddress = new Map<string, TrackedPod>();
  const byUid = new Map<string, TrackedPod>();
  const listeners = new Map<string, TrackedListener>();
  const killed = new Set<string>();
  const lostNodes = new Set<string>();
  const services = new Map<string, ApiObject>();
  const containerOf = (pod: TrackedPod, service: string, port: string): string => findContainer(pod.object, services.get(service), port);
  return {
    at: (address) => byAddress.get(address),
    byUid: (uid) => byUid.get(uid),
    containerOf,
    listenerOf: (pod, service, port) => listeners.get(`${pod.uid}/${containerOf(pod, service, port)}`),
    stateOf: (ref) => listeners.get(keyOf(ref))?.state,
    isLost: (node) => lostNodes.has(node),
    onNode: (node) => [...byUid.values()].filter((pod) => pod.node === node),
    isKilled: (ref) => killed.has(keyOf(ref)),
    apply: (entry) => {
      if (entry.type === 'listener') listeners.set(keyOf(entry), nextListener(listeners.get(keyOf(entry)), entry));
      else if (entry.type === 'node' && entry.what === 'lost') lostNodes.add(entry.node);
      else if (entry.type === 'node' && entry.what === 'restored') lostNodes.delete(entry.node);
      else if (entry.type === 'container' && entry.what === 'SIGKILL') killed.add(keyOf(entry));
      else if (entry.type === 'container' && entry.what === 'started') killed.delete(keyOf(entry));
      else if ((entry.type === 'create' || entry.type === 'update') && entry.object.kind === 'Service')
        services.set(objectKey(entry.object), entry.object);
      else if ((entry.type === 'create' || entry.type === 'update') && entry.object.kind === 'Pod') {
        const pod = trackPod(entry.object);
        if (pod.addresses.length > 0) byUid.set(pod.uid, pod);
        for (const address of pod.addresses) if (!hasEnded(pod) || byAddress.get(address)?.uid === pod.uid) byAddress.set(address, pod);
      }
    },
  };
}

/** Follows the listeners of a timeline, for health checks. The addresses of no pod always accept connections. */
export function createListeners(): Listeners & Pick<PodTracker, 'apply'> {
  const pods = createPodTracker();
  const listeners: Parameters<Listeners['onChange']>[0][] = [];
  return {
    accepts(address, service, port) {
      const pod = pods.at(address);
      return !pod || (!pods.isLost(pod.node) && pods.listenerOf(pod, service, port)?.state === 'open');
    },
    onChange: (listener) => void listeners.push(listener),
    apply(entry) {
      pods.apply(entry);
      const changed = entry.type === 'listener' ? [pods.byUid(entry.podUid)] : entry.type === 'node' ? pods.onNode(entry.node) : [];
      const addresses = changed.flatMap((pod) => pod?.addresses ?? []);
      if (addresses.length > 0) for (const notify of listeners) notify(addresses);
    },
  };
}

const keyOf = ({ podUid, container }: ContainerRef): string => `${podUid}/${container}`;

function trackPod(object: ApiObject): TrackedPod {
  const { podIP, podIPs } = (object as PodSpec).status ?? {};
  const addresses = new Set([podIP, ...(podIPs ?? []).map(({ ip }) => ip)].filter((ip) => ip !== undefined && ip !== ''));
  const node = (object as PodSpec).spec?.nodeName ?? '';
  return { key: objectKey(object), uid: object.metadata.uid ?? '', addresses: [...addresses] as string[], node, object };
}

/** A pod that has ended keeps its address in its status, and another pod may have it. */
const hasEnded = ({ object }: TrackedPod): boolean => ['Succeeded', 'Failed'].includes((object as PodSpec).status?.phase ?? '');

const nextListener = (
  previous: TrackedListener | undefined,
  entry: TimelineEntry & { readonly state: ListenerState },
): TrackedListener => ({
  state: entry.state,
  entry: entry.id,
  closedAt: entry.state === 'open' ? undefined : (previous?.closedAt ?? entry.at),
});

/** The container whose ports contain the target port of the Service's port; the first container if none does. */
export function findContainer(pod: ApiObject, service: ApiObject | undefined, port: string): string {
  const { containers = [] } = (pod as PodSpec).spec ?? {};
  const { ports = [] } = (service?.['spec'] ?? {}) as { ports?: readonly { name?: string; port: number; targetPort?: string | number }[] };
  const servicePort = ports.find(({ name = '' }) => name === port);
  const target = servicePort?.targetPort ?? servicePort?.port;
  const found = containers.find((each) => each.ports?.some(({ name, containerPort }) => name === target || containerPort === target));
  return (found ?? containers[0])?.name ?? '';
}

/** Whether a container of a pod has a readiness probe. */
export const hasReadinessProbe = (pod: TrackedPod, container: string): boolean =>
  (pod.object as PodSpec).spec?.containers?.find(({ name }) => name === container)?.readinessProbe !== undefined;
