import { compareText } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';
import {
  type Controller,
  type ControllerContext,
  createCache,
  createWorker,
  createWorkQueue,
  type EventEffect,
  type ObjectCache,
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
import { groupAndKind, ReplayServer, targetOf } from './replay-server.ts';

/** Returns the simulator's answer to a case. */
export function replayWorkloads(create: (context: ControllerContext) => Controller, testCase: WorkloadCase): WorkloadAnswer {
  const cluster = new ReplayCluster(create, testCase);
  return { id: testCase.id, steps: testCase.steps.map((step) => cluster.runStep(step)) };
}

/** One controller, its API server, and virtual time. */
class ReplayCluster {
  #time = startTime;
  #events: RecordedEvent[] = [];
  /** Calls that have arrived since the last answer. */
  #arriving: PendingCall[] = [];
  #pending: PendingCall[] = [];
  #waits: { readonly time: number; readonly resume: () => void }[] = [];
  readonly #server: ReplayServer;
  readonly #cache = createCache();
  readonly #queue = createWorkQueue(() => this.#time);
  readonly #controller: Controller;
  readonly #worker: Worker;

  constructor(create: (context: ControllerContext) => Controller, { gracefulPods, objects }: WorkloadCase) {
    const now = (): number => this.#time;
    this.#server = new ReplayServer({ now, start: startTime, gracefulPods });
    for (const object of objects) this.#server.put(object);
    this.#server.undelivered = [];
    this.#controller = create({ cache: this.#cache, now, random: () => 0 });
    this.#worker = createWorker(this.#controller, this.#queue, {
      onCalls: (calls) => {
        this.#arriving.push(...calls);
      },
      onEvent: (event) => this.#record(event),
      onWait: (milliseconds, resume) => {
        this.#waits.push({ time: this.#time + milliseconds, resume });
      },
    });
    fillCache(this.#controller, this.#cache, this.#queue, this.#server);
  }

  runStep({ advanceMs, failures = [], changes = [], hold = [] }: WorkloadStep): WorkloadStepAnswer {
    const held = new Set(hold);
    this.#server.failures = failures.map((failure) => ({ failure, times: failure.times }));
    for (const change of changes) this.#server.apply(change);
    const end = this.#time + advanceMs;
    this.#settle(held);
    for (let next = this.#nextTime(); next <= end; next = this.#nextTime()) {
      this.#time = Math.max(this.#time, next);
      this.#queue.addReady();
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
    return Math.min(this.#queue.nextTime() ?? Infinity, ...this.#waits.map(({ time }) => time));
  }

  #resumeWaits(): void {
    const due = this.#waits.filter(({ time }) => time <= this.#time);
    this.#waits = this.#waits.filter(({ time }) => time > this.#time);
    for (const { resume } of due) resume();
  }

  /** Runs the controller until it is idle. */
  #settle(held: ReadonlySet<string>): void {
    do {
      this.#worker.run();
      if (this.#server.writes.length > maxWrites) throw new RangeError('a step does not end');
    } while (this.#answerNext() || deliverNext(this.#server, this.#controller, this.#cache, this.#queue, held));
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

  #record({ object, type, reason, message }: EventEffect): void {
    const at = Math.floor(this.#time - startTime);
    this.#events.push({ at, kind: object.kind as string, name: object.metadata.name as string, type, reason, message });
  }
}

/** The limit of writes of a step. */
const maxWrites = 2000;

function fillCache(controller: Controller, cache: ObjectCache, queue: WorkQueue, server: ReplayServer): void {
  for (const kind of controller.kinds) {
    for (const change of server.list(kind).map((object) => cache.put(object))) controller.handle(change, queue);
    cache.setResourceVersion(kind, server.version);
  }
}

/** Sorts calls that arrive together as the oracle does. */
const sortCalls = (calls: readonly PendingCall[]): PendingCall[] =>
  calls
    .map((pending) => ({ pending, key: keyOf(pending) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ pending }) => pending);

function keyOf({ call }: PendingCall): string {
  const { namespace, name } = targetOf(call);
  return `${call.do} ${groupAndKind(call.kind)} ${namespace}/${name}`;
}

/** Delivers the oldest watch event whose kind is not held. */
function deliverNext(
  server: ReplayServer,
  controller: Controller,
  cache: ObjectCache,
  queue: WorkQueue,
  held: ReadonlySet<string>,
): boolean {
  const index = server.undelivered.findIndex(({ object }) => !held.has(object.kind as string));
  const event = index < 0 ? undefined : server.undelivered.splice(index, 1)[0];
  if (!event) return false;
  if (controller.kinds.includes(event.object.kind as string))
    controller.handle(event.verb === 'DELETED' ? cache.remove(event.object) : cache.put(event.object), queue);
  return true;
}
