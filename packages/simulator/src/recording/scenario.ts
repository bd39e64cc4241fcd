import type { ApiObject } from 'kube-endpoints/port';
import { maxTimeMs } from '../analysis/fields.ts';
import { clean, collectObjects, selectorOf } from './scenario-objects.ts';
import { repeatWrites, type Step } from './scenario-steps.ts';
import { describeService, type EmptyPeriod } from './service-history.ts';
import { type ServiceName, usesSlices } from './service-state.ts';
import type { Transition } from './service-sweep.ts';
import { type History, RecordingError } from './types.ts';

/** What users did, which probes failed, and which writes were late, in the fields of a scenario of `checkSimulation`. */
export interface RecordedScenario {
  /** The cluster at the start, without what controllers and components write. */
  readonly objects: readonly ApiObject[];
  /** The writes of users, with their times since the start. */
  readonly steps: readonly RecordedStep[];
  /** Readiness probes that failed, and controllers that stood still, for late writes of endpoints. */
  readonly faults: readonly RecordedFault[];
}

/** A scenario, and the times without a ready address that it does not repeat: pods ceased to be ready for another reason than their probes. */
export interface Rerun {
  readonly scenario: RecordedScenario;
  readonly notRepeated: readonly EmptyPeriod[];
}

type RecordedStep = { readonly at: string } & Step;

/** Without `to`, it lasted until the end of the recording. */
type RecordedFault = { readonly from: string; readonly to?: string } & Step;

/**
 * Makes a scenario that repeats what happened to a Service, for `simulate`: it finds out what would have prevented failing requests.
 * Its times begin at the start, or earlier if a probe must have begun to fail before.
 * @param from the start, in milliseconds since the epoch; by default, when the Service first had a ready address
 * @throws RecordingError if there is no such time, the recording does not show the Service and its pods' owners then, or it is too long
 */
export function createScenario(history: History, name: ServiceName, from?: number): Rerun {
  const { versions } = history;
  const { steps, late, emptyPeriods } = describeService(history, name);
  const first = steps.find(({ ready }) => ready > 0);
  if (!first) throw new RecordingError(`Service ${name.namespace}/${name.name} never had a ready address: there is nothing to repeat`);
  const startId = from === undefined ? first.version : versions.findLastIndex(({ time }) => time.latest <= from);
  const start = from ?? first.time.latest;
  const objects = collectObjects(versions, startId);
  const selector = selectorOf(objects, name);
  const periods = emptyPeriods.filter(
    (period) => period.from.latest >= start && period.losses.length > 0 && period.losses.every(isByItself),
  );
  const probePeriods = periods
    .filter(hasProbe)
    .map(({ losses, readyAgain }) => ({ from: Math.min(...losses.map(failingSince)), readyAgain }));
  const zero = Math.min(start, ...probePeriods.map((period) => period.from));
  const sinceZero = (time: number): string => formatTime(Math.max(0, Math.round(time - zero)));
  const lateWrites = late
    .filter((delay) => delay.hop === 'sliceWrite' && delay.from.latest >= start)
    // One write may be late for several pods.
    .filter(({ effect }, i, all) => all.findIndex((other) => other.effect === effect) === i);
  const controller = usesSlices(history, name) ? 'endpointslice-controller' : 'endpoints-controller';
  const faultOf = (begin: number, end: number | undefined, step: Step): RecordedFault => ({
    from: sinceZero(begin),
    ...(end !== undefined && { to: sinceZero(end) }),
    ...step,
  });
  return {
    scenario: {
      objects: objects.flatMap(clean),
      steps: repeatWrites(versions).flatMap(({ version, step }) =>
        version.id > startId && version.time.latest >= start ? [{ at: sinceZero(version.time.latest), ...step }] : [],
      ),
      faults: [
        ...probePeriods.map((period) =>
          faultOf(period.from, period.readyAgain?.earliest, { failProbe: { namespace: name.namespace, selector, probe: 'readiness' } }),
        ),
        ...lateWrites.map((delay) => faultOf(delay.from.latest, delay.to?.earliest, { stopController: { name: controller } })),
      ],
    },
    notRepeated: periods.filter((period) => !hasProbe(period)),
  };
}

/** @throws RecordingError if a scenario cannot be as long */
function formatTime(milliseconds: number): string {
  if (milliseconds > maxTimeMs) throw new RecordingError('a scenario lasts at most 6 hours: start it later, with --at');
  return `${milliseconds / 1000}s`;
}

interface Probe {
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

/** Whether a pod ceased to be ready, but was not removed. */
const isByItself = ({ version: { kind, change, object } }: Transition): boolean =>
  kind === 'Pod' && change !== 'delete' && object?.metadata.deletionTimestamp === undefined;

const probeOf = ({ version: { object } }: Transition): Probe | undefined =>
  ((object?.['spec'] as { readonly containers?: readonly { readonly readinessProbe?: Probe }[] } | undefined)?.containers ?? []).find(
    ({ readinessProbe }) => readinessProbe,
  )?.readinessProbe;

/** Whether probes can have made all pods unready. The node lifecycle controller does so, too. */
const hasProbe = ({ losses }: EmptyPeriod): boolean =>
  losses.every((loss) => probeOf(loss) !== undefined && !(loss.version.writer?.component ?? '').startsWith('node-'));

/** When the probe of a pod began to fail at the latest, in milliseconds since the epoch. */
function failingSince(loss: Transition): number {
  const { periodSeconds = 10, failureThreshold = 3 } = probeOf(loss) ?? {};
  return loss.version.time.latest - periodSeconds * failureThreshold * 1000;
}
