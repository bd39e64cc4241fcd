import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Decision } from '../overrides.ts';
import { readSlice } from '../view/slice.ts';
import type { Entry } from '../view/view.ts';
import { type ApplyState, type CompiledAction, type CompiledRule, createDecision } from './compiled.ts';
import { isSameContent } from './outcome.ts';

/** Applies a rule that acts on single addresses or freezes the object. Returns the decision if the rule refuses the write. */
export function applyToLists(rule: CompiledRule, state: ApplyState): Decision | undefined {
  const { action } = rule;
  if (action.kind === 'freeze') {
    freeze(rule, state);
    return undefined;
  }
  if (!actsOnAddresses(action)) return undefined;
  const decide = deciders[action.kind] as Decider<typeof action.kind>;
  for (const entry of state.view.entries) {
    if (entry.removal === 'dropped' || (rule.matchesEntry && !rule.matchesEntry(entry, state.situation))) continue;
    const refusal = decide(entry, rule, state, action);
    if (refusal && !rule.audit) return refusal;
  }
  return undefined;
}

type ListActionKind = 'keepIn' | 'keepOut' | 'move' | 'refuse' | 'drop';

const actsOnAddresses = (action: CompiledAction): action is Extract<CompiledAction, { kind: ListActionKind }> =>
  Object.hasOwn(deciders, action.kind);

type Decider<K extends ListActionKind> = (
  entry: Entry,
  rule: CompiledRule,
  state: ApplyState,
  action: Extract<CompiledAction, { kind: K }>,
) => Decision | undefined;

const deciders: { readonly [K in ListActionKind]: Decider<K> } = {
  keepIn(entry, rule, state) {
    if (isListedReady(entry) || entry.terminating || state.storedIndex.readinessOf(entry) !== true) return undefined;
    logDecision(rule, state, 'KeptIn', entry);
    if (!rule.audit) markReady(entry);
    return undefined;
  },
  keepOut(entry, rule, state, { absent }) {
    if (entry.removal || (!absent && isOutOfUse(entry))) return undefined;
    if (absent || entry.ready) logDecision(rule, state, absent ? 'TakenOut' : 'KeptOut', entry);
    if (rule.audit) return undefined;
    if (absent) entry.removal = 'absent';
    else markNotReady(entry);
    return undefined;
  },
  move(entry, rule, state, { ready }) {
    if (ready ? isListedReady(entry) || entry.terminating : entry.removal || isOutOfUse(entry)) return undefined;
    if (ready || entry.ready) logDecision(rule, state, ready ? 'MovedToReady' : 'MovedToNotReady', entry);
    if (rule.audit) return undefined;
    if (ready) markReady(entry);
    else markNotReady(entry);
    return undefined;
  },
  drop(entry, rule, state, { check }) {
    const reason = check(entry, state.situation);
    if (reason === undefined) return undefined;
    logDecision(rule, state, 'Dropped', entry, { reason });
    if (!rule.audit) entry.removal = 'dropped';
    return undefined;
  },
  refuse(entry, rule, state, { check }) {
    const reason = check(entry, state.situation);
    if (reason === undefined) return undefined;
    logDecision(rule, state, 'Refused', entry, { reason });
    return createDecision(rule, 'Refused', entry.ip, { reason });
  },
};

/** True if an address gets no traffic. A terminating address may still be a fallback unless it is excluded. */
const isOutOfUse = ({ ready, terminating, isExcluded }: Entry): boolean => !ready && (!terminating || isExcluded);

const isListedReady = ({ ready, removal }: Entry): boolean => ready && !removal;

function markReady(entry: Entry): void {
  entry.removal = undefined;
  entry.ready = true;
  entry.isExcluded = false;
}

function markNotReady(entry: Entry): void {
  entry.ready = false;
  entry.isExcluded = true;
}

function logDecision(rule: CompiledRule, { log, actingRules }: ApplyState, code: Decision['code'], { ip }: Entry, details = {}): void {
  log.add(rule, code, ip, details);
  if (!rule.audit) actingRules.add(rule);
}

/** Replaces the view by the stored object, so that earlier rules have no effect and later rules act on the stored object. */
function freeze(rule: CompiledRule, state: ApplyState): void {
  const { log, actingRules } = state;
  const storedView = state.readStoredView();
  if (!storedView) {
    log.add(rule, 'NothingToFreeze');
    return;
  }
  if (!isSameContent(state)) {
    log.add(rule, 'Frozen');
    if (!rule.audit) actingRules.add(rule);
  }
  if (rule.audit) return;
  state.view = storedView;
  state.frozen = true;
}

type KeepReadyRule = CompiledRule & { readonly action: Extract<CompiledAction, { kind: 'keepReady' }> };

/**
 * Makes as many addresses ready as keepReady rules require. Runs after all other rules, and also before holds if there are any. An address
 * counts for the first keepReady rule that it matches; if ports are separate, each port must have enough ready addresses.
 * @param isLast false for the run before holds, which does not report shortages and audit decisions
 */
export function applyKeepReady(rules: readonly CompiledRule[], state: ApplyState, isLast = true): void {
  const keepReadyRules = (rules as readonly KeepReadyRule[]).filter(({ audit }) => isLast || !audit);
  if (keepReadyRules.length === 0) return;
  // A single rule needs no record of claimed addresses.
  const [claimedEntries, claimedInOtherSlices] = keepReadyRules.length > 1 ? [new Set<Entry>(), new Set<Entry>()] : [];
  const otherSliceEntries = findOtherSliceEntries(state);
  for (const rule of keepReadyRules) {
    const ownEntries = claimEntries(rule, state, state.view.entries, claimedEntries);
    const otherEntries = claimEntries(rule, state, otherSliceEntries, claimedInOtherSlices);
    if (state.view.portNames.length === 1) keepReady(rule, state, ownEntries, otherEntries, isLast);
    else
      for (const port of new Set(ownEntries.map((entry) => entry.portIndex))) {
        keepReady(
          rule,
          state,
          ownEntries.filter((entry) => entry.portIndex === port),
          otherEntries,
          isLast,
        );
      }
  }
}

/** Returns the addresses that a rule counts, and adds them to `claimedEntries` unless it is an audit rule. */
function claimEntries(
  rule: KeepReadyRule,
  { situation }: ApplyState,
  entries: readonly Entry[],
  claimedEntries: Set<Entry> | undefined,
): Entry[] {
  const ownEntries = entries.filter(
    (entry) =>
      entry.removal !== 'dropped' &&
      !entry.terminating &&
      !claimedEntries?.has(entry) &&
      (!rule.matchesEntry || rule.matchesEntry(entry, situation)),
  );
  if (!rule.audit && claimedEntries) for (const entry of ownEntries) claimedEntries.add(entry);
  return ownEntries;
}

function keepReady(
  rule: KeepReadyRule,
  { storedIndex, log, actingRules, keptReadyEntries }: ApplyState,
  ownEntries: readonly Entry[],
  otherEntries: readonly Entry[],
  isLast: boolean,
): void {
  const total = ownEntries.length + otherEntries.length;
  const requiredCount = rule.action.atLeast(total);
  let readyCount = [...ownEntries, ...otherEntries].filter((entry) => entry.ready && !entry.removal).length;
  // Addresses left out entirely would change the total at the next write.
  if (!rule.audit)
    for (const entry of ownEntries) if (entry.removal) Object.assign(entry, { removal: undefined, ready: false, isExcluded: true });
  if (readyCount < requiredCount) {
    const notReadyEntries = ownEntries.filter((entry) => !entry.ready || entry.removal);
    const storedReadyEntries = notReadyEntries.filter((entry) => storedIndex.readinessOf(entry) === true);
    const intendedReadyEntries = notReadyEntries.filter((entry) => entry.intendedReady && storedIndex.readinessOf(entry) !== true);
    for (const entry of [...storedReadyEntries, ...intendedReadyEntries].slice(0, requiredCount - readyCount)) {
      readyCount++;
      if (!keptReadyEntries.has(entry)) log.add(rule, 'KeptReady', entry.ip, { wanted: requiredCount, total });
      if (!rule.audit) keptReadyEntries.add(entry);
      if (rule.audit) continue;
      actingRules.add(rule);
      entry.ready = true;
      entry.isExcluded = false;
    }
  }
  if (isLast && readyCount < requiredCount)
    log.add(rule, 'TooFewToKeepReady', undefined, { wanted: requiredCount, total, found: readyCount });
}

/** Finds the endpoints of other slices with the same ports and address type. */
function findOtherSliceEntries({ situation: { kind, object }, otherSlices }: ApplyState): readonly Entry[] {
  if (kind !== 'EndpointSlice') return [];
  const portsKey = portsKeyOf(object as EndpointSliceInput);
  const { name } = object.metadata ?? {};
  return (
    otherSlices
      // Unnamed slices are all different.
      .filter((slice) => (!name || slice.metadata?.name !== name) && portsKeyOf(slice) === portsKey)
      .flatMap((slice) => readSlice(slice).entries)
  );
}

const portsKeyOf = ({ addressType, ports }: EndpointSliceInput): string =>
  JSON.stringify([addressType, (ports ?? []).map(({ name, port, protocol }) => [name ?? '', port ?? 0, protocol ?? 'TCP'])]);
