import type { TimelineEntry } from '@kube-endpoints/simulator/internal';
import type { EndpointConditionsInput } from 'kube-endpoints/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointSliceInput, Endpoints } from 'kube-endpoints/types';
import type { ListTable } from './lists.ts';
import { isWrite } from './pods.ts';
import { type Change, createTrack, type Track } from './track.ts';

/** The addresses of an object by their conditions. */
export interface EndpointGroups {
  readonly ready: readonly string[];
  /** Serving and terminating: used only if no endpoint is ready. */
  readonly serving: readonly string[];
  readonly terminating: readonly string[];
  readonly notReady: readonly string[];
}

export const endpointGroups: readonly (keyof EndpointGroups)[] = ['ready', 'serving', 'terminating', 'notReady'];

/** Endpoints or an EndpointSlice over time. */
export interface EndpointsHistory {
  /** For example "EndpointSlice shop/web-abcde". */
  readonly name: string;
  /** Indices of the lists of each group; none after the deletion. */
  readonly changes: readonly Change<readonly number[]>[];
}

export interface EndpointsHistories {
  apply(entry: TimelineEntry, at: number): void;
  list(): readonly EndpointsHistory[];
}

/** @param start the first time, in milliseconds since the change */
export function createEndpointsHistories(start: number, lists: ListTable): EndpointsHistories {
  const tracks = new Map<string, Track<readonly number[]>>();
  return {
    list: () => [...tracks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { changes }]) => ({ name, changes })),
    apply: (entry, at) => {
      if (!isWrite(entry) || !isEndpoints(entry.object)) return;
      const name = `${entry.object.kind} ${objectKey(entry.object)}`;
      const track = tracks.get(name) ?? createTrack<readonly number[]>(start);
      tracks.set(name, track);
      if (entry.type === 'delete') return track.record(at);
      const groups = groupEndpoints(entry.object);
      const previous = track.changes.at(-1)?.slice(1) ?? [];
      track.record(at, ...endpointGroups.map((group, i) => lists.indexOf(groups[group], previous[i] ?? 0)));
    },
  };
}

export const isEndpoints = ({ kind }: ApiObject): boolean => kind === 'Endpoints' || kind === 'EndpointSlice';

/** Groups the addresses of Endpoints or an EndpointSlice. */
export function groupEndpoints(object: ApiObject): EndpointGroups {
  const groups: Record<keyof EndpointGroups, string[]> = { ready: [], serving: [], terminating: [], notReady: [] };
  if (object.kind === 'Endpoints') {
    for (const { addresses = [], notReadyAddresses = [] } of (object as Endpoints).subsets ?? []) {
      groups.ready.push(...addresses.map(({ ip }) => ip));
      groups.notReady.push(...notReadyAddresses.map(({ ip }) => ip));
    }
    return groups;
  }
  for (const { addresses, conditions } of (object as EndpointSliceInput).endpoints ?? [])
    groups[groupOf(conditions ?? {})].push(...(addresses ?? []));
  return groups;
}

function groupOf({ ready, serving, terminating }: EndpointConditionsInput): keyof EndpointGroups {
  const isReady = ready ?? true;
  if (isReady) return 'ready';
  if (!terminating) return 'notReady';
  return (serving ?? isReady) ? 'serving' : 'terminating';
}
