import { compareText } from '../../apimachinery/compare.ts';
import type { AddressType, EndpointSlice, EndpointSliceInput, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { SliceSettings } from '../settings.ts';
import type { DesiredState, MissingNode } from './desired.ts';
import { applyHints, type HintsState, removeHintsState } from './hints/hints.ts';
import type { ZoneShares } from './hints/zones.ts';
import { isOwnedBy, newSlice, setTriggerTime, sliceApiVersion, sliceLabels } from './metadata.ts';
import { type PackOptions, packGroup, type SliceChanges } from './pack.ts';
import {
  createFailureEvent,
  describeMissingNodes,
  messageFor,
  referenceTo,
  type SliceEvent,
  type SlicePlan,
  type SlicePlanCode,
  type SliceReason,
} from './plan.ts';
import type { SliceParser } from './reading.ts';

/** The input of one sync of a Service's slices. */
export interface SyncInput {
  readonly service: Service;
  readonly zoneShares: () => ZoneShares;
  /** The slices that the controller manages for the Service, sorted by name. */
  readonly existing: readonly EndpointSliceInput[];
  readonly read: SliceParser;
  readonly desired: readonly DesiredState[];
  readonly triggerTime: string | undefined;
  readonly hints: HintsState | undefined;
}

export interface SyncedSlices {
  readonly plan: SlicePlan;
  readonly hints: HintsState | undefined;
}

/** The plan under construction. */
interface DraftPlan {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly toDelete: EndpointSliceInput[];
  readonly events: SliceEvent[];
  readonly failures: Set<string>;
  readonly reasons: SliceReason[];
  hints: HintsState | undefined;
}

/**
 * Plans the slices of each address type separately, and deletes the slices of types that the Service no longer has.
 *
 * Mirrors Reconcile and reconcileByAddressType (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function syncSlices(input: SyncInput, settings: SliceSettings): SyncedSlices {
  const { existing, desired, hints } = input;
  const draft: DraftPlan = { create: [], update: [], toDelete: [], events: [], failures: new Set(), reasons: [], hints };
  const obsoleteSlices = existing.filter((slice) => !desired.some(({ addressType }) => addressType === slice.addressType));
  for (const { addressType } of obsoleteSlices) draft.hints = removeHintsState(draft.hints, addressType as AddressType);
  for (const state of desired) syncType(state, input, draft, settings);
  // with only one address type, the first error ends the sync
  if (obsoleteSlices.length > 0 && (settings.profile.ipFamiliesRead || draft.failures.size === 0)) {
    draft.toDelete.push(...obsoleteSlices);
    addReason(draft, 'AddressTypeNotWanted');
  }
  return { plan: buildPlan(draft, input, settings.profile), hints: draft.hints };
}

function syncType(state: DesiredState, input: SyncInput, draft: DraftPlan, settings: SliceSettings): void {
  const { profile, maxEndpointsPerSlice } = settings;
  const { service, zoneShares, read } = input;
  const { addressType, missingNodes } = state;
  reportMissingNodes(missingNodes, service, draft, profile);
  if (missingNodes.length > 0 && !profile.missingNodeSkipped) return;
  const existing = input.existing.filter((slice) => slice.addressType === addressType);
  const changes = planChanges(state, existing, { service, profile, maxEndpointsPerSlice, read });
  const hints = applyHints({ service, addressType, zoneShares, changes, existing, read }, draft.hints, profile);
  draft.hints = hints.state;
  draft.events.push(...hints.events);
  draft.reasons.push(...hints.reasons);
  recycle(changes, service, profile);
  // creating slices for a Service that is being deleted would race with the garbage collector
  if (!service.metadata?.deletionTimestamp || !profile.slicesNotCreatedForDeleted) draft.create.push(...changes.create);
  else if (changes.create.length > 0) {
    changes.codes.delete('EndpointsAdded');
    changes.codes.delete('Placeholder');
    changes.codes.add('ServiceTerminating');
  }
  for (const code of changes.codes) addReason(draft, code);
  draft.update.push(...changes.update);
  draft.toDelete.push(...changes.delete);
}

function reportMissingNodes(
  missingNodes: readonly MissingNode[],
  service: Service,
  { failures, reasons }: DraftPlan,
  profile: Profile,
): void {
  for (const message of describeMissingNodes(service, missingNodes, profile)) failures.add(message);
  for (const { pod, node } of missingNodes.slice(0, maxReportedNodes)) {
    const message = `Pod ${pod} names node "${node}", which does not exist.`;
    if (!reasons.some((reason) => reason.message === message)) reasons.push({ code: 'NodeMissing', message });
  }
}

const maxReportedNodes = 10;

function addReason({ reasons }: DraftPlan, code: SlicePlanCode): void {
  if (!reasons.some((reason) => reason.code === code)) reasons.push({ code, message: messageFor(code) });
}

function buildPlan(
  { create, update, toDelete, events, failures, reasons }: DraftPlan,
  { service, triggerTime }: SyncInput,
  profile: Profile,
): SlicePlan {
  for (const slice of [...create, ...update]) {
    setTriggerTime(slice, triggerTime);
    slice.apiVersion = sliceApiVersion(profile);
  }
  const isUpToDate = create.length + update.length + toDelete.length === 0 && !reasons.some(({ code }) => code === 'ServiceTerminating');
  if (failures.size > 0) events.push(createFailureEvent(service, failures));
  else if (isUpToDate) reasons.push({ code: 'SlicesEqual', message: messageFor('SlicesEqual') });
  return { create, update, delete: toDelete.map((slice) => referenceTo(slice, profile)), events, retry: failures.size > 0, reasons };
}

/**
 * Plans a Service's slices of one address type, without hints. Each group of ports is packed separately. Slices whose ports no
 * pod resolves to, and slices of an earlier Service, are deleted. If no slice would remain, the placeholder, a slice without
 * endpoints, is kept or created.
 *
 * Mirrors reconcileByAddressType (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function planChanges(
  { addressType, groups }: DesiredState,
  existing: readonly EndpointSliceInput[],
  options: PackOptions,
): SliceChanges {
  const changes: SliceChanges = { create: [], update: [], delete: [], codes: new Set() };
  const slicesByPorts = new Map<string, EndpointSliceInput[]>();
  for (const slice of existing) {
    const { isOwned, portsKey } = options.read(slice);
    if (!isOwned) {
      changes.delete.push(slice);
      changes.codes.add('SliceOfOtherService');
      continue;
    }
    const group = slicesByPorts.get(portsKey);
    if (group) group.push(slice);
    else slicesByPorts.set(portsKey, [slice]);
  }
  for (const group of groups) {
    mergeChanges(changes, packGroup(group, slicesByPorts.get(group.key) ?? [], options));
    slicesByPorts.delete(group.key);
  }
  for (const [, slices] of [...slicesByPorts].sort(([a], [b]) => compareText(a, b))) {
    changes.delete.push(...slices);
    changes.codes.add('PortsNotWanted');
  }
  if (changes.delete.length === existing.length && changes.create.length === 0) keepPlaceholder(addressType, changes, options);
  return changes;
}

function mergeChanges(target: SliceChanges, changes: SliceChanges): void {
  target.create.push(...changes.create);
  target.update.push(...changes.update);
  target.delete.push(...changes.delete);
  for (const code of changes.codes) target.codes.add(code);
}

/**
 * Ensures that there is a slice without endpoints. Keeps an existing placeholder in releases with `placeholderKept`; otherwise creates
 * one.
 */
function keepPlaceholder(addressType: AddressType, changes: SliceChanges, { service, profile }: PackOptions): void {
  const placeholder = newSlice(service, addressType, [], sliceLabels(service, profile));
  const [deleted] = changes.delete;
  if (profile.placeholderKept && deleted && changes.delete.length === 1 && isPlaceholder(deleted, placeholder)) {
    changes.delete.length = 0;
    changes.codes.delete('PortsNotWanted');
    changes.codes.delete('SliceOfOtherService');
    return;
  }
  changes.create.push(placeholder);
  changes.codes.add('Placeholder');
}

/**
 * Whether a slice equals the placeholder. Owner and annotations are ignored, and an empty label equals an absent one.
 * Mirrors placeholderSliceCompare (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
function isPlaceholder({ metadata, endpoints, ports }: EndpointSliceInput, placeholder: EndpointSlice): boolean {
  const labels = metadata?.labels ?? {};
  const desired = placeholder.metadata.labels ?? {};
  const keys = [...Object.keys(labels), ...Object.keys(desired)];
  const labelValue = (map: Readonly<Record<string, string>>, key: string): string => (Object.hasOwn(map, key) ? (map[key] as string) : '');
  return !endpoints?.length && !ports?.length && keys.every((key) => labelValue(labels, key) === labelValue(desired, key));
}

/**
 * Replaces pairs of a deletion and a creation with one update: the existing slice gets the content of the new one. Slices of an
 * earlier Service are not reused, because the garbage collector is about to delete them.
 *
 * Mirrors the start of finalize (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function recycle(
  { create, update, delete: toDelete }: SliceChanges,
  service: Service,
  { sliceOwnersChecked }: Pick<Profile, 'sliceOwnersChecked'>,
): void {
  let i = 0;
  while (i < toDelete.length && create.length > 0) {
    const slice = toDelete[i] as EndpointSliceInput;
    if (sliceOwnersChecked && !isOwnedBy(slice, service)) {
      i++;
      continue;
    }
    const successor = create.pop() as EndpointSlice;
    const { name, resourceVersion, uid } = slice.metadata ?? {};
    successor.metadata = { ...successor.metadata, name: name ?? '', ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    update.push(successor);
    toDelete.splice(i, 1);
  }
}
