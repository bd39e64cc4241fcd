import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import type { Simulator } from './simulator.ts';

/** Network conditions of calls. */
export interface Network {
  /** One-way latency in milliseconds. */
  latency(): number;
  /** Whether a request or a response is lost without notice. */
  isLost(): boolean;
}

/** A process on its own machine. Its timers and elapsed time run at their own rate; its time of day can be shifted. */
export interface Machine {
  readonly clock: SteadyClock;
  readonly state: 'running' | 'paused' | 'dead';
  /** Runs the callback in the process, now or when it resumes; never if the process is dead. */
  execute(callback: () => void): void;
  pause(): void;
  resume(): void;
  kill(): void;
  /** Moves the time of day by milliseconds. */
  shiftTimeOfDay(milliseconds: number): void;
  /** The port as this process reaches it over the network. Aborting a call has no effect; watches bypass the network. */
  connect(port: ClientPort, network: Network): ClientPort;
}

export function createMachine(simulator: Simulator, rate = 1): Machine {
  const machineProcess: MachineProcess = { simulator, state: 'running', waitingCallbacks: [] };
  let offset = Date.UTC(2026, 0, 31);
  const startTime = simulator.now - simulator.between(0, 1e6);
  return {
    clock: {
      now: () => Math.round(simulator.now + offset),
      elapsed: () => (simulator.now - startTime) * rate,
      schedule: (callback, milliseconds) => schedule(machineProcess, callback, milliseconds / rate),
    },
    get state() {
      return machineProcess.state;
    },
    execute: (callback) => execute(machineProcess, callback),
    pause() {
      if (machineProcess.state === 'running') machineProcess.state = 'paused';
    },
    resume: () => resume(machineProcess),
    kill() {
      machineProcess.state = 'dead';
      machineProcess.waitingCallbacks = [];
    },
    shiftTimeOfDay(milliseconds) {
      offset += milliseconds;
    },
    connect: (port, network) => connect(machineProcess, port, network),
  };
}

interface MachineProcess {
  readonly simulator: Simulator;
  state: Machine['state'];
  /** Work to run when the process resumes. */
  waitingCallbacks: (() => void)[];
}

function execute(machineProcess: MachineProcess, callback: () => void): void {
  if (machineProcess.state === 'running') callback();
  else if (machineProcess.state === 'paused') machineProcess.waitingCallbacks.push(callback);
}

/** Runs the waiting callbacks in random order. */
function resume(machineProcess: MachineProcess): void {
  if (machineProcess.state !== 'paused') return;
  machineProcess.state = 'running';
  const { waitingCallbacks, simulator } = machineProcess;
  machineProcess.waitingCallbacks = [];
  while (waitingCallbacks.length > 0) {
    const [callback] = waitingCallbacks.splice(Math.floor(simulator.random() * waitingCallbacks.length), 1);
    callback?.();
  }
}

function schedule(machineProcess: MachineProcess, callback: () => void, milliseconds: number): { cancel(): void } {
  let isCancelled = false;
  const call = machineProcess.simulator.schedule(milliseconds, () =>
    execute(machineProcess, () => {
      if (!isCancelled) callback();
    }),
  );
  return {
    cancel: () => {
      isCancelled = true;
      call.cancel();
    },
  };
}

function connect(machineProcess: MachineProcess, port: ClientPort, network: Network): ClientPort {
  const { simulator } = machineProcess;
  const send = <T>(call: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (network.isLost()) return;
      const deliver = (callback: () => void): void => {
        if (!network.isLost()) simulator.schedule(network.latency(), () => execute(machineProcess, callback));
      };
      simulator.schedule(network.latency(), () => {
        call().then(
          (value) => deliver(() => resolve(value)),
          (error: unknown) => deliver(() => reject(error)),
        );
      });
    });
  // The signal is not passed on: aborting a call does not recall a request already sent.
  return {
    ...port,
    get: (resource, key) => send(() => port.get(resource, key)),
    list: (resource, { signal: _, ...options } = {}) => send(() => port.list(resource, options)),
    create: (resource, object) => send(() => port.create(resource, object)),
    update: (resource, object) => send(() => port.update(resource, object)),
    delete: (resource, key, { signal: _, ...options } = {}) => send(() => port.delete(resource, key, options)),
  };
}
