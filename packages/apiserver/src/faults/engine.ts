import { everyVerb } from '../registry/catalog.ts';
import type { Clock } from '../store/index.ts';
import { type Call, formatCall } from './call.ts';
import { createBrokenConnection, createErrorAnswer, type ErrorAnswer } from './errors.ts';
import type { Journal } from './journal.ts';
import type { FaultOf } from './rule.ts';
import type { DueCallFaults, DueFault, FaultScheduler, ServerWideFault } from './scheduler.ts';
import { createServerFaults, type ServerFaults } from './server.ts';
import { createFaultInjectingStream, type FaultInjectingStream, type FaultInjectingStreamOptions } from './stream.ts';

/** The faults to inject into a call, with the error to answer, if any. */
export interface FaultDecision {
  /** In milliseconds. */
  readonly latency: number;
  readonly drop?: DueCallFaults['drop'];
  readonly stall?: DueCallFaults['stall'];
  readonly errorAnswer?: ErrorAnswer;
  /** Crashes the server before it answers this call. */
  readonly crash?: FaultOf<'crash'>;
}

/** The fault injection that ports and routes share. */
export interface Engine {
  readonly down: boolean;
  /** Starts a call. Returns undefined if no fault is due. @throws BrokenConnection if the server is down, or crashes at this call */
  begin(createCall: () => Call): FaultDecision | undefined;
  /** Waits for the injected latency. @throws BrokenConnection if the server crashes meanwhile, or the signal's reason */
  delay(decision: FaultDecision, signal?: AbortSignal): Promise<void>;
  /** Runs a call. @throws BrokenConnection if the server crashed meanwhile, whatever the result of the call */
  guard<T>(decision: FaultDecision | undefined, run: () => T | Promise<T>): Promise<T>;
  /** Wraps a started watch so that faults can break it. */
  wrapStream<T>(
    call: Call,
    inner: AsyncIterator<T>,
    decision: FaultDecision | undefined,
    options?: Partial<FaultInjectingStreamOptions<T>>,
  ): FaultInjectingStream<T>;
  /** @throws BrokenConnection while the server is down */
  requireUp(): void;
  /** Injects a server fault on command rather than by a rule. */
  injectOnCommand(fault: ServerWideFault): void;
}

interface EngineOptions {
  readonly clock: Clock;
  /** Absent if there are no rules. */
  readonly scheduler: FaultScheduler | undefined;
  readonly journal: Journal;
  compact(): void;
}

export function createEngine({ clock, scheduler, journal, compact }: EngineOptions): Engine {
  const server = createServerFaults(clock, compact);
  const startedAt = clock.now();
  const record = (due: DueFault, call: string): void => journal.record(due, call, clock.now() - startedAt);
  const callCounts = { all: 0, whileUp: 0 };
  return {
    get down() {
      return server.down;
    },
    begin(createCall) {
      callCounts.all += 1;
      const decision = scheduler ? decide(createCall(), { scheduler, server, record }) : requireUp(server);
      callCounts.whileUp += 1;
      return decision;
    },
    delay: async ({ latency }, signal) => (latency > 0 ? server.pause(latency, signal) : undefined),
    guard: (decision, run) => guard(server, decision, run),
    wrapStream(call, inner, decision, options) {
      const { drop, stall } = decision ?? {};
      const stream = createFaultInjectingStream(inner, { clock, drop, stall, onEnd: () => removeWatch(), ...options });
      const removeWatch = server.addWatch(call, stream);
      if (decision?.crash) server.apply(decision.crash);
      return stream;
    },
    requireUp: () => requireUp(server),
    injectOnCommand(fault) {
      const nextCall = 1 + (fault.fault === 'restart' ? callCounts.all : callCounts.whileUp);
      const isCrash = fault.fault === 'crash';
      const replayableFault = isCrash ? ({ ...fault, at: 'before' } as const) : fault;
      if (server.apply(fault)) record({ fault: replayableFault, scope: isCrash ? { verbs: everyVerb } : {}, nth: nextCall }, '');
    },
  };
}

interface DecisionContext {
  readonly scheduler: FaultScheduler;
  readonly server: ServerFaults;
  record(due: DueFault, call: string): void;
}

function decide(call: Call, { scheduler, server, record }: DecisionContext): FaultDecision | undefined {
  scheduler.evaluateServerFaults(
    call,
    () => !server.down,
    (callFaults) => {
      if (server.apply(callFaults.fault)) record(callFaults, formatCall(call));
    },
  );
  requireUp(server);
  const callFaults = scheduler.evaluateCallFaults(call, (callFaults) => record(callFaults, formatCall(call)));
  if (!callFaults) return undefined;
  const { answer, ...faults } = callFaults;
  const errorAnswer = answer && createErrorAnswer(answer, call);
  return { ...faults, ...(answer?.fault === 'crash' && { crash: answer }), ...(errorAnswer && { errorAnswer }) };
}

function requireUp({ down }: ServerFaults): undefined {
  if (down) throw createBrokenConnection();
}

async function guard<T>(server: ServerFaults, decision: FaultDecision | undefined, run: () => T | Promise<T>): Promise<T> {
  const { crashCount } = server;
  // A crash hides both results and errors.
  const requireAnswer = (): void => {
    if (decision?.crash && server.crashCount === crashCount) server.apply(decision.crash);
    if (server.crashCount !== crashCount) throw createBrokenConnection();
  };
  try {
    const result = await run();
    requireAnswer();
    return result;
  } catch (error) {
    requireAnswer();
    throw error;
  }
}
