import { fitCapacity, isCapacityAnnotationRight } from '../spec/capacity.ts';
import { publishesNotReady } from '../spec/eligibility.ts';
import { freshEndpoints, subsetsOf } from '../spec/endpoints.ts';
import { sameSubsets } from '../spec/equal.ts';
import { annotationsFor, areLabelsRight, labelsFor, overCapacityAnnotation } from '../spec/metadata.ts';
import { sameWhenRepacked } from '../spec/repacked.ts';
import { type UnmanagedCode, unmanagedBecause } from '../spec/select.ts';
import { defaultRosterFrom, type Settings } from '../spec/settings.ts';
import { copySubsets } from '../spec/subsets.ts';
import { formatInstant, type Instant } from '../spec/time.ts';
import type { EndpointSubset, EndpointSubsetInput, Endpoints, EndpointsInput, Optional, Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { amend } from './amend.ts';
import type { PodFeed } from './feed.ts';
import { followFeed, giveUpRoster, isFeed, type PodMemory, readAll, standingOf } from './pod-memory.ts';
import { createEndpointsRoster, type EndpointsRoster } from './roster.ts';

/** Why a plan is what it is. */
export type PlanCode =
  | 'ServiceDeleted'
  | UnmanagedCode
  | 'EndpointsStale'
  | 'EndpointsMissing'
  | 'SubsetsDiffer'
  | 'LabelsDiffer'
  | 'OverCapacityAnnotationWrong'
  | 'EndpointsEqual';

export interface PlanReason {
  readonly code: PlanCode;
  readonly message: string;
}

/** The least that brings the cluster to what the release's controller wants. Plain data; nothing is done yet. */
export interface Plan {
  readonly action: 'create' | 'update' | 'delete' | 'none' | 'retry';
  /** The whole object to write, for create and update. */
  readonly object?: Endpoints;
  readonly reasons: readonly PlanReason[];
}

export interface ReconcileInput {
  /** "namespace/name" of the Service, which is that of its Endpoints. */
  readonly key: string;
  /** The Service; undefined where it is deleted. */
  readonly service?: Service | undefined;
  /** A list, which may be every pod there is; or a feed, with which a sync costs what the changed pods cost. */
  readonly pods: readonly Pod[] | PodFeed;
  /** The Endpoints as the host's cache shows them; undefined where there are none. */
  readonly current?: EndpointsInput | undefined;
}

/** The part of a reconciler that keeps Endpoints. */
export interface EndpointsReconciler {
  reconcile(input: ReconcileInput): Plan;
  observe(written: EndpointsInput): void;
  forget(key: string): void;
}

/** What is remembered of one Service. */
interface Memory extends PodMemory<EndpointsRoster> {
  readonly uid: Optional<string>;
  /** The resourceVersion that the last update was planned on, and the one that is known to be replaced. */
  base?: string | undefined;
  stale?: string | undefined;
}

/** What the pods of a sync come to. */
interface Computed {
  readonly time: Instant | undefined;
  /** Not yet cut to capacity. Those of a roster are its own. */
  readonly subsets: () => EndpointSubset[];
  readonly roster?: EndpointsRoster;
}

/**
 * Makes the Endpoints part of a reconciler.
 *
 * Mirrors syncService and its trackers (1.36, pkg/controller/endpoint/endpoints_controller.go, endpoints_tracker.go),
 * except that memory belongs to one Service object: a Service made anew under its old name starts afresh.
 */
export function createEndpointsReconciler(settings: Settings): EndpointsReconciler {
  const { profile, timeZone } = settings;
  const memories = new Map<string, Memory>();
  return {
    reconcile({ key, service, pods, current }) {
      if (!service) {
        memories.delete(key);
        return plan(current ? 'delete' : 'none', 'ServiceDeleted');
      }
      const known = memories.get(key);
      const unmanaged = unmanagedBecause(service, profile);
      if (unmanaged) {
        if (known) giveUpRoster(known);
        return plan('none', unmanaged);
      }
      const uid = service.metadata?.uid;
      const memory: Memory = known && known.uid === uid ? known : { uid };
      const computed = compute(memory, service, pods, settings);
      memory.base = current?.metadata?.resourceVersion ?? undefined;
      memories.set(key, memory);
      if (memory.base !== undefined && memory.base === memory.stale) return plan('retry', 'EndpointsStale');
      return planWrite(service, computed, current, computed.time && formatInstant(computed.time, timeZone), profile);
    },
    observe({ metadata }) {
      const memory = memories.get(`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`);
      if (!profile.staleObjectsRetried || memory?.base === undefined) return;
      const changed = metadata?.resourceVersion !== memory.base;
      if (changed || !profile.staleOnlyAfterChange) memory.stale = memory.base;
    },
    forget(key) {
      memories.delete(key);
    },
  };
}

function compute(memory: Memory, service: Service, pods: readonly Pod[] | PodFeed, settings: Settings): Computed {
  if (isFeed(pods)) {
    const standing = `${publishesNotReady(service, settings.profile)} ${standingOf(service)}`;
    const { roster, time } = followFeed(memory, pods, service, standing, settings.rosterFrom ?? defaultRosterFrom, () =>
      createEndpointsRoster(service, settings),
    );
    return { time, subsets: roster.subsets, roster };
  }
  const { selected, time } = readAll(memory, pods, service);
  let subsets: EndpointSubset[] | undefined;
  return {
    time,
    subsets: () => {
      subsets ??= subsetsOf(service, selected, settings);
      return subsets;
    },
  };
}

function planWrite(
  service: Service,
  computed: Computed,
  current: EndpointsInput | undefined,
  triggerTime: string | undefined,
  profile: Profile,
): Plan {
  const handOut = computed.roster ? copySubsets : (subsets: EndpointSubset[]): EndpointSubset[] => subsets;
  if (!current) {
    const object = freshEndpoints(service, computed.subsets(), triggerTime, profile);
    if (object.subsets) object.subsets = handOut(object.subsets);
    return plan('create', 'EndpointsMissing', object);
  }
  const differences = compareWithCurrent(service, computed, current, profile);
  if (differences.length === 0) return plan('none', 'EndpointsEqual');
  const fitted = fitCapacity(computed.subsets(), profile);
  const object = amend({ ...current, subsets: undefined } as unknown as Endpoints, (draft) => {
    const annotations = annotationsFor(current.metadata?.annotations, triggerTime, fitted.overCapacity, profile);
    draft.apiVersion = 'v1';
    draft.kind = 'Endpoints';
    draft.metadata = { ...draft.metadata, name: service.metadata?.name ?? '', namespace: service.metadata?.namespace ?? '' };
    setMap(draft.metadata, 'labels', labelsFor(service, profile));
    setMap(draft.metadata, 'annotations', annotations);
  });
  if (fitted.subsets.length > 0) object.subsets = handOut(fitted.subsets);
  return { action: 'update', object, reasons: differences.map(reasonFor) };
}

function setMap(metadata: Endpoints['metadata'], field: 'labels' | 'annotations', map: Record<string, string>): void {
  if (Object.keys(map).length > 0) metadata[field] = map;
  else delete metadata[field];
}

/** What makes an update necessary; empty where nothing does. */
function compareWithCurrent(service: Service, { subsets, roster }: Computed, current: EndpointsInput, profile: Profile): PlanCode[] {
  const there = current.subsets ?? [];
  const same = roster?.isKnownEqual(current) || saySame(there, subsets(), profile);
  if (same) roster?.setEqual(current);
  const annotation = current.metadata?.annotations?.[overCapacityAnnotation];
  const codes: PlanCode[] = [];
  if (!same) codes.push('SubsetsDiffer');
  if (!areLabelsRight(current.metadata?.labels, service, profile)) codes.push('LabelsDiffer');
  if (!isCapacityAnnotationRight(annotation, there, profile)) codes.push('OverCapacityAnnotationWrong');
  return codes;
}

const saySame = (there: readonly EndpointSubsetInput[], subsets: EndpointSubset[], profile: Profile): boolean =>
  sameSubsets(there, subsets, profile) || (profile.repackedBeforeComparing && sameWhenRepacked(there, subsets, profile));

const plan = (action: Plan['action'], code: PlanCode, object?: Endpoints): Plan => ({
  action,
  ...(object && { object }),
  reasons: [reasonFor(code)],
});

const reasonFor = (code: PlanCode): PlanReason => ({ code, message: messages[code] });

const messages: Readonly<Record<PlanCode, string>> = {
  ServiceDeleted: 'The Service is deleted; its Endpoints go with it.',
  ServiceIsExternalName: 'A Service of type ExternalName gets no Endpoints from this release.',
  ServiceHasNoSelector: 'A Service without a selector keeps the Endpoints that others write.',
  EndpointsStale: 'The Endpoints in the cache have already been replaced by an update; sync again when the cache has caught up.',
  EndpointsMissing: 'There are no Endpoints yet.',
  SubsetsDiffer: 'The addresses or ports differ from those that are there, or their order does.',
  LabelsDiffer: "The labels do not follow from the Service's labels.",
  OverCapacityAnnotationWrong: 'The annotation endpoints.kubernetes.io/over-capacity does not fit the number of addresses that are there.',
  EndpointsEqual: 'The Endpoints that are there are right.',
};
