import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import type { World } from './world.ts';

/** Network conditions of calls. */
export interface Network {
  /** One-way latency in milliseconds. */
  latency(): number;
  /** Whether a request or a response is lost without notice. */
  loses(): boolean;
}

/** A process on its own machine: its clock has its own rate, its time of day can be set, and it can be paused and killed. */
export interface Machine {
  readonly clock: SteadyClock;
  readonly state: 'running' | 'paused' | 'dead';
  /** Runs something inside the process, now or when it resumes. */
  inside(act: () => void): void;
  pause(): void;
  resume(): void;
  kill(): void;
  setTimeOfDay(by: number): void;
  /** The port as seen from this process. Aborted calls may still arrive. */
  connect(port: ClientPort, network: Network): ClientPort;
}

export function createMachine(world: World, rate = 1): Machine {
  const process: Process = { world, state: 'running', waiting: [] };
  let offset = Date.UTC(2026, 0, 31);
  const born = world.now - world.between(0, 1e6);
  return {
    clock: {
      now: () => Math.round(world.now + offset),
      elapsed: () => (world.now - born) * rate,
      schedule: (callback, milliseconds) => schedule(process, callback, milliseconds / rate),
    },
    get state() {
      return process.state;
    },
    inside: (act) => inside(process, act),
    pause() {
      if (process.state === 'running') process.state = 'paused';
    },
    resume: () => resume(process),
    kill() {
      process.state = 'dead';
      process.waiting = [];
    },
    setTimeOfDay(by) {
      offset += by;
    },
    connect: (port, network) => connect(process, port, network),
  };
}

interface Process {
  readonly world: World;
  state: Machine['state'];
  /** Work to run when the process resumes. */
  waiting: (() => void)[];
}

function inside(process: Process, act: () => void): void {
  if (process.state === 'running') act();
  else if (process.state === 'paused') process.waiting.push(act);
}

/** Pending timers and answers run in any order. */
function resume(process: Process): void {
  if (process.state !== 'paused') return;
  process.state = 'running';
  const { waiting, world } = process;
  process.waiting = [];
  while (waiting.length > 0) {
    const [act] = waiting.splice(Math.floor(world.random() * waiting.length), 1);
    act?.();
  }
}

function schedule(process: Process, callback: () => void, milliseconds: number): { cancel(): void } {
  let isOff = false;
  const call = process.world.at(milliseconds, () =>
    inside(process, () => {
      if (!isOff) callback();
    }),
  );
  return {
    cancel: () => {
      isOff = true;
      call.cancel();
    },
  };
}

function connect(process: Process, port: ClientPort, network: Network): ClientPort {
  const { world } = process;
  const carry = <T>(call: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (network.loses()) return;
      const answer = (act: () => void): void => {
        if (!network.loses()) world.at(network.latency(), () => inside(process, act));
      };
      world.at(network.latency(), () => {
        call().then(
          (value) => answer(() => resolve(value)),
          (error: unknown) => answer(() => reject(error)),
        );
      });
    });
  // The signal is not passed on: aborting a call does not recall a request already sent.
  return {
    ...port,
    get: (resource, key) => carry(() => port.get(resource, key)),
    list: (resource, { signal: _, ...options } = {}) => carry(() => port.list(resource, options)),
    create: (resource, object) => carry(() => port.create(resource, object)),
    update: (resource, object) => carry(() => port.update(resource, object)),
    delete: (resource, key, { signal: _, ...options } = {}) => carry(() => port.delete(resource, key, options)),
  };
}
