import type { ApiObject } from 'kube-endpoints/port';
import type { View } from '../harness/views.ts';
import { type Snapshot, unreadView } from './machine.ts';
import { renameMarks, toMark } from './marks.ts';
import type { OwnWrite, Wait } from './memory.ts';
import type { Answer, Call, Change, Log } from './server.ts';
import { expiredPosition, isRunning, logOf, type RunningReplica, type WorldState } from './state.ts';

/**
 * A text that is equal for two states if the same can follow, except for times, versions and generations: times are ages, and of versions, only the
 * order counts. `checkKeys` searches states for which this is not true.
 */
export function keyOfState(state: WorldState): string {
  const { server, replicas, clientSteps, orphans, abandonedUids, startCount } = state;
  const parts = [
    ...[startCount, ...clientSteps, ...abandonedUids],
    ...Object.keys(server).flatMap((plural) => describeLog(state, plural)),
    ...replicas.flatMap((replica) => (isRunning(replica) ? describeReplica(state, replica) : replica.name)),
    ...orphans.map(({ sender, call }) => `${sender} ${describeCall(call)}`).sort(),
  ];
  return renameMarks(parts.join('\n'));
}

/** The objects of a resource, and the changes that a process may not have received. */
function describeLog(state: WorldState, plural: string): string[] {
  const log = logOf(state, plural);
  const oldest = Math.min(log.version, ...state.replicas.filter(isRunning).flatMap((replica) => versionsOf(replica, plural)));
  const changes = log.changes
    .slice(oldest)
    .flatMap(({ type, object }, index) => [versionMark(plural, oldest + index), type, describeObject(plural, object)]);
  return [
    plural,
    versionMark(plural, log.version),
    versionMark(plural, log.compactedVersion),
    describeContent(log, plural, log.version),
    ...changes,
  ];
}

/** The versions of a resource that a process has, or has begun a sync with. */
function versionsOf({ node, positions, answers }: RunningReplica, plural: string): number[] {
  const { view, watches, calls, memory } = node.snapshot;
  const views = [view, ...Object.values(memory.queues).flatMap(({ syncView, failedView }) => [syncView, failedView])];
  const lists = calls.filter(({ call }) => call.verb === 'list' && call.resource.plural === plural);
  return [
    ...views.map((each) => each?.[plural]),
    ...watches.filter((watch) => watch.plural === plural).map(({ number }) => positions.get(number)),
    ...lists.map(({ number }) => Number((answers.get(number)?.value as ApiObject | undefined)?.metadata.resourceVersion ?? unreadView)),
  ].filter((version) => version !== undefined && version >= 0) as number[];
}

function describeReplica(state: WorldState, replica: RunningReplica): (string | number)[] {
  const { name, node, isPaused, answers, positions } = replica;
  const { calls, watches, timers, ownedKeys, ready, idle, problems, view } = node.snapshot;
  return [
    ...[name, String(isPaused)],
    ...calls.flatMap(({ number, call }) => [describeCall(call), describeAnswer(call, answers.get(number))]),
    ...watches.map(({ number, plural }) => describePosition(plural, positions.get(number) as number)),
    ...timers.map(({ dueAt }) => ageOf(state, dueAt)),
    ...[ownedKeys.join(), String(ready), String(idle), problems.length],
    ...describeView(state, view),
    ...describeMemory(state, node.snapshot),
  ];
}

const describePosition = (plural: string, position: number): string =>
  position === expiredPosition ? `${plural} expired` : plural + versionMark(plural, position);

const describeView = (state: WorldState, view: View | undefined): string[] =>
  Object.entries(view ?? {})
    .filter(([, version]) => version !== unreadView && version >= 0)
    .flatMap(([plural, version]) => [versionMark(plural, version), describeContent(logOf(state, plural), plural, version)]);

function describeMemory(state: WorldState, { view, memory }: Snapshot): (string | number)[] {
  const { queues, lease, writes, failedCreations, waits, sentEvents, changeTimes } = memory;
  const { time, replicas } = state;
  const ongoing = waits.filter(({ endsAt }) => endsAt >= time);
  const past = waits.filter(({ endsAt }) => endsAt < time);
  return [
    ...sortedEntries(queues).flatMap(([name, { isPending, failures, syncView, failedView }]) => [
      ...[name, String(isPending), failures],
      ...[syncView, failedView].flatMap((each) => [String(each !== undefined), ...describeView(state, each)]),
    ]),
    ...(lease.object ? [describeObject('leases', lease.object)] : []),
    ...[lease.changedAt, lease.renewedAt].map((at) => (at === undefined ? '' : ageOf(state, at))),
    ...[lease.lastCall ?? '', lease.term === undefined ? '' : toMark('time', lease.term)],
    ...sortedEntries(writes).map(([key, write]) => describeOwnWrite(key, write, view)),
    ...failedCreations.map((object) => describeObject('', object)),
    ...ongoing.map(describeWait),
    ...past.map((wait) => `${describeWait(wait)} ${Math.min(2, Math.floor((time - wait.endsAt) / 60_000))}`).sort(),
    ...sentEvents,
    // Decides when a watch that has not ended in time is given up.
    ...(replicas.length > 1 ? [] : sortedEntries(changeTimes).map(([plural, at]) => `${plural} ${ageOf(state, at)}`)),
  ];
}

const sortedEntries = <T>(record: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

const describeWait = ({ plural, delay, error }: Wait): string => `${plural} ${delay} ${error}`;

function describeOwnWrite(key: string, { object, isSuperseded = false, error = '' }: OwnWrite, view: View): string {
  const [plural = ''] = key.split(' ');
  const isNewer = object !== undefined && Number(object.metadata.resourceVersion) > (view[plural] ?? 0);
  return [key, isNewer ? describeObject(plural, object) : '', isSuperseded, error].join(' ');
}

/**
 * Milliseconds until a time, negative for the past. Several processes use the Lease every two seconds, so that no world lasts until one of the timers
 * that are minutes ahead: these are equal.
 */
function ageOf({ time, replicas }: WorldState, at: number): number {
  const max = replicas.length > 1 ? farMs : Number.MAX_SAFE_INTEGER;
  return Math.round(Math.min(max, Math.max(-max, at - time)) * 1000) / 1000;
}

const farMs = 200_000;

const describeCall = ({ verb, resource: { plural }, key, object, options, preconditions }: Call): string =>
  [
    ...[verb, plural, key?.name, options?.labelSelector, options?.limit, preconditions?.uid],
    object && describeObject(plural, object),
    preconditions?.resourceVersion && objectMark(plural, key?.name, preconditions.resourceVersion),
  ].join(' ');

function describeAnswer({ resource: { plural } }: Call, answer: Answer | undefined): string {
  if (!answer || answer.error) return String(answer?.error);
  const { items, ...object } = answer.value as ApiObject & { readonly items?: readonly ApiObject[] };
  if (!items) return describeObject(plural, object);
  return [versionMark(plural, Number(object.metadata.resourceVersion)), ...items.map((item) => describeObject(plural, item))].join(' ');
}

const objectTexts = new WeakMap<ApiObject, string>();

function describeObject(plural: string, object: ApiObject): string {
  const known = objectTexts.get(object);
  if (known !== undefined) return known;
  const { metadata, ...content } = object;
  const { resourceVersion, generation, creationTimestamp: _, ...rest } = metadata;
  const text = [
    JSON.stringify([rest, plural === 'leases' ? describeLease(content) : content]),
    resourceVersion === undefined ? '' : objectMark(plural, metadata.name, resourceVersion),
    generation === undefined ? '' : toMark(`generation ${metadata.name}`, generation),
  ].join(' ');
  objectTexts.set(object, text);
  return text;
}

function describeLease(content: object): unknown {
  const { acquireTime, renewTime, leaseTransitions: _, ...rest } = (content as { readonly spec: Readonly<Record<string, unknown>> }).spec;
  return [rest, toMark('time', String(acquireTime)), toMark('time', String(renewTime))];
}

const contents = new WeakMap<Change, string>();

/** The objects of a resource at a version. */
function describeContent(log: Log, plural: string, version: number): string {
  const last = log.changes[version - 1];
  if (!last) return '';
  const known = contents.get(last);
  if (known !== undefined) return known;
  const objects = new Map<string, string>();
  for (const { type, object } of log.changes.slice(0, version)) {
    const key = `${object.metadata.namespace} ${object.metadata.name}`;
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, describeObject(plural, object));
  }
  const text = [...objects.values()].sort().join('\n');
  contents.set(last, text);
  return text;
}

const versionMark = (plural: string, version: number): string => toMark(plural, version);

const objectMark = (plural: string, name: string | undefined, version: string): string => toMark(`${plural} ${name}`, Number(version));
