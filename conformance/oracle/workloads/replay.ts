import { compareText } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';
import {
  type Change,
  type Controller,
  type ControllerContext,
  createCache,
  createWorker,
  createWorkQueue,
  type EventEffect,
  type PendingCall,
  type Worker,
  type WorkQueue,
} from '../../../packages/simulator/src/internal.ts';
import {
  type RecordedEvent,
  startTime,
  type WorkloadAnswer,
  type WorkloadCase,
  type WorkloadStep,
  type WorkloadStepAnswer,
} from './case.ts';
import { groupAndKind, selectedNodeOf, targetOf } from './replay-objects.ts';
import { ReplayServer } from './replay-server.ts';

/** Creates a controller, or the parts of one that have a queue and a worker each. */
export type CreateControllers = (context: ControllerContext) => Controller | readonly Controller[];

/** Returns the simulator's answer to a case. */
export function replayWorkloads(create: CreateControllers, testCase: WorkloadCase): WorkloadAnswer {
  const cluster = new ReplayCluster(create, testCase);
  const steps: WorkloadStepAnswer[] = [];
  for (const step of testCase.steps) if (cluster.isIdle) steps.push(cluster.runStep(step));
  return { id: testCase.id, steps };
}

/** A controller, its API server, and virtual time. */
class ReplayCluster {
  /** Whether the last step ended before it had made too many writes. */
  isIdle = true;
  #time = startTime;
  #events: RecordedEvent[] = [];
  /** Calls that have arrived since the last answer. */
  #arriving: PendingCall[] = [];
  #pending: PendingCall[] = [];
  #waits: { readonly time: number; readonly resume: () => void }[] = [];
  readonly #server: ReplayServer;
  readonly #cache = createCache();
  readonly #workers: readonly RunningController[];

  constructor(create: CreateControllers, { gracefulPods, objects }: WorkloadCase) {
    const now = (): number => this.#time;
    this.#server = new ReplayServer({ now, start: startTime, gracefulPods });
    for (const object of objects) this.#server.put(object);
    this.#server.undelivered = [];
    const emit = (event: EventEffect): void => this.#record(event);
    this.#workers = [create({ cache: this.#cache, now, random: () => 0, emit })].flat().map((controller) => this.#start(controller, now));
    this.#fillCache();
  }

  #start(controller: Controller, now: () => number): RunningController {
    const queue = createWorkQueue(now, controller.queueOptions);
    controller.attach?.(queue);
    const worker = createWorker(controller, queue, {
      onCalls: (calls) => {
        this.#arriving.push(...calls);
      },
      onEvent: (event) => this.#record(event),
      onWait: (milliseconds, resume) => {
        this.#waits.push({ time: this.#time + milliseconds, resume });
      },
    });
    return { controller, queue, worker };
  }

  /** Fills the cache with the objects at the start. */
  #fillCache(): void {
    for (const kind of new Set(this.#workers.flatMap(({ controller }) => controller.kinds))) {
      for (const change of this.#server.list(kind).map((object) => this.#cache.put(object))) this.#handle(change);
      this.#cache.setResourceVersion(kind, this.#server.version);
    }
  }

  #handle(change: Change): void {
    for (const { controller, queue } of this.#workers) if (controller.kinds.includes(change.kind)) controller.handle(change, queue);
  }

  runStep({ advanceMs, failures = [], changes = [], hold = [] }: WorkloadStep): WorkloadStepAnswer {
    const held = new Set(hold);
    this.#server.failures = failures.map((failure) => ({ failure, skip: failure.skip ?? 0, times: failure.times }));
    for (const change of changes) this.#server.apply(change);
    const end = this.#time + advanceMs;
    this.#settle(held);
    for (let next = this.#nextTime(); next <= end && this.isIdle; next = this.#nextTime()) {
      this.#time = Math.max(this.#time, next);
      for (const { queue } of this.#workers) queue.addReady();
      this.#resumeWaits();
      this.#settle(held);
    }
    this.#time = end;
    const answer = { writes: this.#server.writes, events: this.#events };
    this.#server.writes = [];
    this.#events = [];
    return answer;
  }

  /** When the next delayed key or delay is due. */
  #nextTime(): number {
    const times = [...this.#workers.map(({ queue }) => queue.nextTime() ?? Infinity), ...this.#waits.map(({ time }) => time)];
    return Math.min(...times);
  }

  #resumeWaits(): void {
    const due = this.#waits.filter(({ time }) => time <= this.#time);
    this.#waits = this.#waits.filter(({ time }) => time > this.#time);
    for (const { resume } of due) resume();
  }

  /** Runs the controller until it is idle, or the step has made too many writes. */
  #settle(held: ReadonlySet<string>): void {
    do {
      this.#runWorkers();
      this.isIdle = this.#server.writes.length <= maxWrites;
    } while (this.isIdle && (this.#answerNext() || this.#deliverNext(held)));
  }

  /** Runs all workers twice, because one may add keys to the queue of another one before it. */
  #runWorkers(): void {
    for (const { worker } of [...this.#workers, ...this.#workers]) worker.run();
  }

  /** Answers one call: of those that arrived together the first one, and all of its successors before earlier calls. */
  #answerNext(): boolean {
    this.#pending = [...sortCalls(this.#arriving), ...this.#pending];
    this.#arriving = [];
    const next = this.#pending.shift();
    if (!next) return false;
    let answer: ReturnType<ReplayServer['answer']>;
    try {
      answer = this.#server.answer(next.call);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      next.reject(error);
      return true;
    }
    next.resolve(answer);
    return true;
  }

  /** Delivers the oldest watch event whose kind is not held. */
  #deliverNext(held: ReadonlySet<string>): boolean {
    const index = this.#server.undelivered.findIndex(({ object }) => !held.has(object.kind as string));
    const event = index < 0 ? undefined : this.#server.undelivered.splice(index, 1)[0];
    if (!event) return false;
    if (this.#workers.some(({ controller }) => controller.kinds.includes(event.object.kind as string)))
      this.#handle(event.verb === 'DELETED' ? this.#cache.remove(event.object) : this.#cache.put(event.object));
    return true;
  }

  #record({ object, type, reason, message }: EventEffect): void {
    const at = Math.floor(this.#time - startTime);
    this.#events.push({ at, kind: object.kind as string, name: object.metadata.name as string, type, reason, message });
  }
}

interface RunningController {
  readonly controller: Controller;
  readonly queue: WorkQueue;
  readonly worker: Worker;
}

/** The limit of writes of a step. */
const maxWrites = 2000;

/** Sorts calls that arrive together as the oracle does. */
const sortCalls = (calls: readonly PendingCall[]): PendingCall[] =>
  calls
    .map((pending) => ({ pending, key: keyOf(pending) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ pending }) => pending);

function keyOf({ call }: PendingCall): string {
  const { namespace, name } = targetOf(call);
  const created = call.do === 'create' ? `${call.object.metadata.generateName ?? ''}${selectedNodeOf(call.object)}` : '';
  return `${call.do === 'bind' ? 'create' : call.do} ${groupAndKind(call.kind)} ${namespace}/${name}${created}`;
}
