import type { AddressType, EndpointSliceInput, Service } from '../../../types/index.ts';
import type { Profile } from '../../../versions/index.ts';
import type { SliceChanges } from '../pack.ts';
import { messageFor, type SliceEvent, type SliceReason } from '../plan.ts';
import type { SliceParser } from '../reading.ts';
import { isOverloaded } from './allocation.ts';
import { type HintsCode, hintsIntent } from './intent.ts';
import { addTrafficDistributionHints, removeHints, type SliceSet } from './slice-set.ts';
import { addTopologyHints, createHintsEvent, eventMessages } from './topology.ts';
import type { ZoneShares } from './zones.ts';

/**
 * The controller's memory of a Service with topology hints. Plain data.
 *
 * Mirrors TopologyCache's state per Service (1.36, staging/src/k8s.io/endpointslice/topologycache/topologycache.go), including
 * its bug: removing the hints of one address type also forgets that an Event announced the hints of the other type.
 */
export interface HintsState {
  /** Whether an Event has announced the hints. */
  readonly announced: boolean;
  /** The number of endpoints with a hint for each zone, by address type. */
  readonly hintsByZone: ReadonlyMap<AddressType, ReadonlyMap<string, number>>;
}

const addHintsState = (state: HintsState | undefined, type: AddressType, zones: ReadonlyMap<string, number>): HintsState => ({
  announced: true,
  hintsByZone: new Map(state?.hintsByZone).set(type, zones),
});

export function removeHintsState(state: HintsState | undefined, type: AddressType): HintsState | undefined {
  const remaining = [...(state?.hintsByZone ?? [])].filter(([each]) => each !== type);
  return remaining.length > 0 ? { announced: false, hintsByZone: new Map(remaining) } : undefined;
}

/** Whether a zone has too few endpoints for its share, so that the hints of the Service no longer fit. */
export const areHintsOverloaded = (state: HintsState | undefined, shares: ZoneShares['shares']): boolean =>
  state !== undefined && [...state.hintsByZone.values()].some((counts) => isOverloaded(counts, shares));

export interface HintsInput {
  readonly service: Service;
  readonly addressType: AddressType;
  /** Called only for topology hints. */
  readonly zoneShares: () => ZoneShares;
  /** The planned writes. Slices that need a write only for their hints are added here. */
  readonly changes: SliceChanges;
  readonly existing: readonly EndpointSliceInput[];
  readonly read: SliceParser;
}

export interface HintsOutcome {
  readonly events: SliceEvent[];
  readonly reasons: SliceReason[];
  state: HintsState | undefined;
}

/**
 * Sets the hints of one address type as the Service requests them, or removes them.
 *
 * Mirrors the part of reconcileByAddressType about hints (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function applyHints(input: HintsInput, state: HintsState | undefined, profile: Profile): HintsOutcome {
  const { addressType, changes } = input;
  const outcome: HintsOutcome = { events: [], reasons: [], state };
  const { mode, ignored } = hintsIntent(input.service, profile);
  for (const code of ignored) outcome.reasons.push(reasonFor(code, addressType));
  const updateCount = changes.update.length;
  const set = createSliceSet(input);
  if (mode === 'Topology') applyTopologyHints(input, set, outcome, profile);
  else {
    if (state?.announced) announce(outcome, 'HintsDisabled', addressType);
    outcome.state = removeHintsState(state, addressType);
    if (mode) addTrafficDistributionHints(set, mode, profile);
    // v1beta1 had no hints before Kubernetes 1.21
    else if (profile.slicesAreV1) removeHints(set);
  }
  if (changes.update.length > updateCount) changes.codes.add('HintsDiffer');
  return profile.hintEvents ? outcome : { ...outcome, events: [] };
}

function createSliceSet({ changes, existing, read }: HintsInput): SliceSet {
  const writtenNames = new Set([...changes.update, ...changes.delete].map(({ metadata }) => metadata?.name));
  const unchanged = existing.filter(({ metadata }) => !writtenNames.has(metadata?.name));
  return { create: changes.create, update: changes.update, unchanged, read };
}

function applyTopologyHints({ addressType, zoneShares }: HintsInput, set: SliceSet, outcome: HintsOutcome, profile: Profile): void {
  const zones = zoneShares();
  const result = addTopologyHints(set, zones, profile);
  if (result.zoneCounts) {
    if (!outcome.state?.announced) announce(outcome, 'HintsEnabled', addressType);
    outcome.state = addHintsState(outcome.state, addressType, result.zoneCounts);
    return;
  }
  outcome.state = removeHintsState(outcome.state, addressType);
  outcome.events.push(createHintsEvent(false, result.message, addressType));
  outcome.reasons.push(zones.shares ? reasonFor(result.code, addressType) : reasonFor(zones.code, addressType, zones.node));
}

function announce(outcome: HintsOutcome, code: 'HintsEnabled' | 'HintsDisabled', addressType: AddressType): void {
  outcome.events.push(createHintsEvent(code === 'HintsEnabled', eventMessages[code], addressType));
  outcome.reasons.push(reasonFor(code, addressType));
}

const reasonFor = (code: HintsCode, addressType: AddressType, node?: string): SliceReason => ({
  code,
  message: `${addressType}: ${messageFor(code)}${node === undefined ? '' : ` (node ${node})`}`,
  addressType,
  ...(node !== undefined && { node }),
});
