import { triggerTimeAnnotation } from 'kube-endpoints/internal';
import type { Pod, Service } from 'kube-endpoints/types';
import { parseTime } from './fields.ts';
import { createDelay, type Delay } from './hops.ts';
import { resolution } from './object-times.ts';
import { createStateTracker, isReadyEndpoint, readyEndpoints, type ServiceName, type StateTracker, usesSlices } from './service-state.ts';
import { type History, type ObjectVersion, refKey, type TimeRange } from './types.ts';

/** A pod began or ceased to be a ready endpoint by its own state and that of the Service. */
export interface Transition {
  readonly pod: string;
  readonly isReady: boolean;
  /** The write that brought it about. */
  readonly version: ObjectVersion;
}

/** A change of the written ready endpoints. */
export interface Step {
  /** The write that brought it about. */
  readonly version: ObjectVersion;
  /** The ready addresses, sorted. */
  readonly addresses: readonly string[];
  /** The number of pods that are ready endpoints by their own state. */
  readonly expected: number;
  /** The transitions that the write follows. */
  readonly causes: readonly Transition[];
}

export interface Sweep {
  readonly steps: readonly Step[];
  readonly transitions: readonly Transition[];
  readonly delays: readonly Delay[];
}

interface PodTrack {
  isExpected: boolean;
  isWritten: boolean;
  /** The transition time of the pod's condition Ready. */
  readyTime: number | undefined;
  /** The transitions that no write has followed yet. */
  pending: Transition[];
}

interface Context {
  readonly tracker: StateTracker;
  readonly pods: Map<string, PodTrack>;
  readonly transitions: Transition[];
  readonly delays: Delay[];
  readonly steps: Step[];
  readonly hasSlices: boolean;
  readonly end: number;
}

/** Follows the endpoints of a Service through a history, and finds for each change in them the change of a pod or the Service that it follows. */
export function sweepService(history: History, name: ServiceName): Sweep {
  const { versions, to } = history;
  const hasSlices = usesSlices(history, name);
  const context: Context = {
    tracker: createStateTracker(name),
    pods: new Map(),
    transitions: [],
    delays: [],
    steps: [],
    hasSlices,
    end: to,
  };
  // The first states in streams and dumps are those of one moment.
  const initialCount = versions.findIndex(({ change }) => change !== 'observe');
  let initial: ObjectVersion | undefined;
  for (const [i, version] of versions.entries()) {
    const isInitial = initialCount === -1 || i < initialCount;
    if (i === initialCount && initial) updateEndpoints(context, initial);
    if (!context.tracker.apply(version)) continue;
    if (version.kind === 'Pod') updatePod(context, version);
    else if (version.kind === 'Service') updateService(context, version);
    if (version.kind !== 'Service' && version.kind !== (hasSlices ? 'EndpointSlice' : 'Endpoints')) continue;
    if (isInitial) initial = version;
    else updateEndpoints(context, version);
  }
  if (initialCount === -1 && initial) updateEndpoints(context, initial);
  for (const track of context.pods.values()) reportPending(context, track);
  return context;
}

function trackOf({ pods }: Context, pod: string): PodTrack {
  const track = pods.get(pod) ?? { isExpected: false, isWritten: false, readyTime: undefined, pending: [] };
  pods.set(pod, track);
  return track;
}

function updatePod(context: Context, version: ObjectVersion): void {
  const track = trackOf(context, version.name);
  const pod = version.change === 'delete' ? undefined : (version.object as Pod | undefined);
  const wasExpected = track.isExpected;
  setExpected(context, version.name, pod !== undefined && isReadyEndpoint(context.tracker.state.service, pod), version);
  const at = readyTime(pod);
  if (wasExpected !== track.isExpected && version.change === 'update' && at !== undefined && at !== track.readyTime) {
    const from: TimeRange = { earliest: at, latest: at + resolution - 1, source: 'object' };
    const delay = { hop: 'statusWrite', pod: version.name, isReady: track.isExpected, from, to: version.time, effect: version.id } as const;
    context.delays.push(createDelay(delay, context.end));
  }
  track.readyTime = at;
}

function updateService(context: Context, version: ObjectVersion): void {
  const service = version.change === 'delete' ? undefined : (version.object as Service | undefined);
  for (const pod of context.tracker.state.pods) setExpected(context, pod.metadata?.name ?? '', isReadyEndpoint(service, pod), version);
}

/** The first state of an object may be old: what follows it has no known delay. */
function setExpected(context: Context, pod: string, isExpected: boolean, version: ObjectVersion): void {
  const track = trackOf(context, pod);
  if (track.isExpected === isExpected) return;
  track.isExpected = isExpected;
  const transition = { pod, isReady: isExpected, version };
  context.transitions.push(transition);
  if (version.change !== 'observe') track.pending.push(transition);
}

const readyTime = (pod: Pod | undefined): number | undefined =>
  parseTime(pod?.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime);

function updateEndpoints(context: Context, version: ObjectVersion): void {
  const { tracker, pods, steps, hasSlices } = context;
  const { addresses, pods: readyPods } = readyEndpoints(tracker.state, hasSlices);
  const causes = new Set([...pods.keys(), ...readyPods]);
  const followed = [...causes].flatMap((pod) => setWritten(context, pod, readyPods.has(pod), version));
  const sorted = [...addresses].sort();
  const last = steps.at(-1)?.addresses;
  if (last && sorted.length === last.length && sorted.every((address, i) => address === last[i])) return;
  const expected = [...pods.values()].filter(({ isExpected }) => isExpected).length;
  steps.push({ version, addresses: sorted, expected, causes: followed });
}

function setWritten(context: Context, pod: string, isWritten: boolean, version: ObjectVersion): Transition[] {
  const track = trackOf(context, pod);
  if (track.isWritten === isWritten) return [];
  track.isWritten = isWritten;
  const candidates = track.pending.filter(({ isReady }) => isReady === isWritten);
  const trigger = parseTime(version.object?.metadata.annotations?.[triggerTimeAnnotation]);
  const named = candidates.find(
    ({ version: { object, kind } }) => kind === 'Pod' && trigger !== undefined && readyTime(object as Pod) === trigger,
  );
  const cause = named ?? candidates[0];
  if (!cause) return [];
  track.pending = track.pending.slice(track.pending.indexOf(cause) + 1);
  if (refKey(cause.version) !== refKey(version) && version.change !== 'observe') {
    const by = named ? 'triggerTime' : 'content';
    const ids = { cause: cause.version.id, effect: version.id };
    context.delays.push(
      createDelay({ hop: 'sliceWrite', pod, isReady: isWritten, from: cause.version.time, to: version.time, ...ids, by }, context.end),
    );
  }
  return [cause];
}

/** Reports the hop that has not ended at the end of the recording. */
function reportPending({ delays, end }: Context, { pending, isWritten, isExpected }: PodTrack): void {
  const cause = pending.find(({ isReady }) => isReady === isExpected);
  if (!cause || isWritten === isExpected) return;
  const { pod, isReady, version } = cause;
  delays.push(createDelay({ hop: 'sliceWrite', pod, isReady, from: version.time, cause: version.id }, end));
}
