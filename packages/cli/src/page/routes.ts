import type { TimelineEntry, View } from '@kube-endpoints/simulator/internal';
import type { ListTable } from './lists.ts';
import { type Change, createTrack, type Track } from './track.ts';

/** The routes of one component to a port of a Service, over time. */
export interface RouteHistory {
  /** For example "kube-proxy/n1". */
  readonly actor: string;
  /** "namespace/name" */
  readonly service: string;
  readonly port: string;
  /** Indices of lists: all endpoints, those that have stopped listening, those that do not listen yet. `isEmpty` is 1 if every connection fails. */
  readonly changes: readonly Change<readonly [endpoints: number, closed: number, notOpen: number, isEmpty: number]>[];
}

export interface RouteHistories {
  apply(entry: TimelineEntry, view: View): void;
  /** In order of the components' names. */
  list(): readonly RouteHistory[];
}

interface TrackedRoute {
  readonly view: View;
  readonly track: Track<readonly [number, number, number, number]>;
}

/**
 * @param since the time of the change in milliseconds since the epoch
 * @param start the first time, in milliseconds since the change
 */
export function createRouteHistories(since: number, start: number, lists: ListTable): RouteHistories {
  const routes = new Map<string, TrackedRoute>();
  return {
    list: () =>
      [...routes.values()]
        .map(({ view: { actor, service, port }, track: { changes } }) => ({ actor, service, port, changes }))
        .sort((a, b) => compareNames(a.actor, b.actor)),
    apply: ({ at }, view) => {
      const key = JSON.stringify([view.actor, view.service, view.port]);
      const route = routes.get(key) ?? { view, track: createTrack(start) };
      routes.set(key, route);
      const [, endpoints = 0, closed = 0, notOpen = 0] = route.track.changes.at(-1) ?? [];
      const failing = [...view.failing];
      const withKind = (isNotOpen: boolean): string[] =>
        failing.filter(([, { kind }]) => (kind === 'notOpen') === isNotOpen).map(([address]) => address);
      route.track.record(
        at - since,
        lists.indexOf(view.addresses, endpoints),
        lists.indexOf(withKind(false), closed),
        lists.indexOf(withKind(true), notOpen),
        view.empty ? 1 : 0,
      );
    },
  };
}

/** Compares names by their text, and numbers in them by their value: "n2" is before "n10". */
const compareNames = (a: string, b: string): number => {
  const pad = (name: string): string => name.replace(/\d+/g, (digits) => digits.padStart(8, '0'));
  return pad(a) < pad(b) ? -1 : 1;
};
