import { type Delay, findLatest, isLate } from './hops.ts';
import type { ServiceName } from './service-state.ts';
import { type Step, type Sweep, sweepService, type Transition } from './service-sweep.ts';
import { type History, RecordingError, type TimeRange } from './types.ts';
import { snapshotService, type Why } from './why-empty.ts';

/** How many ready addresses a Service has had since when. */
export interface ReadyStep {
  readonly time: TimeRange;
  readonly ready: number;
  readonly version: number;
}

/** A time during which a Service had no ready address. */
export interface EmptyPeriod {
  readonly from: TimeRange;
  /** Absent if the Service is empty at the end of the recording. */
  readonly to?: TimeRange;
  /** Whether the Service was empty when the recording first shows it. */
  readonly isFirst: boolean;
  /** What the pods and the Service did before it became empty: the transitions to which the write of the empty endpoints belongs. */
  readonly losses: readonly Transition[];
  /** Why no pod was a ready endpoint at the beginning; for a first period, at its end. Empty if pods were ready. */
  readonly why: readonly Why[];
  /** When pods were ready endpoints by their own state again. */
  readonly readyAgain?: TimeRange;
  /** The hop that made the period longer, if one was late. */
  readonly late?: Delay;
}

export interface ServiceHistory extends ServiceName {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly ReadyStep[];
  readonly emptyPeriods: readonly EmptyPeriod[];
  /** The late hops in the order in which they began. */
  readonly late: readonly Delay[];
  /** All hops. */
  readonly delays: readonly Delay[];
}

/** @throws RecordingError if the recording does not show the Service or its endpoints */
export function describeService(history: History, name: ServiceName): ServiceHistory {
  const sweep = sweepService(history, name);
  if (sweep.steps.length === 0)
    throw new RecordingError(`the recording shows no Service ${name.namespace}/${name.name} and no endpoints of it`);
  return {
    ...name,
    from: history.from,
    to: history.to,
    steps: sweep.steps.map(({ version, addresses }) => ({ time: version.time, ready: addresses.length, version: version.id })),
    emptyPeriods: sweep.steps.flatMap((step, i) => (step.addresses.length === 0 ? [describePeriod(history, name, sweep, i)] : [])),
    late: sweep.delays.filter(isLate).sort((a, b) => a.from.earliest - b.from.earliest),
    delays: sweep.delays,
  };
}

function describePeriod(history: History, name: ServiceName, sweep: Sweep, index: number): EmptyPeriod {
  const start = sweep.steps[index] as Step;
  const end = sweep.steps[index + 1];
  const isFirst = index === 0;
  const losses = isFirst ? [] : findLosses(sweep.steps, index);
  const gain = findGain(sweep, start, end);
  const stateId = isFirst ? (gain ?? end)?.version.id : undefined;
  const shown = stateId === undefined ? (isFirst ? history.versions.length - 1 : lossId(start, losses)) : stateId - 1;
  const late = findLatest(sweep.delays.filter((delay) => delay.isReady && isWithin(delay, end)));
  return {
    from: start.version.time,
    ...(end && { to: end.version.time }),
    isFirst,
    losses,
    why: snapshotService(history, name, shown).why,
    ...(gain && { readyAgain: gain.version.time }),
    ...(late && { late }),
  };
}

/** The transitions that the writes follow which removed the last endpoints, without a new one between them. */
function findLosses(steps: readonly Step[], index: number): Transition[] {
  const losses: Transition[] = [];
  for (let i = index; i > 0; i -= 1) {
    const [step, before] = [steps[i] as Step, steps[i - 1] as Step];
    if (step.addresses.length >= before.addresses.length) break;
    losses.unshift(...step.causes.filter(({ isReady }) => !isReady));
  }
  const last = losses.reduce((time, { version }) => Math.max(time, version.time.latest), Number.NEGATIVE_INFINITY);
  return losses.filter(({ version }) => version.time.latest >= last - lossWindow);
}

/** In milliseconds. Losses that are older than the last one by more are not why the Service became empty: its other pods still served. */
const lossWindow = 45_000;

/** The write after which the state shows why: the last loss, which is before the write of the endpoints. */
const lossId = (start: Step, losses: readonly Transition[]): number =>
  losses.reduce<number | undefined>((id, { version }) => Math.max(id ?? 0, version.id), undefined) ?? start.version.id;

/** The first transition of a pod to ready that the end of a period follows, or that nothing has followed. */
function findGain(sweep: Sweep, start: Step, end: Step | undefined): Transition | undefined {
  const gains = end
    ? end.causes.filter(({ isReady }) => isReady)
    : sweep.transitions.filter(({ isReady, version }) => isReady && version.id > start.version.id);
  return gains.toSorted((a, b) => a.version.id - b.version.id)[0];
}

/** Whether a hop ended with the first write of a ready endpoint after a period, or made its pod ready for it; or has not ended. */
function isWithin({ hop, pod, effect }: Delay, end: Step | undefined): boolean {
  if (hop === 'sliceWrite') return effect === end?.version.id;
  return !!end?.causes.some((cause) => cause.pod === pod && cause.version.id === effect);
}
