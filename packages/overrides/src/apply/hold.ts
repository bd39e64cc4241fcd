import { isPodReady, readInstant, readyCondition } from 'kube-endpoints/internal';
import { type Entry, identityOf } from '../view/view.ts';
import type { CompiledAction, CompiledRule, Work } from './compiled.ts';
import { digestOf, formatHoldRecord, type HeldAddress, type HoldRecord, heldLabel, keyOf, maxHeld, readHoldRecord } from './hold-record.ts';

/** The held addresses of an object, available after all rules were applied. */
export interface Held {
  /** The annotation value that records them; undefined if nothing is held. */
  text(): string | undefined;
  /** When the next hold ends, in milliseconds since the epoch; Infinity if nothing is held. */
  due(): number;
}

export const nothingHeld: Held = { text: () => undefined, due: () => Number.POSITIVE_INFINITY };

type HoldAction = Extract<CompiledAction, { kind: 'hold' }>;
type HoldRule = CompiledRule & { readonly action: HoldAction };

/** Delays readiness changes as hold rules demand. The first rule that matches an address applies to it. */
export function applyHolds(rules: readonly CompiledRule[], work: Work): Held {
  const { situation } = work;
  const own = recordedHolds(work);
  const record = readHoldRecord(situation.oldObject ?? situation.object);
  const holds: ActiveHold[] = [];
  let isUnchanged = own !== undefined;
  const enforced = (rules as readonly HoldRule[]).filter(({ audit }) => !audit);
  const audited = (rules as readonly HoldRule[]).filter(({ audit }) => audit);
  for (const entry of work.view.entries) {
    const isFree = entry.gone !== undefined || entry.terminating;
    for (const rule of isFree ? [] : audited) if (covers(rule, entry, work)) holdOne(entry, rule, work, record, 0);
    const rule = isFree ? undefined : enforced.find((each) => covers(each, entry, work));
    const remembered = own && findHeld(own, entry);
    if (remembered && entry.ready === entry.wanted) {
      if (rule) holds.push({ entry, held: remembered, until: untilOf(remembered, rule.action), rule });
      else isUnchanged = false;
    } else if (rule && (!own || entry.ready !== entry.wanted)) {
      const held = holdOne(entry, rule, work, record, holds.length);
      if (held) holds.push(held);
      if (held && own) isUnchanged = false;
    }
  }
  return heldOf(holds, work, isUnchanged && holds.length > 0 ? own : undefined);
}

interface ActiveHold {
  readonly entry: Entry;
  readonly rule: HoldRule;
  readonly held: HeldAddress;
  /** Undefined if the hold is over and the address may still differ for another reason. */
  readonly until: number | undefined;
}

const covers = ({ entry: matches }: CompiledRule, entry: Entry, { situation }: Work): boolean => !matches || matches(entry, situation);

const untilOf = ({ ready, since }: HeldAddress, { afterReady, afterUnready }: HoldAction): number =>
  since + (ready ? afterReady : afterUnready) * 1000;

/**
 * The object's recorded holds, if the object is exactly a result of the rules: then its readiness says nothing about what the writer wants,
 * and holds stay. After a freeze, those of the stored object.
 */
function recordedHolds({ situation, incoming, storedView, frozen }: Work): HoldRecord | undefined {
  const [object, view] = frozen ? [situation.oldObject, storedView() ?? incoming] : [situation.object, incoming];
  if (object?.metadata?.labels?.[heldLabel] === undefined) return undefined;
  const record = readHoldRecord(object);
  const asCame = view.entries.map((entry) => ({ ...entry, ready: entry.wanted, gone: undefined }));
  return record.held.size > 0 && record.digest === digestOf({ ...view, entries: asCame }) ? record : undefined;
}

/** Looks up by address and port, then by address, then, if ports are not separate in this view, by address with any port. */
function findHeld({ held }: HoldRecord, entry: Entry): HeldAddress | undefined {
  if (held.size === 0) return undefined;
  const identity = identityOf(entry);
  const found = held.get(keyOf(entry)) ?? held.get(identity);
  if (found || entry.portName !== '') return found;
  for (const [key, each] of held) if (key.startsWith(`${identity}#`)) return each;
  return undefined;
}

/** Undefined if there is nothing to hold. */
function holdOne(entry: Entry, rule: HoldRule, work: Work, record: HoldRecord, count: number): ActiveHold | undefined {
  const { situation, stored, notes } = work;
  const ready = entry.ready;
  const seconds = ready ? rule.action.afterReady : rule.action.afterUnready;
  if (seconds === 0 || ready === (stored.isReady(entry) ?? false)) return undefined;
  const remembered = findHeld(record, entry);
  const since = changedSince(entry, remembered?.ready === ready ? remembered : undefined, work);
  const until = since + seconds * 1000;
  const key = keyOf(entry);
  if (situation.now >= until) return rule.audit ? undefined : { entry, rule, held: { key, ready, since }, until: undefined };
  if (count >= maxHeld || /\s/.test(key)) {
    notes.add(rule, 'HoldFull', entry.ip, { limit: maxHeld });
    return undefined;
  }
  notes.add(rule, ready ? 'HeldUnready' : 'HeldReady', entry.ip, { since: textOf(since), until: textOf(until) });
  if (rule.audit) return undefined;
  entry.ready = !ready;
  return { entry, rule, held: { key, ready, since }, until };
}

/**
 * Since when the address has its new readiness, in milliseconds since the epoch: the time of the first observation, or the transition time
 * of the pod's Ready condition if that is later or if nothing was observed.
 */
function changedSince(entry: Entry, remembered: HeldAddress | undefined, { situation: { pods, now } }: Work): number {
  const seen = remembered ? Math.min(remembered.since, now) : undefined;
  const pod = pods.of(entry);
  if (!pod || isPodReady(pod) !== entry.ready) return seen ?? now;
  const turned = timeOf(readyCondition(pod)?.lastTransitionTime);
  if (turned === undefined) return seen ?? now;
  return Math.min(Math.max(seen ?? turned, turned), now);
}

function timeOf(timestamp: Parameters<typeof readInstant>[0]): number | undefined {
  try {
    const instant = readInstant(timestamp, 'lastTransitionTime');
    return instant === undefined ? undefined : Date.parse(`${instant.slice(0, '2026-01-01T00:00:00.000'.length)}Z`);
  } catch {
    return undefined;
  }
}

/** Drops holds that other rules made ineffective: the address is shown as the writer wants it. */
function heldOf(holds: readonly ActiveHold[], { view, situation }: Work, verbatim: HoldRecord | undefined): Held {
  const effective = (): readonly ActiveHold[] => holds.filter(({ entry, held }) => !entry.gone && entry.ready !== held.ready);
  return {
    text() {
      const still = effective();
      if (still.length === 0) return undefined;
      if (verbatim && still.length === holds.length) return verbatim.text;
      return formatHoldRecord(mergePorts(still), digestOf(view));
    },
    due() {
      const ends = effective().flatMap(({ until, rule }) => (until === undefined ? [] : [until, rule.object.window?.endOf(situation.now)]));
      // Skips times in the past, as of a frozen object, which would cause endless retries.
      return ends.reduce<number>(
        (least, end) => (end !== undefined && end > situation.now ? Math.min(least, end) : least),
        Number.POSITIVE_INFINITY,
      );
    },
  };
}

/** Records an address once if all its ports are held alike. */
function mergePorts(holds: readonly ActiveHold[]): HeldAddress[] {
  const addresses = Map.groupBy(holds, ({ entry }) => identityOf(entry));
  return [...addresses].flatMap(([key, [first, ...others]]) => {
    const { ready, since } = (first as ActiveHold).held;
    const isAlike = others.every(({ held }) => held.ready === ready && held.since === since);
    return isAlike ? [{ key, ready, since }] : [first as ActiveHold, ...others].map(({ held }) => held);
  });
}

const textOf = (time: number): string => new Date(time).toISOString();
