import type { EndpointSlice, EndpointSliceInput, Node, Optional, Pod, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { selectPods, unmanagedCodeOf } from '../select.ts';
import { type SliceSettings, sliceSettingsFor, type VersionOptions } from '../settings.ts';
import { formatInstant } from '../time.ts';
import { type TrackedTrigger, type TriggerTimes, trackTriggerTime } from '../trigger-time.ts';
import { computeDesiredStates, type DesiredState, indexNodes } from './desired.ts';
import type { HintsState } from './hints/hints.ts';
import { type ZoneShares, zoneSharesOf } from './hints/zones.ts';
import { isManagedBy, sliceController } from './metadata.ts';
import { compareByName } from './pack.ts';
import { createEmptyPlan, type SlicePlan } from './plan.ts';
import { areSlicesStale, type ParsedSlice, parseSlice, type SliceParser, type WrittenSlices } from './reading.ts';
import { syncSlices } from './sync.ts';

export interface SliceOptions extends VersionOptions {
  /** The maximum number of endpoints per slice, from 1 to 1,000; 100 by default. */
  readonly maxEndpointsPerSlice?: number;
}

export interface ComputeSlicesOptions extends SliceOptions {
  /** All nodes of the cluster. If undefined, nodes are unknown: no pod is left out because of its node, and zones are unknown. */
  readonly nodes?: readonly Node[] | undefined;
}

/**
 * Computes the EndpointSlices that the release's controller creates for a Service that has none, IPv4 first, endpoints sorted by
 * address. The slices have a generateName; the API server names them.
 * @param pods may be every pod of the cluster: namespace and selector are applied here; the order does not matter
 * @returns an empty list if nothing is written: no selector, ExternalName in the releases that skip it, or a feature gate EndpointSlice
 *   that is off, as in 1.17 by default, in which kube-controller-manager does not run the controller
 * @throws RangeError for an unknown version or one before 1.17, or if maxEndpointsPerSlice is not a whole number from 1 to 1,000
 * @throws TypeError for an invalid timestamp
 *
 * Mirrors the create path of syncService (1.36, pkg/controller/endpointslice/endpointslice_controller.go).
 */
export function computeEndpointSlices(service: Service, pods: readonly Pod[], options: ComputeSlicesOptions = {}): EndpointSlice[] {
  const settings = sliceSettingsFor(options);
  if (!settings.profile.sliceControllerStarted) return [];
  return planSlices({ service, pods, nodes: options.nodes, current: [] }, {}, settings).plan.create;
}

/** The controller's memory of one Service between two syncs. Plain data. */
export interface SlicesState {
  /** The UID of the Service. A new Service of the same name starts with empty state. */
  readonly uid?: Optional<string>;
  /** Undefined before the first sync. */
  readonly triggers?: TriggerTimes | undefined;
  readonly hints?: HintsState | undefined;
  readonly written?: WrittenSlices | undefined;
}

export interface PlannedSlices {
  readonly plan: SlicePlan;
  /** Pass this to the next sync. */
  readonly state: SlicesState;
}

export interface SlicePlanInput {
  readonly service?: Service | undefined;
  /** May be every pod of the cluster. */
  readonly pods: readonly Pod[];
  readonly nodes?: readonly Node[] | undefined;
  /** May be every slice of the cluster. */
  readonly current: readonly EndpointSliceInput[];
}

/**
 * Plans the writes that the release's EndpointSlice controller would do now.
 * @param state the result of the previous sync, updated with the writes since; empty at the first sync
 * @throws TypeError for an invalid timestamp
 *
 * Mirrors syncService (1.36, pkg/controller/endpointslice/endpointslice_controller.go), except that the state belongs to one
 * Service object.
 */
export const planSlices = ({ service, pods, nodes, current }: SlicePlanInput, state: SlicesState, settings: SliceSettings): PlannedSlices =>
  planSlicesWith(service, current, state, settings, {
    sortByName: (slices) => slices.sort(compareByName),
    computeDesired: (owner, triggers) => computeDesiredSlices(owner, pods, nodes && indexNodes(nodes), triggers, settings),
    zoneShares: () => zoneSharesOf(nodes ?? [], settings.profile),
    createParser: (owner) => createSliceParser(owner, settings.profile),
  });

/** The stages of a plan that read pods, nodes and single slices. The incremental reconciler replaces them with cached versions. */
export interface SliceStages {
  /** Sorts slices by name, in place. */
  readonly sortByName: (slices: EndpointSliceInput[]) => EndpointSliceInput[];
  /** Runs only if the Service is managed and its slices are not stale. */
  readonly computeDesired: (service: Service, triggers: TriggerTimes | undefined, hasSlices: boolean) => DesiredSlices;
  readonly zoneShares: () => ZoneShares;
  readonly createParser: (service: Service) => SliceParser;
}

/** The desired slices of a Service's pods, by address type. */
export interface DesiredSlices extends TrackedTrigger {
  readonly states: readonly DesiredState[];
}

/** `planSlices` with replaceable stages. */
export function planSlicesWith(
  service: Service | undefined,
  current: readonly EndpointSliceInput[],
  previousState: SlicesState,
  settings: SliceSettings,
  stages: SliceStages,
): PlannedSlices {
  if (!service) return { plan: createEmptyPlan('ServiceDeleted'), state: {} };
  const unmanagedCode = unmanagedCodeOf(service, settings.profile);
  if (unmanagedCode) return { plan: createEmptyPlan(unmanagedCode), state: previousState };
  const uid = service.metadata?.uid;
  const serviceState = previousState.triggers && previousState.uid !== uid ? startState(previousState, settings.profile) : previousState;
  const existing = selectOwnSlices(service, current, stages, settings.profile);
  if (areSlicesStale(serviceState.written, existing, settings.profile))
    return { plan: { ...createEmptyPlan('SlicesStale'), retry: true }, state: serviceState };
  const { states: desired, next: triggers, time } = stages.computeDesired(service, serviceState.triggers, existing.length > 0);
  const triggerTime = time && formatInstant(time, settings.timeZone);
  const { zoneShares, createParser } = stages;
  const { plan, hints } = syncSlices(
    { service, zoneShares, existing, read: createParser(service), desired, triggerTime, hints: serviceState.hints },
    settings,
  );
  return { plan, state: { uid, triggers, hints, written: serviceState.written } };
}

/** The state of a new Service that replaces one of the same name. */
const startState = ({ written }: SlicesState, { sliceTrackerForgotten }: Profile): SlicesState =>
  sliceTrackerForgotten ? {} : { written };

/** Computes the desired slices from all pods, without an incremental index. */
export function computeDesiredSlices(
  service: Service,
  pods: readonly Pod[],
  nodes: Parameters<typeof computeDesiredStates>[2],
  triggers: TriggerTimes | undefined,
  settings: SliceSettings,
): DesiredSlices {
  const selectedPods = selectPods(service, pods);
  return { ...trackTriggerTime(triggers, service, selectedPods), states: computeDesiredStates(service, selectedPods, nodes, settings) };
}

/** Creates a function that parses each slice once. */
function createSliceParser(service: Service, profile: Profile): SliceParser {
  const parsedSlices = new Map<EndpointSliceInput, ParsedSlice>();
  return (slice) => {
    const parsedSlice = parsedSlices.get(slice) ?? parseSlice(slice, service, profile);
    parsedSlices.set(slice, parsedSlice);
    return parsedSlice;
  };
}

/** Selects the slices that the controller manages for a Service, sorted by name, each name once. */
const selectOwnSlices = (
  service: Service,
  current: readonly EndpointSliceInput[],
  { sortByName }: SliceStages,
  profile: Profile,
): EndpointSliceInput[] =>
  sortByName(
    current.filter(
      (slice) =>
        isManagedBy(slice, service, sliceController) && !(profile.slicesPendingDeletionIgnored && slice.metadata?.deletionTimestamp),
    ),
  ).filter((slice, i, all) => slice.metadata?.name !== all[i + 1]?.metadata?.name || !slice.metadata?.name);
