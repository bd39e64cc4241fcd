import { createFaults, type Faults } from '@kube-endpoints/apiserver';
import type { ClientPort } from 'kube-endpoints/port';
import type { Ownership } from '../../../../packages/controllers/src/election/ownership.ts';
import type { Random } from '../../../model/random.ts';
import type { SimulationContext } from '../context.ts';
import type { ProcessMonitor } from '../monitor.ts';
import { type FaultRates, noFaults } from '../settings.ts';
import { createMachineClock, type MachineClock } from './clock.ts';
import { createFaultRules } from './faults.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { type CrashPoint, createNetwork } from './network.ts';
import type { Controller, Process } from './process.ts';

/** One process with a controller, on its own machine and network. */
export interface Replica {
  readonly name: string;
  readonly lifecycle: Lifecycle;
  readonly clock: MachineClock;
  readonly controller: Controller;
  readonly ownership: Ownership;
  readonly monitor: ProcessMonitor;
  readonly faults: Faults;
  /** The simulated time of the call of `stop`; undefined before. */
  readonly stoppedAt: number | undefined;
  readonly ended: boolean;
  /** Blocks the network to the API server for a time. */
  block(milliseconds: number): void;
  /** Makes the process crash at its nth write from now on. */
  scheduleCrashOnWrite(writes: number, crashPoint: CrashPoint): void;
  pause(): void;
  kill(): void;
  stop(): void;
  /** Ends all faults of the network and cancels a scheduled crash. */
  endFaults(): void;
}

/** The parts of a replica that depend on the simulation. */
export interface ReplicaOptions<W extends ProcessMonitor> {
  /** Creates the monitor of a process. */
  readonly watch: (observedProcess: ObservedProcess) => W;
  /** Starts the process. */
  readonly start: (machine: Machine<W>) => Process;
  /** Called when the replica is killed or paused. */
  readonly onHalt?: () => void;
  /** Called when faults end. */
  readonly onFaultsEnd?: () => void;
}

/** The state of a process that its monitor reads. */
export interface ObservedProcess {
  readonly name: string;
  readonly lifecycle: Lifecycle;
  readonly ownership: () => Ownership;
  /** Whether the process has ended. */
  readonly hasEnded: () => boolean;
  /** Called at each write. Returns the crash point if the process crashes at this write. */
  readonly crashOnWrite: () => CrashPoint | undefined;
  readonly kill: () => void;
}

/** The environment of a process. */
export interface Machine<W extends ProcessMonitor> extends Pick<ObservedProcess, 'name' | 'lifecycle' | 'kill'> {
  /** The randomness of the environment. */
  readonly random: Random;
  /** The randomness of the process itself. */
  readonly processRandom: () => number;
  readonly clock: MachineClock;
  readonly port: ClientPort;
  readonly monitor: W;
}

/** The disturbances of one replica, and whether it has stopped. */
interface DisturbanceState {
  faultRates: FaultRates;
  blockedUntil: number;
  writesUntilCrash: number;
  crashPoint: CrashPoint;
  stoppedAt: number | undefined;
  ended: boolean;
}

export function createReplica<W extends ProcessMonitor>(context: SimulationContext, name: string, options: ReplicaOptions<W>): Replica {
  const { settings, scheduler, trace } = context;
  const random = settings.random.fork();
  const lifecycle = createLifecycle(scheduler);
  const clock = createMachineClock(scheduler, lifecycle);
  const rules = createFaultRules(settings.faultRates);
  const faults = createFaults({ seed: random.below(2 ** 31), clock: context.serverClock, rules, maxLogged: 20 });
  const state = createDisturbanceState(settings.faultRates);
  const { onHalt = () => {} } = options;
  const kill = (): void => {
    lifecycle.kill();
    faults.dropWatches({ broken: true });
    onHalt();
  };
  const monitor = options.watch({
    ...{ name, lifecycle, kill },
    ownership: () => process.ownership,
    hasEnded: () => state.ended,
    crashOnWrite: () => crashOnWrite(state, kill),
  });
  const port = connectNetwork(context, { random, lifecycle, monitor, state, faultyServer: faults.port(context.serverPort) });
  const processRandom = (): number => random.below(2 ** 30) / 2 ** 30;
  const process = options.start({ name, lifecycle, kill, random, clock, port, monitor, processRandom });
  void process.completion.then(() => {
    state.ended = true;
    trace.log(name, 'has ended');
  });
  const { controller, ownership, stop } = process;
  return {
    ...{ name, lifecycle, clock, monitor, faults, controller, ownership, kill },
    get stoppedAt() {
      return state.stoppedAt;
    },
    get ended() {
      return state.ended;
    },
    pause() {
      lifecycle.pause();
      onHalt();
    },
    ...createControls(state, { ...context, lifecycle, faults, stop, onFaultsEnd: options.onFaultsEnd }),
  };
}

const createDisturbanceState = (faultRates: FaultRates): DisturbanceState => ({
  faultRates,
  blockedUntil: 0,
  writesUntilCrash: Number.POSITIVE_INFINITY,
  crashPoint: 'before sending',
  stoppedAt: undefined,
  ended: false,
});

function crashOnWrite(state: DisturbanceState, kill: () => void): CrashPoint | undefined {
  state.writesUntilCrash -= 1;
  if (state.writesUntilCrash > 0) return undefined;
  kill();
  return state.crashPoint;
}

interface NetworkOptions extends Pick<Replica, 'lifecycle' | 'monitor'> {
  readonly random: Random;
  readonly state: DisturbanceState;
  /** The port of the server, with faults. */
  readonly faultyServer: ClientPort;
}

function connectNetwork(context: SimulationContext, { state, faultyServer, ...rest }: NetworkOptions): ClientPort {
  const { scheduler, serverPort, settings, history, counts } = context;
  return createNetwork({
    ...{ ...rest, scheduler },
    server: () => (state.faultRates === noFaults ? serverPort : faultyServer),
    faultRates: () => state.faultRates,
    blockedUntil: () => state.blockedUntil,
    watchList: settings.watchList,
    versions: history.versions,
    countInFlight(change) {
      counts.inFlight += change;
    },
  });
}

type ControlOptions = Pick<Replica, 'lifecycle' | 'faults' | 'stop'> &
  Pick<SimulationContext, 'scheduler'> & { readonly onFaultsEnd: (() => void) | undefined };

function createControls(
  state: DisturbanceState,
  { scheduler, lifecycle, faults, stop, onFaultsEnd }: ControlOptions,
): Pick<Replica, 'block' | 'scheduleCrashOnWrite' | 'stop' | 'endFaults'> {
  return {
    block(milliseconds) {
      state.blockedUntil = Math.max(state.blockedUntil, scheduler.time + milliseconds);
    },
    scheduleCrashOnWrite: (writes, crashPoint) => void Object.assign(state, { writesUntilCrash: writes, crashPoint }),
    stop() {
      if (state.stoppedAt !== undefined) return;
      state.stoppedAt = scheduler.time;
      lifecycle.run('message', stop);
    },
    endFaults() {
      Object.assign(state, { faultRates: noFaults, blockedUntil: 0, writesUntilCrash: Number.POSITIVE_INFINITY });
      onFaultsEnd?.();
      faults.release();
      if (faults.down) faults.restart();
    },
  };
}
