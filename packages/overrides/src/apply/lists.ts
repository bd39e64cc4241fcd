import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Decision } from '../overrides.ts';
import { readSlice } from '../view/slice.ts';
import type { Entry } from '../view/view.ts';
import { type CompiledAction, type CompiledRule, decisionOf, type Work } from './compiled.ts';
import { isSameContent } from './outcome.ts';

/** Applies a rule that acts on single addresses or freezes the object. A refusal stops all further rules. */
export function applyToLists(rule: CompiledRule, work: Work): Decision | undefined {
  const { action } = rule;
  if (action.kind === 'freeze') {
    freeze(rule, work);
    return undefined;
  }
  if (!isListed(action)) return undefined;
  const decide = deciders[action.kind] as Decider<typeof action.kind>;
  for (const entry of work.view.entries) {
    if (entry.gone === 'dropped' || (rule.entry && !rule.entry(entry, work.situation))) continue;
    const refusal = decide(entry, rule, work, action);
    if (refusal && !rule.audit) return refusal;
  }
  return undefined;
}

type ListKind = 'keepIn' | 'keepOut' | 'move' | 'refuse' | 'drop';

const isListed = (action: CompiledAction): action is Extract<CompiledAction, { kind: ListKind }> => Object.hasOwn(deciders, action.kind);

type Decider<K extends ListKind> = (
  entry: Entry,
  rule: CompiledRule,
  work: Work,
  action: Extract<CompiledAction, { kind: K }>,
) => Decision | undefined;

const deciders: { readonly [K in ListKind]: Decider<K> } = {
  keepIn(entry, rule, work) {
    if (isShown(entry) || entry.terminating || work.stored.isReady(entry) !== true) return undefined;
    note(rule, work, 'KeptIn', entry);
    if (!rule.audit) markReady(entry);
    return undefined;
  },
  keepOut(entry, rule, work, { absent }) {
    if (entry.gone || (!absent && !entry.ready && (!entry.terminating || entry.out))) return undefined;
    if (absent || entry.ready) note(rule, work, absent ? 'TakenOut' : 'KeptOut', entry);
    if (rule.audit) return undefined;
    if (absent) entry.gone = 'absent';
    else markNotReady(entry);
    return undefined;
  },
  move(entry, rule, work, { ready }) {
    if (ready ? isShown(entry) || entry.terminating : entry.gone || (!entry.ready && (!entry.terminating || entry.out))) return undefined;
    if (ready || entry.ready) note(rule, work, ready ? 'MovedToReady' : 'MovedToNotReady', entry);
    if (rule.audit) return undefined;
    if (ready) markReady(entry);
    else markNotReady(entry);
    return undefined;
  },
  drop(entry, rule, work, { check }) {
    const because = check(entry, work.situation);
    if (because === undefined) return undefined;
    note(rule, work, 'Dropped', entry, { because });
    if (!rule.audit) entry.gone = 'dropped';
    return undefined;
  },
  refuse(entry, rule, work, { check }) {
    const because = check(entry, work.situation);
    if (because === undefined) return undefined;
    note(rule, work, 'Refused', entry, { because });
    return decisionOf(rule, 'Refused', entry.ip, { because });
  },
};

const isShown = ({ ready, gone }: Entry): boolean => ready && !gone;

function markReady(entry: Entry): void {
  entry.gone = undefined;
  entry.ready = true;
  entry.out = false;
}

function markNotReady(entry: Entry): void {
  entry.ready = false;
  entry.out = true;
}

function note(rule: CompiledRule, { notes, acted }: Work, code: Decision['code'], { ip }: Entry, details = {}): void {
  notes.add(rule, code, ip, details);
  if (!rule.audit) acted.add(rule);
}

/** Discards the effect of earlier rules; later rules act on the stored object. */
function freeze(rule: CompiledRule, work: Work): void {
  const { notes, acted } = work;
  const storedView = work.storedView();
  if (!storedView) {
    notes.add(rule, 'NothingToFreeze');
    return;
  }
  if (!isSameContent(work)) {
    notes.add(rule, 'Frozen');
    if (!rule.audit) acted.add(rule);
  }
  if (rule.audit) return;
  work.view = storedView;
  work.frozen = true;
}

type KeepReadyRule = CompiledRule & { readonly action: Extract<CompiledAction, { kind: 'keepReady' }> };

/**
 * Makes as many addresses ready as keepReady rules demand. Runs after all other rules, and before holds too if there are any. An address
 * counts for the first such rule that it matches; if ports are separate, each port must have enough ready addresses.
 * @param isLast false for the run before holds, which does not report shortages and audit decisions
 */
export function applyKeepReady(rules: readonly CompiledRule[], work: Work, isLast = true): void {
  const keepReadyRules = (rules as readonly KeepReadyRule[]).filter(({ audit }) => isLast || !audit);
  if (keepReadyRules.length === 0) return;
  // A single rule needs no record of claimed addresses.
  const [claimed, claimedElsewhere] = keepReadyRules.length > 1 ? [new Set<Entry>(), new Set<Entry>()] : [];
  const otherSlices = otherSliceEntries(work);
  for (const rule of keepReadyRules) {
    const own = claim(rule, work, work.view.entries, claimed);
    const others = claim(rule, work, otherSlices, claimedElsewhere);
    if (work.view.portNames.length === 1) keepReady(rule, work, own, others, isLast);
    else
      for (const port of new Set(own.map((entry) => entry.port))) {
        keepReady(
          rule,
          work,
          own.filter((entry) => entry.port === port),
          others,
          isLast,
        );
      }
  }
}

/** The addresses that a rule counts. Audit rules do not claim them. */
function claim(rule: KeepReadyRule, { situation }: Work, entries: readonly Entry[], claimed: Set<Entry> | undefined): Entry[] {
  const own = entries.filter(
    (entry) => entry.gone !== 'dropped' && !entry.terminating && !claimed?.has(entry) && (!rule.entry || rule.entry(entry, situation)),
  );
  if (!rule.audit && claimed) for (const entry of own) claimed.add(entry);
  return own;
}

function keepReady(
  rule: KeepReadyRule,
  { stored, notes, acted, keptReady: takenBack }: Work,
  own: readonly Entry[],
  others: readonly Entry[],
  isLast: boolean,
): void {
  const total = own.length + others.length;
  const wanted = rule.action.atLeast(total);
  let found = [...own, ...others].filter((entry) => entry.ready && !entry.gone).length;
  // Addresses left out entirely would change the total at the next write.
  if (!rule.audit) for (const entry of own) if (entry.gone) Object.assign(entry, { gone: undefined, ready: false, out: true });
  if (found < wanted) {
    const idle = own.filter((entry) => !entry.ready || entry.gone);
    const wasReady = idle.filter((entry) => stored.isReady(entry) === true);
    const others = idle.filter((entry) => entry.wanted && stored.isReady(entry) !== true);
    for (const entry of [...wasReady, ...others].slice(0, wanted - found)) {
      found++;
      if (!takenBack.has(entry)) notes.add(rule, 'KeptReady', entry.ip, { wanted, total });
      if (!rule.audit) takenBack.add(entry);
      if (rule.audit) continue;
      acted.add(rule);
      entry.ready = true;
      entry.out = false;
    }
  }
  if (isLast && found < wanted) notes.add(rule, 'TooFewToKeepReady', undefined, { wanted, total, found });
}

/** The endpoints of other slices with the same ports and address type. */
function otherSliceEntries({ situation: { kind, object }, otherSlices }: Work): readonly Entry[] {
  if (kind !== 'EndpointSlice') return [];
  const like = portsKeyOf(object as EndpointSliceInput);
  const { name } = object.metadata ?? {};
  return (
    otherSlices
      // Unnamed slices are all different.
      .filter((slice) => (!name || slice.metadata?.name !== name) && portsKeyOf(slice) === like)
      .flatMap((slice) => readSlice(slice).entries)
  );
}

const portsKeyOf = ({ addressType, ports }: EndpointSliceInput): string =>
  JSON.stringify([addressType, (ports ?? []).map(({ name, port, protocol }) => [name ?? '', port ?? 0, protocol ?? 'TCP'])]);
