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
  maxHeldAddresses,
  parseHoldRecord,
} from './hold-record.ts';

/** The held addresses of an object. Call the functions after all rules were applied. */
export interface HoldResult {
  /** Formats the annotation value that records the held addresses; undefined if no address is held. */
  formatAnnotation(): string | undefined;
  /** Finds the end of the next hold, in milliseconds since the epoch; Infinity if no address is held. */
  findNextEnd(): number;
}

export const noHolds: HoldResult = { formatAnnotation: () => undefined, findNextEnd: () => Number.POSITIVE_INFINITY };

type HoldAction = Extract<CompiledAction, { kind: 'hold' }>;
type HoldRule = CompiledRule & { readonly action: HoldAction };

/** Delays readiness changes according to hold rules. The first rule that matches an address applies to it. */
export function applyHolds(rules: readonly CompiledRule[], state: ApplyState): HoldResult {
  const { situation } = state;
  const resultRecord = findResultRecord(state);
  const previousRecord = parseHoldRecord(situation.oldObject ?? situation.object);
  const holds: ActiveHold[] = [];
  let isUnchanged = resultRecord !== undefined;
  const enforcedRules = (rules as readonly HoldRule[]).filter(({ audit }) => !audit);
  const auditRules = (rules as readonly HoldRule[]).filter(({ audit }) => audit);
  for (const entry of state.view.entries) {
    const isNotHoldable = entry.removal !== undefined || entry.terminating;
    for (const rule of isNotHoldable ? [] : auditRules) if (covers(rule, entry, state)) holdAddress(entry, rule, state, previousRecord, 0);
    const rule = isNotHoldable ? undefined : enforcedRules.find((each) => covers(each, entry, state));
    const recordedHold = resultRecord && findHeld(resultRecord, entry);
    if (recordedHold && entry.ready === entry.intendedReady) {
      if (rule) holds.push({ entry, heldAddress: recordedHold, until: computeEnd(recordedHold, rule.action), rule });
      else isUnchanged = false;
    } else if (rule && (!resultRecord || entry.ready !== entry.intendedReady)) {
      const newHold = holdAddress(entry, rule, state, previousRecord, holds.length);
      if (newHold) holds.push(newHold);
      if (newHold && resultRecord) isUnchanged = false;
    }
  }
  return createHoldResult(holds, state, isUnchanged && holds.length > 0 ? resultRecord : undefined);
}

interface ActiveHold {
  readonly entry: Entry;
  readonly rule: HoldRule;
  readonly heldAddress: HeldAddress;
  /** When the hold ends; undefined if the hold is over, and only a different rule may still change the address. */
  readonly until: number | undefined;
}

const covers = ({ matchesEntry }: CompiledRule, entry: Entry, { situation }: ApplyState): boolean =>
  !matchesEntry || matchesEntry(entry, situation);

const computeEnd = ({ ready, changedAtMs }: HeldAddress, { afterReady, afterUnready }: HoldAction): number =>
  changedAtMs + (ready ? afterReady : afterUnready) * 1000;

/**
 * Returns the recorded holds of the object if the object is exactly a result of the rules, else undefined. In such an object, readiness
 * does not show the writer's intent, so the holds stay. After a freeze, uses the stored object.
 */
function findResultRecord({ situation, incomingView, readStoredView, frozen }: ApplyState): HoldRecord | undefined {
  const [object, view] = frozen ? [situation.oldObject, readStoredView() ?? incomingView] : [situation.object, incomingView];
  if (object?.metadata?.labels?.[heldLabel] === undefined) return undefined;
  const record = parseHoldRecord(object);
  const entriesBeforeRules = view.entries.map((entry) => ({ ...entry, ready: entry.intendedReady, removal: undefined }));
  return record.addresses.size > 0 && record.digest === digestOf({ ...view, entries: entriesBeforeRules }) ? record : undefined;
}

/**
 * Finds the held address of an entry: by address and port, then by address, then, if ports are not separate in this view, by address with
 * any port.
 */
function findHeld({ addresses }: HoldRecord, entry: Entry): HeldAddress | undefined {
  if (addresses.size === 0) return undefined;
  const identity = identityOf(entry);
  const exactHold = addresses.get(keyOf(entry)) ?? addresses.get(identity);
  if (exactHold || entry.portName !== '') return exactHold;
  for (const [key, each] of addresses) if (key.startsWith(`${identity}#`)) return each;
  return undefined;
}

/**
 * Holds the readiness of an address if it changed recently. Returns undefined if the address needs no hold.
 * @param count number of addresses held so far
 */
function holdAddress(entry: Entry, rule: HoldRule, state: ApplyState, record: HoldRecord, count: number): ActiveHold | undefined {
  const { situation, storedIndex, log } = state;
  const ready = entry.ready;
  const seconds = ready ? rule.action.afterReady : rule.action.afterUnready;
  if (seconds === 0 || ready === (storedIndex.readinessOf(entry) ?? false)) return undefined;
  const recordedHold = findHeld(record, entry);
  const changedAtMs = findChangeTime(entry, recordedHold?.ready === ready ? recordedHold : undefined, state);
  const until = changedAtMs + seconds * 1000;
  const key = keyOf(entry);
  if (situation.now >= until) return rule.audit ? undefined : { entry, rule, heldAddress: { key, ready, changedAtMs }, until: undefined };
  if (count >= maxHeldAddresses || /\s/.test(key)) {
    log.add(rule, 'HoldFull', entry.ip, { limit: maxHeldAddresses });
    return undefined;
  }
  log.add(rule, ready ? 'HeldUnready' : 'HeldReady', entry.ip, { since: formatTime(changedAtMs), until: formatTime(until) });
  if (rule.audit) return undefined;
  entry.ready = !ready;
  return { entry, rule, heldAddress: { key, ready, changedAtMs }, until };
}

/**
 * Finds the time since when the address has its new readiness, in milliseconds since the epoch: the time of the first observation, or the
 * transition time of the pod's Ready condition if that is later or if nothing was observed.
 */
function findChangeTime(entry: Entry, recordedHold: HeldAddress | undefined, { situation: { pods, now } }: ApplyState): number {
  const observedSince = recordedHold ? Math.min(recordedHold.changedAtMs, now) : undefined;
  const pod = pods.podOf(entry);
  if (!pod || isPodReady(pod) !== entry.ready) return observedSince ?? now;
  const transitionTime = parseTransitionTime(readyCondition(pod)?.lastTransitionTime);
  if (transitionTime === undefined) return observedSince ?? now;
  return Math.min(Math.max(observedSince ?? transitionTime, transitionTime), now);
}

function parseTransitionTime(timestamp: Parameters<typeof parseInstant>[0]): number | undefined {
  try {
    const instant = parseInstant(timestamp, 'lastTransitionTime');
    return instant === undefined ? undefined : Date.parse(`${instant.slice(0, '2026-01-01T00:00:00.000'.length)}Z`);
  } catch {
    return undefined;
  }
}

/** Creates the result without holds whose address other rules removed or gave the readiness that the writer intends. */
function createHoldResult(
  holds: readonly ActiveHold[],
  { view, situation }: ApplyState,
  unchangedRecord: HoldRecord | undefined,
): HoldResult {
  const listEffectiveHolds = (): readonly ActiveHold[] =>
    holds.filter(({ entry, heldAddress }) => !entry.removal && entry.ready !== heldAddress.ready);
  return {
    formatAnnotation() {
      const activeHolds = listEffectiveHolds();
      if (activeHolds.length === 0) return undefined;
      if (unchangedRecord && activeHolds.length === holds.length) return unchangedRecord.text;
      return formatHoldRecord(mergePorts(activeHolds), digestOf(view));
    },
    findNextEnd() {
      const ends = listEffectiveHolds().flatMap(({ until, rule }) =>
        until === undefined ? [] : [until, rule.objectMatcher.window?.endOf(situation.now)],
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
    const areHoldsEqual = others.every(({ heldAddress }) => heldAddress.ready === ready && heldAddress.changedAtMs === changedAtMs);
    return areHoldsEqual ? [{ key, ready, changedAtMs }] : [first as ActiveHold, ...others].map(({ heldAddress }) => heldAddress);
  });
}

const formatTime = (time: number): string => new Date(time).toISOString();
