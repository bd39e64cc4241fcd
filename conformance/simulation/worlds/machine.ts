import type { ClientPort, ScheduledCall } from 'kube-endpoints/port';
import { createContentCheck } from '../checks/content.ts';
import { createMonitor, type EndpointsMonitor } from '../checks/monitor.ts';
import { requiredResources } from '../checks/views.ts';
import { createRecordedHistory, type RecordedHistory } from '../harness/history.ts';
import { epoch } from '../harness/replica/clock.ts';
import type { Scheduler } from '../harness/scheduler.ts';
import { createTrace } from '../harness/trace.ts';
import type { View } from '../harness/views.ts';
import { type ControllerSettings, startControllers } from '../replica.ts';
import { createMemoryTracker, type Memory, type MemoryTracker } from './memory.ts';
import { type Connections, createPort, isRecorded, type Watch } from './port.ts';
import type { Answer, Call, Change } from './server.ts';

/** Everything that reaches a process. Its behavior depends on nothing else. */
export type Input =
  | { readonly kind: 'answer'; readonly call: number; readonly answer: Answer }
  | { readonly kind: 'change'; readonly watch: number; readonly change: Change }
  | { readonly kind: 'broken'; readonly watch: number; readonly error: Answer }
  | { readonly kind: 'timer'; readonly timer: number }
  /** The clock, in milliseconds since the start of the world. */
  | { readonly kind: 'time'; readonly time: number };

/** What a process waits for, and what can be observed of it from outside. Numbers count the calls, watches and timers of the process. */
export interface Snapshot {
  readonly calls: readonly { readonly number: number; readonly call: Call }[];
  readonly watches: readonly { readonly number: number; readonly plural: string; readonly fromVersion: number }[];
  readonly timers: readonly { readonly number: number; readonly dueAt: number }[];
  readonly ownedKeys: readonly string[];
  readonly ready: boolean;
  readonly idle: boolean;
  readonly view: View;
  readonly problems: readonly string[];
  /** The number of syncs that have begun or ended, and of other activities that the process reports. */
  readonly activityCount: number;
  readonly memory: Memory;
}

/** A process with the real controllers, on a clock that stands still. */
export interface Machine {
  /** Passes an input to the process, and waits until it does nothing more. */
  apply(input: Input): Promise<void>;
  snapshot(): Snapshot;
}

export interface MachineOptions {
  readonly name: string;
  readonly settings: ControllerSettings;
  readonly startTime: number;
  readonly keys: readonly string[];
  readonly injectBug: (port: ClientPort) => ClientPort;
  readonly settle: Scheduler['settle'];
}

interface State extends Connections {
  time: number;
  executedActions: number;
  activityCount: number;
  readonly problems: string[];
  readonly memory: MemoryTracker;
  readonly timers: Map<number, { readonly dueAt: number; readonly callback: () => void }>;
}

/** Starts a process. */
export async function createMachine({ name, settings, startTime, keys, injectBug, settle }: MachineOptions): Promise<Machine> {
  const started = {
    ...{ time: startTime, nextNumber: 1, executedActions: 0, activityCount: 0, problems: [] },
    ...{ calls: new Map(), watches: new Map(), timers: new Map() },
  };
  const state: State = Object.assign(started, { memory: createMemoryTracker(started, () => monitor.view) });
  const history = createRecordedHistory();
  const monitor: EndpointsMonitor = createObservingMonitor(state, { name, settings, history, ownership: () => process.ownership });
  const port = createPort(state, monitor, history);
  const clock = createClock(state);
  const random = Number(/\d+$/.exec(name)?.[0] ?? 0) % 10;
  const process = startControllers(settings, { name, port: injectBug(port), clock, monitor, processRandom: () => random / 10 });
  // Resources that the controllers do not read count as complete, because the monitor requires the caches of all controllers.
  for (const plural of requiredResources) {
    const isRead = [...state.calls.values()].some(({ call }) => call.resource.plural === plural);
    if (!isRead) monitor.onCached({ plural }, unreadView);
  }
  await settle();
  return {
    async apply(input) {
      state.executedActions += 1;
      applyInput(state, monitor, history, input);
      await settle();
    },
    snapshot: () => ({
      calls: [...state.calls].map(([number, { call }]) => ({ number, call })),
      watches: [...state.watches.values()].map(({ number, resource, fromVersion }) => ({ number, plural: resource.plural, fromVersion })),
      timers: [...state.timers].map(([number, { dueAt }]) => ({ number, dueAt })),
      ownedKeys: keys.filter((key) => process.ownership.owns(key)),
      ready: process.controller.ready,
      idle: process.controller.idle,
      view: monitor.view,
      problems: [...state.problems],
      activityCount: state.activityCount,
      memory: state.memory.current(),
    }),
  };
}

/** The view of a resource that a process does not read. */
export const unreadView: number = Number.MAX_SAFE_INTEGER;

type MonitorOptions = Parameters<typeof createMonitor>[0];

function createObservingMonitor(
  state: State,
  { name, settings, history, ownership }: Pick<MonitorOptions, 'name' | 'ownership' | 'history'> & Pick<MachineOptions, 'settings'>,
): EndpointsMonitor {
  const monitor = createMonitor({
    ...{ name, history, ownership, scheduler: state, mirroring: settings, tracksEndpoints: true },
    content: createContentCheck(history, settings),
    trace: createTrace(state),
    hasEnded: () => false,
    crashOnWrite: () => undefined,
    // The search itself handles commits.
    isResponsibleFor: () => true,
    onAbandonedWrite() {},
    onWrite() {},
    reportProblem: (problem) => void state.problems.push(problem),
  });
  return {
    ...monitor,
    get view() {
      return monitor.view;
    },
    onEvent(event) {
      if (event.kind !== 'queued') state.activityCount += 1;
      state.memory.onEvent(event);
      monitor.onEvent(event);
    },
  };
}

function createClock(state: State): Parameters<typeof startControllers>[1]['clock'] {
  return {
    now: () => epoch + Math.floor(state.time),
    elapsed: () => state.time,
    schedule(callback, milliseconds): ScheduledCall {
      const number = state.nextNumber++;
      // In whole microseconds, so that equal times are equal however they were added up.
      const dueAt = Math.round((state.time + Math.max(0, milliseconds)) * 1000) / 1000;
      state.timers.set(number, { dueAt, callback });
      return { cancel: () => void state.timers.delete(number) };
    },
  };
}

function applyInput(state: State, monitor: EndpointsMonitor, history: RecordedHistory, input: Input): void {
  if (input.kind === 'time') state.time = input.time;
  if (input.kind === 'answer') state.calls.get(input.call)?.end(input.answer);
  if (input.kind === 'timer') {
    const timer = state.timers.get(input.timer);
    state.timers.delete(input.timer);
    timer?.callback();
  }
  if (input.kind === 'broken') {
    const watch = state.watches.get(input.watch);
    state.watches.delete(input.watch);
    watch?.inbox.put({ error: input.error.error });
  }
  if (input.kind === 'change') {
    const { inbox, resource } = state.watches.get(input.watch) as Watch;
    const { type, object } = input.change;
    const version = Number(object.metadata.resourceVersion);
    if (isRecorded(resource)) history.record(resource, object, version, { exists: type !== 'DELETED' });
    monitor.onCached(resource, version);
    state.memory.onChange(resource.plural);
    inbox.put({ event: { type, object } });
  }
}
