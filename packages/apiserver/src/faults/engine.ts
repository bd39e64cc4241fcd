import type { Clock } from '../store/index.ts';
import { type Call, sayCall } from './call.ts';
import { brokenConnection, type Refusal, refusalOf } from './errors.ts';
import type { Journal } from './journal.ts';
import type { Due, Judge, Suffered, Verdict } from './judge.ts';
import { allVerbs, type FaultOf } from './rule.ts';
import { createServer, type Server } from './server.ts';
import { createFragileStream, type FragileOptions, type FragileStream } from './stream.ts';

/** The faults to inject into a call. */
export interface Fate {
  readonly latency: number;
  readonly drop?: Verdict['drop'];
  readonly stall?: Verdict['stall'];
  readonly refusal?: Refusal;
  /** The server crashes because of this call, before it answers. */
  readonly fatal?: FaultOf<'crash'>;
}

/** What the port and the route with faults share. */
export interface Engine {
  readonly down: boolean;
  /** Starts a call. Returns undefined if no fault is due. @throws BrokenConnection if the server is down, or crashes at this call */
  begin(describe: () => Call): Fate | undefined;
  /** Waits for the injected latency. @throws BrokenConnection if the server crashes meanwhile, or the signal's reason */
  delay(fate: Fate, signal?: AbortSignal): Promise<void>;
  /** Runs a call. @throws BrokenConnection if the server crashed meanwhile, whatever the result of the call */
  guard<T>(fate: Fate | undefined, act: () => T | Promise<T>): Promise<T>;
  /** Wraps a started watch so that faults can break it. */
  stream<T>(call: Call, inner: AsyncIterator<T>, fate: Fate | undefined, options?: Partial<FragileOptions<T>>): FragileStream<T>;
  /** @throws BrokenConnection while the server is down */
  requireUp(): void;
  /** Injects a server fault on command rather than by a rule. */
  command(fault: Suffered): void;
}

interface EngineOptions {
  readonly clock: Clock;
  /** Absent if there are no rules. */
  readonly judge: Judge | undefined;
  readonly journal: Journal;
  compact(): void;
}

export function createEngine({ clock, judge, journal, compact }: EngineOptions): Engine {
  const server = createServer(clock, compact);
  const created = clock.now();
  const note = (due: Due, said: string): void => journal.note(due, said, clock.now() - created);
  const counts = { calls: 0, whileUp: 0 };
  return {
    get down() {
      return server.down;
    },
    begin(describe) {
      counts.calls += 1;
      const fate = judge ? fateOf(describe(), { judge, server, note }) : requireUp(server);
      counts.whileUp += 1;
      return fate;
    },
    delay: async ({ latency }, signal) => (latency > 0 ? server.pause(latency, signal) : undefined),
    guard: (fate, act) => guard(server, fate, act),
    stream(call, inner, fate, options) {
      const { drop, stall } = fate ?? {};
      const stream = createFragileStream(inner, { clock, drop, stall, onEnd: () => strike(), ...options });
      const strike = server.open(call, stream);
      if (fate?.fatal) server.suffer(fate.fatal);
      return stream;
    },
    requireUp: () => requireUp(server),
    command(fault) {
      const next = 1 + (fault.fault === 'restart' ? counts.calls : counts.whileUp);
      const isCrash = fault.fault === 'crash';
      const again = isCrash ? ({ ...fault, at: 'before' } as const) : fault;
      if (server.suffer(fault)) note({ fault: again, scope: isCrash ? { verbs: allVerbs } : {}, nth: next }, '');
    },
  };
}

interface Court {
  readonly judge: Judge;
  readonly server: Server;
  note(due: Due, said: string): void;
}

function fateOf(call: Call, { judge, server, note }: Court): Fate | undefined {
  judge.serverFaults(
    call,
    () => !server.down,
    (due) => {
      if (server.suffer(due.fault)) note(due, sayCall(call));
    },
  );
  requireUp(server);
  const verdict = judge.callFaults(call, (due) => note(due, sayCall(call)));
  if (!verdict) return undefined;
  const { answer, ...rest } = verdict;
  const refusal = answer && refusalOf(answer, call);
  return { ...rest, ...(answer?.fault === 'crash' && { fatal: answer }), ...(refusal && { refusal }) };
}

function requireUp({ down }: Server): undefined {
  if (down) throw brokenConnection();
}

async function guard<T>(server: Server, fate: Fate | undefined, act: () => T | Promise<T>): Promise<T> {
  const { life } = server;
  // A crash hides both results and errors.
  const requireAnswer = (): void => {
    if (fate?.fatal && server.life === life) server.suffer(fate.fatal);
    if (server.life !== life) throw brokenConnection();
  };
  try {
    const result = await act();
    requireAnswer();
    return result;
  } catch (error) {
    requireAnswer();
    throw error;
  }
}
