import type { HintsMemory } from '../../../incremental/slices/hints-memory.ts';
import type { AddressType, EndpointSliceInput, Service } from '../../../types/index.ts';
import type { Profile } from '../../../versions/index.ts';
import type { SliceChanges } from '../pack.ts';
import type { SliceEvent, SliceReason } from '../plan.ts';
import type { ReadSlice } from '../reading.ts';
import { messageFor } from '../reasons.ts';
import { addOwnHints } from './distribution.ts';
import { type HintsCode, hintsIntent } from './intent.ts';
import { removeHints, type SliceSet } from './slice-set.ts';
import { addTopologyHints, eventMessages, hintsEvent } from './topology.ts';
import type { ZoneShares } from './zones.ts';

export interface HintsInput {
  readonly key: string;
  readonly service: Service;
  readonly addressType: AddressType;
  /** Asked for only where hints go by topology. */
  readonly zoneShares: () => ZoneShares;
  /** Added to where a slice needs a write for its hints alone. */
  readonly changes: SliceChanges;
  readonly there: readonly EndpointSliceInput[];
  readonly read: ReadSlice;
}

export interface HintsOutcome {
  readonly events: SliceEvent[];
  readonly reasons: SliceReason[];
}

/**
 * Sets the hints of one address type as the Service asks for them, or takes them away.
 *
 * Mirrors the part of reconcileByAddressType about hints (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function applyHints(input: HintsInput, memory: HintsMemory, profile: Profile): HintsOutcome {
  const { key, addressType, changes } = input;
  const outcome: HintsOutcome = { events: [], reasons: [] };
  const { mode, unheard } = hintsIntent(input.service, profile);
  for (const code of unheard) outcome.reasons.push(reasonFor(code, addressType));
  const before = changes.update.length;
  const set = sliceSetOf(input);
  if (mode === 'Topology') shareOut(input, set, memory, outcome);
  else {
    if (memory.isAnnounced(key)) tell(outcome, false, 'HintsDisabled', addressType);
    memory.drop(key, addressType);
    if (mode) addOwnHints(set, mode, profile);
    else removeHints(set);
  }
  if (changes.update.length > before) changes.codes.add('HintsDiffer');
  return profile.hintEvents ? outcome : { ...outcome, events: [] };
}

function sliceSetOf({ changes, there, read }: HintsInput): SliceSet {
  const written = new Set([...changes.update, ...changes.delete].map(({ metadata }) => metadata?.name));
  const unchanged = there.filter(({ metadata }) => !written.has(metadata?.name));
  return { create: changes.create, update: changes.update, unchanged, read };
}

function shareOut({ key, addressType, zoneShares }: HintsInput, set: SliceSet, memory: HintsMemory, outcome: HintsOutcome): void {
  const zones = zoneShares();
  const result = addTopologyHints(set, zones);
  if (result.hinted) {
    if (memory.enable(key, addressType, result.hinted)) tell(outcome, true, 'HintsEnabled', addressType);
    return;
  }
  memory.drop(key, addressType);
  outcome.events.push(hintsEvent(false, result.message, addressType));
  outcome.reasons.push(zones.shares ? reasonFor(result.code, addressType) : reasonFor(zones.code, addressType, zones.node));
}

function tell(outcome: HintsOutcome, enabled: boolean, code: 'HintsEnabled' | 'HintsDisabled', addressType: AddressType): void {
  outcome.events.push(hintsEvent(enabled, eventMessages[code], addressType));
  outcome.reasons.push(reasonFor(code, addressType));
}

const reasonFor = (code: HintsCode, addressType: AddressType, node?: string): SliceReason => ({
  code,
  message: `${addressType}: ${messageFor(code)}${node === undefined ? '' : ` (node ${node})`}`,
  addressType,
  ...(node !== undefined && { node }),
});
