import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Decision } from '../overrides.ts';
import { readSlice } from '../view/slice.ts';
import type { Entry } from '../view/view.ts';
import { type ApplyState, type CompiledAction, type CompiledRule, decisionOf } from './compiled.ts';
import { isSameContent } from './outcome.ts';

/** Applies a rule that acts on single addresses or freezes the object. A refusal stops all further rules. */
export function applyToLists(rule: CompiledRule, state: ApplyState): Decision | undefined {
  const { action } = rule;
  if (action.kind === 'freeze') {
    freeze(rule, state);
    return undefined;
  }
  if (!actsOnAddresses(action)) return undefined;
  const decide = deciders[action.kind] as Decider<typeof action.kind>;
  for (const entry of state.view.entries) {
    if (entry.removal === 'dropped' || (rule.entry && !rule.entry(entry, state.situation))) continue;
    const refusal = decide(entry, rule, state, action);
    if (refusal && !rule.audit) return refusal;
  }
  return undefined;
}

type ListKind = 'keepIn' | 'keepOut' | 'move' | 'refuse' | 'drop';

const actsOnAddresses = (action: CompiledAction): action is Extract<CompiledAction, { kind: ListKind }> =>
  Object.hasOwn(deciders, action.kind);

type Decider<K extends ListKind> = (
  entry: Entry,
  rule: CompiledRule,
  state: ApplyState,
  action: Extract<CompiledAction, { kind: K }>,
) => Decision | undefined;

const deciders: { readonly [K in ListKind]: Decider<K> } = {
  keepIn(entry, rule, state) {
    if (isListedReady(entry) || entry.terminating || state.stored.isReady(entry) !== true) return undefined;
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
    return decisionOf(rule, 'Refused', entry.ip, { reason });
  },
};

/** Whether an address gets no traffic. A terminating one may still be a fallback unless it is excluded. */
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

/** Discards the effect of earlier rules; later rules act on the stored object. */
function freeze(rule: CompiledRule, state: ApplyState): void {
  const { log, actingRules } = state;
  const storedView = state.storedView();
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
  const [claimed, claimedInOtherSlices] = keepReadyRules.length > 1 ? [new Set<Entry>(), new Set<Entry>()] : [];
  const otherSlices = otherSliceEntries(state);
  for (const rule of keepReadyRules) {
    const ownEntries = claim(rule, state, state.view.entries, claimed);
    const otherEntries = claim(rule, state, otherSlices, claimedInOtherSlices);
    if (state.view.portNames.length === 1) keepReady(rule, state, ownEntries, otherEntries, isLast);
    else
      for (const port of new Set(ownEntries.map((entry) => entry.port))) {
        keepReady(
          rule,
          state,
          ownEntries.filter((entry) => entry.port === port),
          otherEntries,
          isLast,
        );
      }
  }
}

/** Returns the addresses that a rule counts, and adds them to `claimed` unless it is an audit rule. */
function claim(rule: KeepReadyRule, { situation }: ApplyState, entries: readonly Entry[], claimed: Set<Entry> | undefined): Entry[] {
  const ownEntries = entries.filter(
    (entry) => entry.removal !== 'dropped' && !entry.terminating && !claimed?.has(entry) && (!rule.entry || rule.entry(entry, situation)),
  );
  if (!rule.audit && claimed) for (const entry of ownEntries) claimed.add(entry);
  return ownEntries;
}

function keepReady(
  rule: KeepReadyRule,
  { stored, log, actingRules, keptReady }: ApplyState,
  ownEntries: readonly Entry[],
  otherEntries: readonly Entry[],
  isLast: boolean,
): void {
  const total = ownEntries.length + otherEntries.length;
  const required = rule.action.atLeast(total);
  let readyCount = [...ownEntries, ...otherEntries].filter((entry) => entry.ready && !entry.removal).length;
  // Addresses left out entirely would change the total at the next write.
  if (!rule.audit)
    for (const entry of ownEntries) if (entry.removal) Object.assign(entry, { removal: undefined, ready: false, isExcluded: true });
  if (readyCount < required) {
    const notReady = ownEntries.filter((entry) => !entry.ready || entry.removal);
    const wasReady = notReady.filter((entry) => stored.isReady(entry) === true);
    const intendedReady = notReady.filter((entry) => entry.intendedReady && stored.isReady(entry) !== true);
    for (const entry of [...wasReady, ...intendedReady].slice(0, required - readyCount)) {
      readyCount++;
      if (!keptReady.has(entry)) log.add(rule, 'KeptReady', entry.ip, { wanted: required, total });
      if (!rule.audit) keptReady.add(entry);
      if (rule.audit) continue;
      actingRules.add(rule);
      entry.ready = true;
      entry.isExcluded = false;
    }
  }
  if (isLast && readyCount < required) log.add(rule, 'TooFewToKeepReady', undefined, { wanted: required, total, found: readyCount });
}

/** The endpoints of other slices with the same ports and address type. */
function otherSliceEntries({ situation: { kind, object }, otherSlices }: ApplyState): readonly Entry[] {
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
