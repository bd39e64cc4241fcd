import type { EmptyPeriod, History, ObjectVersion, ServiceHistory, ServiceName, ServiceSnapshot } from '@kube-endpoints/simulator/internal';
import { formatCount } from 'kube-endpoints/internal';
import { UsageError } from '../base/io.ts';
import type { Report } from '../print/report.ts';
import { escapeUnprintable } from '../print/text.ts';
import { formatBounds, formatDateTime, formatSeconds, formatTimeOfDay } from '../print/times.ts';
import { describeLate, describeLosses } from './history-sentences.ts';

type Simulator = Omit<typeof import('@kube-endpoints/simulator/internal'), 'readRecording' | 'RecordingError'>;

/**
 * Reports how many ready addresses a Service has had, when it was empty, why, and which write was late.
 * @param at as in `--at`; undefined for no state at a time
 * @throws UsageError if the recording does not show the time
 */
export function reportHistory(simulator: Simulator, history: History, name: ServiceName, at: string | undefined): Report {
  const { describeService, findCauses, snapshotService } = simulator;
  const service = describeService(history, name);
  const input: Input = { simulator, history, service, causes: findCauses(history.versions, service.delays) };
  const time = at === undefined ? undefined : resolveTime(at, service);
  const moment = time === undefined ? undefined : { time, snapshot: snapshotService(history, name, lastVersionAt(history, time)) };
  return {
    hasFindings: moment ? moment.snapshot.addresses.length === 0 : service.emptyPeriods.length + service.late.length > 0,
    text: ({ wide }) =>
      [formatTitle(service), ...(moment ? formatMoment(moment, input) : formatAnswer(input, wide)), ...formatNotes(history)].map(
        escapeUnprintable,
      ),
    data: () => ({ items: [dataOf(input, moment)] }),
  };
}

/**
 * A scenario for `simulate`, from a time on, and hints about what it does not repeat.
 * @param at as in `--at`; undefined for the time when the Service first had a ready address
 * @throws UsageError if the recording does not show the time
 */
export function reportScenario(
  { describeService, createScenario }: Simulator,
  history: History,
  name: ServiceName,
  at: string | undefined,
): { readonly scenario: object; readonly hints: readonly string[] } {
  const from = at === undefined ? undefined : resolveTime(at, describeService(history, name));
  const { scenario, notRepeated } = createScenario(history, name, from);
  return {
    scenario,
    hints: notRepeated.map(
      ({ from: begin }) =>
        `The scenario does not repeat why Service ${name.namespace}/${name.name} became empty at ${formatBounds(begin)}: pods ceased to be ready by themselves. Add a fault, such as loseNode or crash.`,
    ),
  };
}

interface Input {
  readonly simulator: Simulator;
  readonly history: History;
  readonly service: ServiceHistory;
  readonly causes: ReturnType<Simulator['findCauses']>;
}

interface Moment {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly snapshot: ServiceSnapshot;
}

const formatTitle = ({ namespace, name, from, to }: ServiceHistory): string =>
  `SERVICE ${namespace}/${name}  recorded from ${formatDateTime(from)} to ${formatDateTime(to)} UTC`;

/** A time of day is that of the last day of the recording that has it. @throws UsageError if the recording does not include the time */
function resolveTime(at: string, { from, to }: ServiceHistory): number {
  const dayLength = 86_400_000;
  let time = Date.parse(at.includes('T') ? at : `${new Date(to).toISOString().slice(0, 10)}T${at.length === 5 ? `${at}:00` : at}Z`);
  if (!at.includes('T') && time > to) time -= dayLength;
  // A time without seconds stands for its minute, which the recording may begin or end in.
  if (at.length === 5 && time < from && time + 60_000 > from) time = from;
  if (time >= from && time <= to) return time;
  throw new UsageError(`--at ${at}: the recording is from ${formatDateTime(from)} to ${formatDateTime(to)} UTC`);
}

/** The position of the last write that was certainly before a time; -1 if there is none. */
const lastVersionAt = ({ versions }: History, time: number): number => versions.findLastIndex((version) => version.time.latest <= time);

const maxLines = 12;

function formatAnswer(input: Input, isWide: boolean): string[] {
  const { emptyPeriods, steps, late } = input.service;
  const last = steps.at(-1);
  const shownSteps = isWide ? steps : steps.slice(-maxLines);
  const otherLate = late.filter((delay) => !emptyPeriods.some((period) => period.late && isSameWrite(period.late, delay)));
  return [
    ...(last ? [`  It has had ${formatReady(last.ready)} since ${formatBounds(last.time)}.`] : []),
    ...(emptyPeriods.length === 0 ? ['  It was never empty.'] : emptyPeriods.flatMap((period) => formatPeriod(period, input))),
    ...listLines(
      otherLate.map((delay) => `  Late: ${describeLate(delay, input.simulator.hops)}.`),
      isWide,
    ),
    `  Ready addresses${shownSteps.length < steps.length ? `, the last ${maxLines} of ${steps.length} changes (-o wide lists all)` : ''}:`,
    ...shownSteps.map(({ time, ready, version }) => `    ${formatBounds(time)}  ${ready}${formatWriter(input.history.versions[version])}`),
  ];
}

type Delay = ServiceHistory['late'][number];

/** Whether two delays ended with the same write, which is then reported once. */
const isSameWrite = (a: Delay, b: Delay): boolean => a.hop === b.hop && a.effect === b.effect;

const formatReady = (count: number): string => (count === 1 ? '1 ready address' : `${count} ready addresses`);

const formatWriter = (version: ObjectVersion | undefined): string =>
  version ? `  ${version.kind} ${version.name}${version.writer ? `, by ${version.writer.component}` : ''}` : '';

function listLines(lines: readonly string[], isWide: boolean): readonly string[] {
  if (isWide || lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `  ${lines.length - maxLines} more of this kind (-o wide lists all)`];
}

function formatPeriod(period: EmptyPeriod, { simulator, history, service, causes }: Input): string[] {
  const { from, to, isFirst, losses, why, late, readyAgain } = period;
  const duration = to && formatSeconds(Math.max(0, to.earliest - from.latest), to.latest - from.earliest);
  const span = to ? `from ${formatBounds(from)} to ${formatBounds(to)} (${duration})` : `since ${formatBounds(from)}`;
  const sentences = describeLosses(losses, history.versions, causes);
  return [
    `  Empty ${span}${isFirst ? describeFirst(history, service) : ''}${sentences.length > 0 ? `: ${sentences.join('; ')}.` : '.'}`,
    ...why.slice(0, 3).map(({ code, message }) => `    ${code}: ${message}`),
    ...(late && readyAgain ? [`    Pods were ready again at ${formatBounds(readyAgain)}.`] : []),
    ...(late ? [`    Late: ${describeLate(late, simulator.hops)}.`] : []),
  ];
}

/** A Service without endpoints is new, or was empty before the recording. */
const describeFirst = ({ versions }: History, { steps: [first] }: ServiceHistory): string =>
  first && versions[first.version]?.change === 'create' ? ', since its creation' : ', and perhaps before the recording';

function formatMoment({ time, snapshot }: Moment, input: Input): string[] {
  const { addresses, pods, why, unknownPods, isServiceKnown } = snapshot;
  const period = input.service.emptyPeriods.find(({ from, to }) => from.latest <= time && (!to || time < to.latest));
  const uncertain = input.history.versions.filter(({ time: range }) => range.latest > time && range.earliest <= time).length;
  return [
    `  At ${formatTimeOfDay(time)} it had ${formatReady(addresses.length)}${addresses.length > 0 ? `: ${addresses.join(', ')}` : ''}.`,
    ...why.map(({ code, message }) => `    ${code}: ${message}`),
    ...(period ? formatPeriod(period, input) : []),
    ...(isServiceKnown ? [] : ['  The recording does not show the Service itself: add a dump of its objects with -f.']),
    ...(unknownPods.length > 0
      ? [`  The recording does not show ${formatCount(unknownPods.length, 'pod')}: ${unknownPods.join(', ')}.`]
      : []),
    ...(pods.length > 0 ? ['  Pods:'] : []),
    ...pods.map(
      ({ name, isReady, reasons }) =>
        `    ${name}  ${isReady ? 'ready' : 'not ready'}${reasons.length > 0 ? `: ${reasons.map(({ message }) => message).join(' ')}` : ''}`,
    ),
    ...(uncertain > 0 ? [`  ${formatCount(uncertain, 'write')} may have been before or after this time.`] : []),
  ];
}

const formatNotes = ({ skipped }: History): string[] =>
  skipped['without a name']
    ? [`  ${formatCount(skipped['without a name'], 'event')} without the name of an object: log the level RequestResponse.`]
    : [];

/** The value for `-o json`: times are in RFC 3339, and absent if they are unknown. */
function dataOf({ history, service, causes }: Input, moment: Moment | undefined): object {
  const { namespace, name, from, to, steps, emptyPeriods, late, delays } = service;
  const transition = (each: EmptyPeriod['losses'][number]): object => ({ pod: each.pod, isReady: each.isReady, version: each.version.id });
  return {
    ...{ namespace, name, from: timestamp(from), to: timestamp(to) },
    ...(moment && { at: { time: timestamp(moment.time), ...moment.snapshot } }),
    steps: steps.map((step) => ({ ...step, time: rangeOf(step.time) })),
    emptyPeriods: emptyPeriods.map(({ losses, late: lateHop, ...period }) => ({
      ...period,
      from: rangeOf(period.from),
      ...(period.to && { to: rangeOf(period.to) }),
      ...(period.readyAgain && { readyAgain: rangeOf(period.readyAgain) }),
      losses: losses.map(transition),
      ...(lateHop && { late: delayOf(lateHop) }),
    })),
    late: late.map(delayOf),
    delays: delays.map(delayOf),
    versions: history.versions
      .filter((version) => version.namespace === namespace)
      .map(({ object: _, time, ...version }) => ({
        ...version,
        time: rangeOf(time),
        ...(causes.has(version.id) && { cause: causes.get(version.id) }),
      })),
    skipped: history.skipped,
  };
}

const timestamp = (time: number): string | undefined => (Number.isFinite(time) ? new Date(time).toISOString() : undefined);

const rangeOf = ({ earliest, latest, source }: ServiceHistory['steps'][number]['time']): object => ({
  ...(Number.isFinite(earliest) && { earliest: timestamp(earliest) }),
  ...(Number.isFinite(latest) && { latest: timestamp(latest) }),
  source,
});

const delayOf = ({ from, to, min, max, ...delay }: Delay): object => ({
  ...delay,
  from: rangeOf(from),
  ...(to && { to: rangeOf(to) }),
  minMs: min,
  ...(Number.isFinite(max) && { maxMs: max }),
});
