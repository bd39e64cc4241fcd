import { isPodReady, parseInstant, readyCondition } from 'kube-endpoints/internal';
import { type Entry, identityOf } from '../view/view.ts';
import type { ApplyState, CompiledAction, CompiledRule } from './compiled.ts';
import {
  digestOf,
  formatHoldRecord,
  type HeldAddress,
  type HoldRecord,
  heldLabel,
  keyOf,
  maxHeld,
  parseHoldRecord,
} from './hold-record.ts';

/** The held addresses of an object, available after all rules were applied. */
export interface HoldResult {
  /** The annotation value that records them; undefined if nothing is held. */
  text(): string | undefined;
  /** When the next hold ends, in milliseconds since the epoch; Infinity if nothing is held. */
  due(): number;
}

export const noHolds: HoldResult = { text: () => undefined, due: () => Number.POSITIVE_INFINITY };

type HoldAction = Extract<CompiledAction, { kind: 'hold' }>;
type HoldRule = CompiledRule & { readonly action: HoldAction };

/** Delays readiness changes according to hold rules. The first rule that matches an address applies to it. */
export function applyHolds(rules: readonly CompiledRule[], state: ApplyState): HoldResult {
  const { situation } = state;
  const recorded = recordedHolds(state);
  const record = parseHoldRecord(situation.oldObject ?? situation.object);
  const holds: ActiveHold[] = [];
  let isUnchanged = recorded !== undefined;
  const enforcedRules = (rules as readonly HoldRule[]).filter(({ audit }) => !audit);
  const auditRules = (rules as readonly HoldRule[]).filter(({ audit }) => audit);
  for (const entry of state.view.entries) {
    const isNotHoldable = entry.removal !== undefined || entry.terminating;
    for (const rule of isNotHoldable ? [] : auditRules) if (isCoveredBy(rule, entry, state)) holdAddress(entry, rule, state, record, 0);
    const rule = isNotHoldable ? undefined : enforcedRules.find((each) => isCoveredBy(each, entry, state));
    const recordedHold = recorded && findHeld(recorded, entry);
    if (recordedHold && entry.ready === entry.intendedReady) {
      if (rule) holds.push({ entry, heldAddress: recordedHold, until: untilOf(recordedHold, rule.action), rule });
      else isUnchanged = false;
    } else if (rule && (!recorded || entry.ready !== entry.intendedReady)) {
      const newHold = holdAddress(entry, rule, state, record, holds.length);
      if (newHold) holds.push(newHold);
      if (newHold && recorded) isUnchanged = false;
    }
  }
  return createHoldResult(holds, state, isUnchanged && holds.length > 0 ? recorded : undefined);
}

interface ActiveHold {
  readonly entry: Entry;
  readonly rule: HoldRule;
  readonly heldAddress: HeldAddress;
  /** When the hold ends; undefined if it is over, and only another rule may still change the address. */
  readonly until: number | undefined;
}

const isCoveredBy = ({ entry: matches }: CompiledRule, entry: Entry, { situation }: ApplyState): boolean =>
  !matches || matches(entry, situation);

const untilOf = ({ ready, changedAtMs }: HeldAddress, { afterReady, afterUnready }: HoldAction): number =>
  changedAtMs + (ready ? afterReady : afterUnready) * 1000;

/**
 * The object's recorded holds if the object is exactly a result of the rules, else undefined. In such an object, readiness does not show the
 * writer's intent, so holds stay. After a freeze, returns the holds of the stored object.
 */
function recordedHolds({ situation, incoming, storedView, frozen }: ApplyState): HoldRecord | undefined {
  const [object, view] = frozen ? [situation.oldObject, storedView() ?? incoming] : [situation.object, incoming];
  if (object?.metadata?.labels?.[heldLabel] === undefined) return undefined;
  const record = parseHoldRecord(object);
  const entriesBeforeRules = view.entries.map((entry) => ({ ...entry, ready: entry.intendedReady, removal: undefined }));
  return record.addresses.size > 0 && record.digest === digestOf({ ...view, entries: entriesBeforeRules }) ? record : undefined;
}

/** Looks up by address and port, then by address, then, if ports are not separate in this view, by address with any port. */
function findHeld({ addresses }: HoldRecord, entry: Entry): HeldAddress | undefined {
  if (addresses.size === 0) return undefined;
  const identity = identityOf(entry);
  const exact = addresses.get(keyOf(entry)) ?? addresses.get(identity);
  if (exact || entry.portName !== '') return exact;
  for (const [key, each] of addresses) if (key.startsWith(`${identity}#`)) return each;
  return undefined;
}

/**
 * Holds the readiness of an address if it changed recently; undefined if it needs no hold.
 * @param count number of addresses held so far
 */
function holdAddress(entry: Entry, rule: HoldRule, state: ApplyState, record: HoldRecord, count: number): ActiveHold | undefined {
  const { situation, stored, log } = state;
  const ready = entry.ready;
  const seconds = ready ? rule.action.afterReady : rule.action.afterUnready;
  if (seconds === 0 || ready === (stored.isReady(entry) ?? false)) return undefined;
  const recordedHold = findHeld(record, entry);
  const changedAtMs = findChangeTime(entry, recordedHold?.ready === ready ? recordedHold : undefined, state);
  const until = changedAtMs + seconds * 1000;
  const key = keyOf(entry);
  if (situation.now >= until) return rule.audit ? undefined : { entry, rule, heldAddress: { key, ready, changedAtMs }, until: undefined };
  if (count >= maxHeld || /\s/.test(key)) {
    log.add(rule, 'HoldFull', entry.ip, { limit: maxHeld });
    return undefined;
  }
  log.add(rule, ready ? 'HeldUnready' : 'HeldReady', entry.ip, { since: formatTime(changedAtMs), until: formatTime(until) });
  if (rule.audit) return undefined;
  entry.ready = !ready;
  return { entry, rule, heldAddress: { key, ready, changedAtMs }, until };
}

/**
 * Since when the address has its new readiness, in milliseconds since the epoch: the time of the first observation, or the transition time
 * of the pod's Ready condition if that is later or if nothing was observed.
 */
function findChangeTime(entry: Entry, recordedHold: HeldAddress | undefined, { situation: { pods, now } }: ApplyState): number {
  const observedSince = recordedHold ? Math.min(recordedHold.changedAtMs, now) : undefined;
  const pod = pods.podOf(entry);
  if (!pod || isPodReady(pod) !== entry.ready) return observedSince ?? now;
  const transitionTime = timeOf(readyCondition(pod)?.lastTransitionTime);
  if (transitionTime === undefined) return observedSince ?? now;
  return Math.min(Math.max(observedSince ?? transitionTime, transitionTime), now);
}

function timeOf(timestamp: Parameters<typeof parseInstant>[0]): number | undefined {
  try {
    const instant = parseInstant(timestamp, 'lastTransitionTime');
    return instant === undefined ? undefined : Date.parse(`${instant.slice(0, '2026-01-01T00:00:00.000'.length)}Z`);
  } catch {
    return undefined;
  }
}

/** Drops holds that other rules made ineffective, so that the address has the readiness that the writer intends. */
function createHoldResult(
  holds: readonly ActiveHold[],
  { view, situation }: ApplyState,
  unchangedRecord: HoldRecord | undefined,
): HoldResult {
  const effectiveHolds = (): readonly ActiveHold[] =>
    holds.filter(({ entry, heldAddress }) => !entry.removal && entry.ready !== heldAddress.ready);
  return {
    text() {
      const activeHolds = effectiveHolds();
      if (activeHolds.length === 0) return undefined;
      if (unchangedRecord && activeHolds.length === holds.length) return unchangedRecord.text;
      return formatHoldRecord(mergePorts(activeHolds), digestOf(view));
    },
    due() {
      const ends = effectiveHolds().flatMap(({ until, rule }) =>
        until === undefined ? [] : [until, rule.object.window?.endOf(situation.now)],
      );
      // Skips times in the past, as of a frozen object, which would cause endless retries.
      return ends.reduce<number>(
        (earliest, end) => (end !== undefined && end > situation.now ? Math.min(earliest, end) : earliest),
        Number.POSITIVE_INFINITY,
      );
    },
  };
}

/** Records an address once if all its ports have the same hold. */
function mergePorts(holds: readonly ActiveHold[]): HeldAddress[] {
  const addresses = Map.groupBy(holds, ({ entry }) => identityOf(entry));
  return [...addresses].flatMap(([key, [first, ...others]]) => {
    const { ready, changedAtMs } = (first as ActiveHold).heldAddress;
    const isAlike = others.every(({ heldAddress }) => heldAddress.ready === ready && heldAddress.changedAtMs === changedAtMs);
    return isAlike ? [{ key, ready, changedAtMs }] : [first as ActiveHold, ...others].map(({ heldAddress }) => heldAddress);
  });
}

const formatTime = (time: number): string => new Date(time).toISOString();
