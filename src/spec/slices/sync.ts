import type { HintsMemory } from '../../incremental/slices/hints-memory.ts';
import type { AddressType, EndpointSlice, EndpointSliceInput, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { changesOfType, recycle } from './change.ts';
import type { DesiredState, MissingNode } from './desired.ts';
import { failureEvent, missingNodeMessages } from './failure.ts';
import { applyHints } from './hints/apply.ts';
import type { ZoneShares } from './hints/zones.ts';
import { stampTriggerTime } from './metadata.ts';
import { referenceTo, type SliceEvent, type SlicePlan, type SlicePlanCode, type SliceReason } from './plan.ts';
import type { ReadSlice } from './reading.ts';
import { messageFor } from './reasons.ts';
import type { SliceSettings } from './settings.ts';

/** What one sync of a Service's slices starts from. */
export interface SyncInput {
  readonly key: string;
  readonly service: Service;
  readonly zoneShares: () => ZoneShares;
  /** The controller's own slices of the Service, by name. */
  readonly there: readonly EndpointSliceInput[];
  readonly read: ReadSlice;
  readonly desired: readonly DesiredState[];
  readonly triggerTime: string | undefined;
}

/** What a sync gathers on its way to a plan. */
interface Gathered {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly doomed: EndpointSliceInput[];
  readonly events: SliceEvent[];
  readonly failures: Set<string>;
  readonly reasons: SliceReason[];
}

/**
 * The plan for a Service: each address type by itself, then the slices of types that the Service no longer has.
 *
 * Mirrors Reconcile and reconcileByAddressType (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function syncSlices(input: SyncInput, memory: HintsMemory, settings: SliceSettings): SlicePlan {
  const { key, there, desired } = input;
  const gathered: Gathered = { create: [], update: [], doomed: [], events: [], failures: new Set(), reasons: [] };
  const unwanted = there.filter((slice) => !desired.some(({ addressType }) => addressType === slice.addressType));
  for (const { addressType } of unwanted) memory.drop(key, addressType as AddressType);
  for (const state of desired) syncType(state, input, gathered, memory, settings);
  gathered.doomed.push(...unwanted);
  if (unwanted.length > 0) addReason(gathered, 'AddressTypeNotWanted');
  return finish(gathered, input);
}

function syncType(state: DesiredState, input: SyncInput, gathered: Gathered, memory: HintsMemory, settings: SliceSettings): void {
  const { profile, maxEndpointsPerSlice } = settings;
  const { key, service, zoneShares, read } = input;
  const { addressType, missingNodes } = state;
  reportMissing(missingNodes, service, gathered, profile);
  if (missingNodes.length > 0 && !profile.missingNodeSkipped) return;
  const there = input.there.filter((slice) => slice.addressType === addressType);
  const changes = changesOfType(state, there, { service, profile, maxEndpointsPerSlice, read });
  const hints = applyHints({ key, service, addressType, zoneShares, changes, there, read }, memory, profile);
  gathered.events.push(...hints.events);
  gathered.reasons.push(...hints.reasons);
  recycle(changes, service);
  // new slices of a Service that is being deleted would race with the garbage collector
  if (!service.metadata?.deletionTimestamp) gathered.create.push(...changes.create);
  else if (changes.create.length > 0) {
    changes.codes.delete('EndpointsAdded');
    changes.codes.delete('Placeholder');
    changes.codes.add('ServiceTerminating');
  }
  for (const code of changes.codes) addReason(gathered, code);
  gathered.update.push(...changes.update);
  gathered.doomed.push(...changes.delete);
}

function reportMissing(missing: readonly MissingNode[], service: Service, { failures, reasons }: Gathered, profile: Profile): void {
  for (const message of missingNodeMessages(service, missing, profile)) failures.add(message);
  for (const { pod, node } of missing.slice(0, reportedNodes)) {
    const message = `Pod ${pod} names node "${node}", which does not exist.`;
    if (!reasons.some((reason) => reason.message === message)) reasons.push({ code: 'NodeMissing', message });
  }
}

const reportedNodes = 10;

function addReason({ reasons }: Gathered, code: SlicePlanCode): void {
  if (!reasons.some((reason) => reason.code === code)) reasons.push({ code, message: messageFor(code) });
}

function finish({ create, update, doomed, events, failures, reasons }: Gathered, { service, triggerTime }: SyncInput): SlicePlan {
  for (const slice of [...create, ...update]) stampTriggerTime(slice, triggerTime);
  const isQuiet = create.length + update.length + doomed.length === 0 && !reasons.some(({ code }) => code === 'ServiceTerminating');
  if (failures.size > 0) events.push(failureEvent(service, failures));
  else if (isQuiet) reasons.push({ code: 'SlicesEqual', message: messageFor('SlicesEqual') });
  return { create, update, delete: doomed.map(referenceTo), events, retry: failures.size > 0, reasons };
}
