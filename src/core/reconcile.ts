import type { EndpointSubset, Endpoints, EndpointsInput, Optional, Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { amend } from './amend.ts';
import { fitCapacity, isCapacityAnnotationRight } from './capacity.ts';
import { freshEndpoints, subsetsOf } from './endpoints.ts';
import { sameSubsets } from './equal.ts';
import { annotationsFor, areLabelsRight, labelsFor, overCapacityAnnotation } from './metadata.ts';
import { selectPods, type UnmanagedCode, unmanagedBecause } from './select.ts';
import type { Settings } from './settings.ts';
import { repack } from './subsets.ts';
import { formatInstant } from './time.ts';
import { type TriggerTimes, trackTriggerTime } from './trigger-time.ts';

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
  /** May be every pod there is. */
  readonly pods: readonly Pod[];
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
interface Memory {
  readonly uid: Optional<string>;
  readonly triggers: TriggerTimes;
  /** The resourceVersion that the last update was planned on, and the one that is known to be replaced. */
  readonly base?: string | undefined;
  readonly stale?: string | undefined;
}

/**
 * Makes the Endpoints part of a reconciler.
 *
 * Mirrors syncService and its trackers (1.36, pkg/controller/endpoint/endpoints_controller.go, endpoints_tracker.go),
 * except that memory belongs to one Service object: a Service made anew under its old name starts afresh.
 */
export function createEndpointsReconciler({ profile, timeZone }: Settings): EndpointsReconciler {
  const memories = new Map<string, Memory>();
  return {
    reconcile({ key, service, pods, current }) {
      if (!service) {
        memories.delete(key);
        return plan(current ? 'delete' : 'none', 'ServiceDeleted');
      }
      const unmanaged = unmanagedBecause(service, profile);
      if (unmanaged) return plan('none', unmanaged);
      const known = memories.get(key);
      const memory = known && known.uid === service.metadata?.uid ? known : undefined;
      const selected = selectPods(service, pods);
      const triggers = trackTriggerTime(memory?.triggers, service, selected);
      const version = current?.metadata?.resourceVersion ?? undefined;
      memories.set(key, { uid: service.metadata?.uid, triggers: triggers.next, base: version, stale: memory?.stale });
      if (version !== undefined && version === memory?.stale) return plan('retry', 'EndpointsStale');
      const subsets = subsetsOf(service, selected, profile);
      return planWrite(service, subsets, current, triggers.time && formatInstant(triggers.time, timeZone), profile);
    },
    observe({ metadata }) {
      const key = `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
      const memory = memories.get(key);
      if (!profile.staleObjectsRetried || memory?.base === undefined) return;
      const changed = metadata?.resourceVersion !== memory.base;
      if (changed || !profile.staleOnlyAfterChange) memories.set(key, { ...memory, stale: memory.base });
    },
    forget(key) {
      memories.delete(key);
    },
  };
}

function planWrite(
  service: Service,
  subsets: EndpointSubset[],
  current: EndpointsInput | undefined,
  triggerTime: string | undefined,
  profile: Profile,
): Plan {
  if (!current) return plan('create', 'EndpointsMissing', freshEndpoints(service, subsets, triggerTime, profile));
  const differences = compareWithCurrent(service, subsets, current, profile);
  if (differences.length === 0) return plan('none', 'EndpointsEqual');
  const fitted = fitCapacity(subsets, profile);
  const object = amend({ ...current, subsets: undefined } as unknown as Endpoints, (draft) => {
    const annotations = annotationsFor(current.metadata?.annotations, triggerTime, fitted.overCapacity, profile);
    draft.apiVersion = 'v1';
    draft.kind = 'Endpoints';
    draft.metadata = { ...draft.metadata, name: service.metadata?.name ?? '', namespace: service.metadata?.namespace ?? '' };
    setMap(draft.metadata, 'labels', labelsFor(service, profile));
    setMap(draft.metadata, 'annotations', annotations);
    if (fitted.subsets.length > 0) draft.subsets = fitted.subsets;
  });
  return { action: 'update', object, reasons: differences.map(reasonFor) };
}

function setMap(metadata: Endpoints['metadata'], field: 'labels' | 'annotations', map: Record<string, string>): void {
  if (Object.keys(map).length > 0) metadata[field] = map;
  else delete metadata[field];
}

/** What makes an update necessary; empty where nothing does. */
function compareWithCurrent(service: Service, subsets: EndpointSubset[], current: EndpointsInput, profile: Profile): PlanCode[] {
  const there = current.subsets ?? [];
  const same =
    sameSubsets(there, subsets, profile) || (profile.repackedBeforeComparing && sameSubsets(repack(there, profile), subsets, profile));
  const annotation = current.metadata?.annotations?.[overCapacityAnnotation];
  const codes: PlanCode[] = [];
  if (!same) codes.push('SubsetsDiffer');
  if (!areLabelsRight(current.metadata?.labels, service, profile)) codes.push('LabelsDiffer');
  if (!isCapacityAnnotationRight(annotation, there, profile)) codes.push('OverCapacityAnnotationWrong');
  return codes;
}

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
