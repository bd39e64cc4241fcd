import { plainCopy } from '../apimachinery/copy.ts';
import type {
  EndpointAddressInput,
  EndpointSubset,
  EndpointSubsetInput,
  Endpoints,
  EndpointsInput,
  Optional,
  Pod,
  Service,
} from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { fitCapacity, isCapacityAnnotationCorrect } from './capacity.ts';
import { computeSubsets, newEndpoints } from './endpoints.ts';
import { sameSubsets } from './equal.ts';
import { annotationsFor, areLabelsCorrect, labelsFor, overCapacityAnnotation } from './metadata.ts';
import { compareAddresses } from './order/addresses.ts';
import { hasAddress } from './order/sorted.ts';
import { selectPods, unmanagedCodeOf } from './select.ts';
import type { Settings } from './settings.ts';
import { copySubsets, repack } from './subsets.ts';
import { formatInstant } from './time.ts';
import { type TrackedTrigger, type TriggerTimes, trackTriggerTime } from './trigger-time.ts';

/** The code of a reason for the action of a plan. */
export type PlanCode = keyof typeof messages;

export interface PlanReason {
  readonly code: PlanCode;
  readonly message: string;
}

/** The write, if any, that the release's controller would do. Plain data: creating a plan executes nothing. */
export interface Plan {
  readonly action: 'create' | 'update' | 'delete' | 'none' | 'retry';
  /** The complete object to write, for create and update. */
  readonly object?: Endpoints;
  readonly reasons: readonly PlanReason[];
}

/** The controller's memory of one Service between two syncs. Plain data. */
export interface EndpointsState {
  /** The UID of the Service. A new Service of the same name starts with empty state. */
  readonly uid?: Optional<string>;
  /** Undefined before the first sync. */
  readonly triggers?: TriggerTimes | undefined;
  /** The resourceVersion that the last plan was based on. */
  readonly baseVersion?: string | undefined;
  /** The resourceVersion that an update is known to have replaced. */
  readonly staleVersion?: string | undefined;
}

export interface PlannedEndpoints {
  readonly plan: Plan;
  /** Pass this to the next sync. */
  readonly state: EndpointsState;
}

/** The subsets that the pods of a Service should have. An incremental index can provide them without reading every pod. */
export interface DesiredSubsets extends TrackedTrigger {
  /** The canonical subsets, not yet truncated to capacity. */
  readonly subsets: () => EndpointSubset[];
  /** Whether these Endpoints already have the subsets. */
  readonly matches: (current: EndpointsInput) => boolean;
  /** Whether the subsets are cached for later syncs, so that a plan must copy them. */
  readonly cached: boolean;
}

/**
 * Plans the write that the release's endpoints controller would do now.
 * @param pods may be every pod of the cluster
 * @param state the result of the previous sync; empty at the first sync
 * @throws TypeError for an invalid timestamp
 *
 * Mirrors syncService and its trackers (1.36, pkg/controller/endpoint/endpoints_controller.go, endpoints_tracker.go),
 * except that the state belongs to one Service object.
 */
export const planEndpoints = (
  {
    service,
    pods,
    current,
  }: { readonly service?: Service | undefined; readonly pods: readonly Pod[]; readonly current?: EndpointsInput | undefined },
  state: EndpointsState,
  settings: Settings,
): PlannedEndpoints =>
  planEndpointsWith(service, current, state, settings, (owner, triggers) => computeDesiredSubsets(owner, pods, triggers, settings));

/** `planEndpoints` with a replaceable computation of the desired subsets, which runs only if the Service is managed. */
export function planEndpointsWith(
  service: Service | undefined,
  current: EndpointsInput | undefined,
  previousState: EndpointsState,
  { profile, timeZone }: Settings,
  computeDesired: (service: Service, triggers: TriggerTimes | undefined) => DesiredSubsets,
): PlannedEndpoints {
  if (!service) return { plan: createPlan(current ? 'delete' : 'none', 'ServiceDeleted'), state: {} };
  const unmanagedCode = unmanagedCodeOf(service, profile);
  if (unmanagedCode) return { plan: createPlan('none', unmanagedCode), state: previousState };
  const uid = service.metadata?.uid;
  const serviceState = previousState.uid === uid ? previousState : {};
  const desiredSubsets = computeDesired(service, serviceState.triggers);
  const baseVersion = current?.metadata?.resourceVersion ?? undefined;
  const state = { uid, triggers: desiredSubsets.next, baseVersion, staleVersion: serviceState.staleVersion };
  if (baseVersion !== undefined && baseVersion === serviceState.staleVersion) return { plan: createPlan('retry', 'EndpointsStale'), state };
  const triggerTime = desiredSubsets.time && formatInstant(desiredSubsets.time, timeZone);
  return {
    plan: current
      ? planUpdate(service, desiredSubsets, current, triggerTime, profile)
      : planCreate(service, desiredSubsets, triggerTime, profile),
    state,
  };
}

/** Returns the state after an API server has returned this object for a create or update. */
export function observeEndpoints(state: EndpointsState, { metadata }: EndpointsInput, profile: Profile): EndpointsState {
  const { baseVersion } = state;
  if (!profile.staleObjectsRetried || baseVersion === undefined) return state;
  const isChanged = metadata?.resourceVersion !== baseVersion;
  return isChanged || !profile.staleOnlyAfterChange ? { ...state, staleVersion: baseVersion } : state;
}

/** Computes the desired subsets from all pods, without an incremental index. */
export function computeDesiredSubsets(
  service: Service,
  pods: readonly Pod[],
  triggers: TriggerTimes | undefined,
  settings: Settings,
): DesiredSubsets {
  const selectedPods = selectPods(service, pods);
  let cachedSubsets: EndpointSubset[] | undefined;
  const subsets = (): EndpointSubset[] => {
    cachedSubsets ??= computeSubsets(service, selectedPods, settings);
    return cachedSubsets;
  };
  const matches = (current: EndpointsInput): boolean => hasSubsets(current, subsets(), settings.profile);
  return { ...trackTriggerTime(triggers, service, selectedPods), subsets, matches, cached: false };
}

/** Whether Endpoints have these subsets by the release's comparison. */
export function hasSubsets(current: EndpointsInput, subsets: readonly EndpointSubset[], profile: Profile): boolean {
  const existing = current.subsets ?? [];
  return sameSubsets(existing, subsets, profile) || (profile.repackedBeforeComparing && sameWhenRepacked(existing, subsets, profile));
}

function planCreate(service: Service, { subsets, cached }: DesiredSubsets, triggerTime: string | undefined, profile: Profile): Plan {
  const object = newEndpoints(service, subsets(), triggerTime, profile);
  if (cached && object.subsets) object.subsets = copySubsets(object.subsets);
  return createPlan('create', 'EndpointsMissing', object);
}

function planUpdate(
  service: Service,
  desired: DesiredSubsets,
  current: EndpointsInput,
  triggerTime: string | undefined,
  profile: Profile,
): Plan {
  const { metadata, subsets: existing } = current;
  const codes: PlanCode[] = [];
  if (!desired.matches(current)) codes.push('SubsetsDiffer');
  if (!areLabelsCorrect(metadata?.labels, service, profile)) codes.push('LabelsDiffer');
  if (!isCapacityAnnotationCorrect(metadata?.annotations?.[overCapacityAnnotation], existing ?? [], profile))
    codes.push('OverCapacityAnnotationWrong');
  if (codes.length === 0) return createPlan('none', 'EndpointsEqual');
  const fittedSubsets = fitCapacity(desired.subsets(), profile);
  const object = plainCopy({ ...current, subsets: undefined }) as unknown as Endpoints;
  object.apiVersion = 'v1';
  object.kind = 'Endpoints';
  object.metadata = { ...object.metadata, name: service.metadata?.name ?? '', namespace: service.metadata?.namespace ?? '' };
  setMap(object.metadata, 'labels', labelsFor(service, profile));
  setMap(object.metadata, 'annotations', annotationsFor(metadata?.annotations, triggerTime, fittedSubsets.overCapacity, profile));
  if (fittedSubsets.subsets.length > 0 || !profile.emptySubsetsOmitted)
    object.subsets = desired.cached ? copySubsets(fittedSubsets.subsets) : fittedSubsets.subsets;
  return { action: 'update', object, reasons: codes.map(reasonFor) };
}

function setMap(metadata: Endpoints['metadata'], field: 'labels' | 'annotations', map: Record<string, string>): void {
  if (Object.keys(map).length > 0) metadata[field] = map;
  else delete metadata[field];
}

/**
 * Whether the existing subsets equal the desired ones after repacking. Repacking costs more than the rest of an update, so it is
 * skipped if it cannot change the result.
 */
export function sameWhenRepacked(existing: readonly EndpointSubsetInput[], desired: readonly EndpointSubset[], profile: Profile): boolean {
  const [existingSubset] = existing;
  const [desiredSubset] = desired;
  const areBothSingle = existing.length === 1 && desired.length === 1;
  if (existingSubset && desiredSubset && areBothSingle && cannotBecomeEqual(existingSubset, desiredSubset, profile)) return false;
  return sameSubsets(repack(existing, profile), desired, profile);
}

/**
 * Whether repacking this one subset cannot make it equal to the desired one. Repacking only sorts addresses and merges duplicates;
 * it does not change the readiness of other addresses.
 */
function cannotBecomeEqual({ addresses, notReadyAddresses }: EndpointSubsetInput, desired: EndpointSubset, profile: Profile): boolean {
  const [ready, notReady] = [addresses ?? [], notReadyAddresses ?? []];
  const surplus = ready.length + notReady.length - (desired.addresses?.length ?? 0) - (desired.notReadyAddresses?.length ?? 0);
  if (surplus < 0 || (surplus === 0 && ready.length !== (desired.addresses?.length ?? 0))) return true;
  const isInOrder = isAscending(ready) && isAscending(notReady) && !haveCommonAddress(ready, notReady);
  return isInOrder && !sameSubsets([{ addresses, notReadyAddresses }], [{ ...desired, ports: [] }], profile);
}

type Addresses = readonly EndpointAddressInput[];

/** Whether addresses are strictly ascending by IP, then by the target's UID. */
const isAscending = (addresses: Addresses): boolean =>
  addresses.every((address, i) => i === 0 || compareAddresses(addresses[i - 1] as EndpointAddressInput, address) < 0);

/** Whether an address is in both of two ascending lists. */
function haveCommonAddress(a: Addresses, b: Addresses): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return shorter.some((address) => hasAddress(longer, address));
}

const createPlan = (action: Plan['action'], code: PlanCode, object?: Endpoints): Plan => ({
  action,
  ...(object && { object }),
  reasons: [reasonFor(code)],
});

const reasonFor = (code: PlanCode): PlanReason => ({ code, message: messages[code] });

const messages = {
  ServiceDeleted: 'The Service is deleted, so its Endpoints are deleted too.',
  ServiceIsExternalName: 'A Service of type ExternalName gets no Endpoints from this release.',
  ServiceHasNoSelector: 'The Service has no selector, so the controller does not change its Endpoints.',
  EndpointsStale: 'The cached Endpoints are older than the last update; sync again when the cache is up to date.',
  EndpointsMissing: 'There are no Endpoints yet.',
  SubsetsDiffer: 'The addresses or ports, or their order, differ from the existing Endpoints.',
  LabelsDiffer: "The labels do not match the Service's labels.",
  OverCapacityAnnotationWrong: 'The annotation endpoints.kubernetes.io/over-capacity does not match the existing number of addresses.',
  EndpointsEqual: 'The existing Endpoints are up to date.',
} as const;
