import type { Check } from '@kube-endpoints/simulator';
import { type ClientSettings, clientDefaults, findFailures, type Period, type TimelineEntry } from '@kube-endpoints/simulator/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { Service } from 'kube-endpoints/types';
import { createEndpointsHistories, type EndpointsHistory } from './endpoints.ts';
import { chooseEntries, type PageEntries, type PageEntry } from './entries.ts';
import { createListTable, type EncodedLists } from './lists.ts';
import { createPodHistories, isWrite, type PodHistory, type PodState } from './pods.ts';
import { createRouteHistories, type RouteHistory } from './routes.ts';
import { type Change, createTrack, type Track } from './track.ts';

/** A run in the form that the page embeds. All times are milliseconds since the change. */
export interface PageData extends EncodedLists {
  readonly start: number;
  readonly end: number;
  /** How often a client tries another connection. */
  readonly retries: number;
  /** The index of the entry that the page shows first. */
  readonly first: number;
  readonly entries: readonly PageEntry[];
  readonly pods: readonly PodHistory[];
  readonly podStates: readonly PodState[];
  readonly endpoints: readonly EndpointsHistory[];
  readonly routes: readonly RouteHistory[];
  readonly services: readonly ServiceHistory[];
  /** The names of the pods that had the addresses in `texts` last; "" if there is none. */
  readonly podNames: readonly string[];
}

/** A Service over time. */
export interface ServiceHistory {
  /** "namespace/name" */
  readonly name: string;
  /** The cluster IP; "None" if it is headless, "" after the deletion. */
  readonly changes: readonly Change<readonly [clusterIP: string]>[];
}

/** What a page of a run needs. */
export interface RunView {
  readonly data: PageData;
  /** The periods since the change in which requests fail, by pod. */
  readonly periods: readonly FailurePeriod[];
  /** What the page leaves out, in sentences. */
  readonly omissions: readonly string[];
  readonly indexOf: PageEntries['indexOf'];
}

export interface FailurePeriod extends Pick<Period, 'kind' | 'service' | 'pod'> {
  /** Milliseconds since the change. */
  readonly from: number;
  /** Milliseconds since the change. */
  readonly to: number;
}

/** Limits of what a page shows. */
export interface Limits {
  readonly entries: number;
  readonly pods: number;
  readonly routes: number;
}

export const limits: Limits = { entries: 20_000, pods: 600, routes: 100 };

const startMs = -1000;

/** Reduces a run to what a page shows. Above the limits, it keeps what fails. */
export function viewRun(
  { timeline, since, drops }: Check['worst'],
  clients: Partial<ClientSettings> = {},
  { entries, pods, routes }: Limits = limits,
): RunView {
  const settings = { ...clientDefaults, ...clients };
  const lists = createListTable();
  const histories = {
    pods: createPodHistories(startMs),
    endpoints: createEndpointsHistories(startMs, lists),
    routes: createRouteHistories(since, startMs, lists),
    services: createServiceHistories(),
  };
  const periods = findFailures(timeline, settings, histories.routes.apply);
  for (const entry of timeline)
    for (const part of ['pods', 'endpoints', 'services'] as const) histories[part].apply(entry, entry.at - since);
  const chosen = chooseEntries(timeline, since, entries);
  const end = Math.max(chosen.list.at(-1)?.[0] ?? 0, 0) + 1000;
  const failing = listPeriods(periods, since, end);
  const failingPods = new Set(failing.map(({ pod }) => pod));
  const failingActors = new Set(drops.flatMap(({ actors }) => actors));
  const [allPods, allRoutes] = [histories.pods.list(), histories.routes.list()];
  const shownPods = limitTo(allPods, pods, ({ name }) => failingPods.has(name));
  const shownRoutes = limitTo(allRoutes, routes, ({ actor }) => failingActors.has(actor));
  const [firstCause] = drops[0]?.causes ?? [];
  const data = {
    ...{ start: startMs, end, retries: settings.retries, first: Math.max(0, firstCause === undefined ? 0 : chosen.indexOf(firstCause)) },
    ...{ entries: chosen.list, pods: shownPods, podStates: histories.pods.states, endpoints: histories.endpoints.list() },
    ...{ routes: shownRoutes, services: histories.services.list(), texts: lists.texts, lists: lists.lists },
    podNames: lists.texts.map((address) => histories.pods.podOf(address) ?? ''),
  };
  const omissions = [
    ...describeOmission(chosen.omitted, `of ${chosen.omitted + entries} changes`, 'Events and updates of workloads first'),
    ...describeOmission(allPods.length - shownPods.length, `of ${allPods.length} pods`, 'those without failing requests first'),
    ...describeOmission(
      allRoutes.length - shownRoutes.length,
      `of ${allRoutes.length} routes of components`,
      'those without failing requests first',
    ),
  ];
  return { data, periods: failing, omissions, indexOf: chosen.indexOf };
}

const describeOmission = (count: number, what: string, order: string): string[] =>
  count > 0 ? [`This page leaves out ${count} ${what}, ${order}.`] : [];

/** The preferred items, then the first others, up to a number, in the order of the list. */
function limitTo<T>(list: readonly T[], count: number, isPreferred: (item: T) => boolean): readonly T[] {
  if (list.length <= count) return list;
  const kept = new Set([...list.filter(isPreferred), ...list.filter((item) => !isPreferred(item))].slice(0, count));
  return list.filter((item) => kept.has(item));
}

/** The same periods as those of `findDrops`, without merging them. */
function listPeriods(periods: readonly Period[], since: number, end: number): FailurePeriod[] {
  const isLost = ({ kind, from, end }: Period): boolean => from >= since && (kind === 'cut' || end?.at !== from);
  return periods
    .filter(isLost)
    .map(({ kind, service, pod, from, end: last }) => ({ kind, service, pod, from: from - since, to: last ? last.at - since : end }));
}

function createServiceHistories(): { apply(entry: TimelineEntry, at: number): void; list(): readonly ServiceHistory[] } {
  const tracks = new Map<string, Track<readonly [string]>>();
  return {
    list: () => [...tracks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { changes }]) => ({ name, changes })),
    apply: (entry, at) => {
      if (!isWrite(entry) || entry.object.kind !== 'Service') return;
      const name = objectKey(entry.object);
      const track = tracks.get(name) ?? createTrack<readonly [string]>(startMs);
      tracks.set(name, track);
      track.record(at, entry.type === 'delete' ? '' : ((entry.object as Service).spec?.clusterIP ?? ''));
    },
  };
}
