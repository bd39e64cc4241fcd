import type { TimelineEntry } from '@kube-endpoints/simulator/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { type Change, createTrack, type Track } from './track.ts';

/** What the page shows of a pod. All texts are empty if they do not apply. */
export type PodState = readonly [node: string, ip: string, phase: string, ready: string, terminating: string, listener: string];

/** A pod over time. */
export interface PodHistory {
  /** "namespace/name" */
  readonly name: string;
  /** Indices of states; -1 after the deletion. */
  readonly changes: readonly Change<readonly [state: number]>[];
}

export interface PodHistories {
  apply(entry: TimelineEntry, at: number): void;
  /** In order of creation; without those that were deleted before the start. */
  list(): readonly PodHistory[];
  readonly states: readonly PodState[];
  /** The name of the pod that had an address last. */
  podOf(address: string): string | undefined;
}

interface TrackedPod {
  readonly name: string;
  readonly track: Track<readonly [number]>;
  readonly listeners: Map<string, string>;
  object: ApiObject;
}

/** @param start the first time, in milliseconds since the change */
export function createPodHistories(start: number): PodHistories {
  const pods = new Map<string, TrackedPod>();
  const states = createStateTable();
  const names = new Map<string, string>();
  const record = (pod: TrackedPod, at: number): void => pod.track.record(at, states.indexOf(describePod(pod.object, pod.listeners)));
  const applyObject = (object: ApiObject, isDeleted: boolean, at: number): void => {
    const uid = object.metadata.uid ?? '';
    const known = pods.get(uid);
    const pod = known ?? { name: objectKey(object), track: createTrack(start), listeners: new Map(), object };
    pods.set(uid, pod);
    pod.object = object;
    for (const ip of addressesOf(object)) names.set(ip, pod.name);
    if (isDeleted) pod.track.record(at, -1);
    else record(pod, at);
  };
  return {
    states: states.list,
    podOf: (address) => names.get(address),
    list: () =>
      [...pods.values()].filter(({ track }) => track.changes[0]?.[1] !== -1).map(({ name, track: { changes } }) => ({ name, changes })),
    apply: (entry, at) => {
      if (isWrite(entry) && entry.object.kind === 'Pod') applyObject(entry.object, entry.type === 'delete', at);
      if (entry.type !== 'listener') return;
      const pod = pods.get(entry.podUid);
      pod?.listeners.set(entry.container, entry.state);
      if (pod && pod.track.changes.at(-1)?.[1] !== -1) record(pod, at);
    },
  };
}

export type Write = Extract<TimelineEntry, { readonly type: 'create' | 'update' | 'delete' }>;

export const isWrite = (entry: TimelineEntry): entry is Write =>
  entry.type === 'create' || entry.type === 'update' || entry.type === 'delete';

function createStateTable(): { readonly list: PodState[]; indexOf(state: PodState): number } {
  const list: PodState[] = [];
  const indices = new Map<string, number>();
  return {
    list,
    indexOf: (state) => {
      const key = JSON.stringify(state);
      const index = indices.get(key) ?? list.push(state) - 1;
      indices.set(key, index);
      return index;
    },
  };
}

interface PodFields {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip?: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** @param listeners the states of the containers' listeners */
export function describePod(pod: ApiObject, listeners: ReadonlyMap<string, string> = new Map()): PodState {
  const { spec, status } = pod as PodFields;
  const isReady = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  const states = [...listeners].map(([container, state]) => (listeners.size > 1 ? `${container}: ${state}` : state));
  return [
    spec?.nodeName ?? '',
    status?.podIP ?? '',
    status?.phase ?? '',
    isReady ? 'ready' : 'not ready',
    pod.metadata.deletionTimestamp === undefined ? '' : 'terminating',
    states.length > 0 ? states.join(', ') : 'not open yet',
  ];
}

function addressesOf(pod: ApiObject): string[] {
  const { podIP, podIPs = [] } = (pod as PodFields).status ?? {};
  return [podIP, ...podIPs.map(({ ip }) => ip)].filter((ip) => ip !== undefined && ip !== '') as string[];
}
