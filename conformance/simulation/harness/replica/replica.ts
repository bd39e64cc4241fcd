import { createFaults, type Faults } from '@kube-endpoints/apiserver';
import type { ClientPort } from 'kube-endpoints/port';
import type { Ownership } from '../../../../packages/controllers/src/election/ownership.ts';
import type { Random } from '../../../model/random.ts';
import { fair, type Weather } from '../setting.ts';
import type { Stage } from '../stage.ts';
import type { StrictWitness } from '../witness.ts';
import { createMachineClock, type MachineClock } from './clock.ts';
import { rulesOf } from './faults.ts';
import { createLife, type Life } from './life.ts';
import { createNetwork } from './network.ts';
import type { Controller, Process } from './process.ts';

/** One process with a controller, on its own machine and network. */
export interface Replica {
  readonly name: string;
  readonly life: Life;
  readonly clock: MachineClock;
  readonly controller: Controller;
  readonly ownership: Ownership;
  readonly witness: StrictWitness;
  readonly faults: Faults;
  /** The time at which it was asked to stop. */
  readonly stoppedAt: number | undefined;
  readonly ended: boolean;
  /** Blocks the network to the API server, in milliseconds. */
  block(milliseconds: number): void;
  /** Makes it die at one of its next writes. */
  dieAtWrite(after: number, how: Death): void;
  pause(): void;
  kill(): void;
  stop(): void;
  /** Ends the faults of its network. */
  calm(): void;
}

/** Whether a replica dies before a write is sent or right after it. */
export type Death = 'dies' | 'dies and sends';

/** The simulation-specific parts of replicas. */
export interface ReplicaParts<W extends StrictWitness> {
  /** Creates the witness of a replica. */
  readonly watch: (suspect: Suspect) => W;
  /** Starts the process. */
  readonly start: (machine: Machine<W>) => Process;
  /** Called when the replica is killed or paused. */
  readonly halts?: () => void;
  /** Ends the faults of the simulation-specific parts. */
  readonly calms?: () => void;
}

/** The view of a replica that its witness needs. */
export interface Suspect {
  readonly name: string;
  readonly life: Life;
  readonly ownership: () => Ownership;
  /** Whether the process has reported that it ended. */
  readonly hasEnded: () => boolean;
  /** Whether it dies at the next write. */
  readonly diesOfWrite: () => Death | undefined;
  readonly kill: () => void;
}

/** The environment of a process. */
export interface Machine<W extends StrictWitness> extends Pick<Suspect, 'name' | 'life' | 'kill'> {
  /** The randomness of the environment. */
  readonly random: Random;
  /** The randomness of the process itself. */
  readonly chance: () => number;
  readonly clock: MachineClock;
  readonly port: ClientPort;
  readonly witness: W;
}

/** The disturbances of one replica. */
interface Fortunes {
  weather: Weather;
  blockedUntil: number;
  writesToLive: number;
  death: Death;
  stoppedAt: number | undefined;
  ended: boolean;
}

export function createReplica<W extends StrictWitness>(stage: Stage, name: string, parts: ReplicaParts<W>): Replica {
  const { setting, scheduler, trace } = stage;
  const random = setting.random.fork();
  const life = createLife(scheduler);
  const clock = createMachineClock(scheduler, life);
  const faults = createFaults({ seed: random.below(2 ** 31), clock: stage.serverClock, rules: rulesOf(setting.weather), maxLogged: 20 });
  const fortunes = freshFortunes(setting.weather);
  const { halts = () => {} } = parts;
  const kill = (): void => {
    life.kill();
    faults.dropWatches({ broken: true });
    halts();
  };
  const witness = parts.watch({
    ...{ name, life, kill },
    ownership: () => process.ownership,
    hasEnded: () => fortunes.ended,
    diesOfWrite: () => diesOfWrite(fortunes, kill),
  });
  const port = networkOf(stage, { random, life, witness, fortunes, faultyServer: faults.port(stage.server) });
  const process = parts.start({ name, life, kill, random, clock, port, witness, chance: () => random.below(2 ** 30) / 2 ** 30 });
  void process.end.then(() => {
    fortunes.ended = true;
    trace.note(name, 'has ended');
  });
  const { controller, ownership, stop } = process;
  return {
    ...{ name, life, clock, witness, faults, controller, ownership, kill },
    get stoppedAt() {
      return fortunes.stoppedAt;
    },
    get ended() {
      return fortunes.ended;
    },
    pause() {
      life.pause();
      halts();
    },
    ...controlsOf(fortunes, { ...stage, life, faults, stop, calms: parts.calms }),
  };
}

const freshFortunes = (weather: Weather): Fortunes => ({
  weather,
  blockedUntil: 0,
  writesToLive: Number.POSITIVE_INFINITY,
  death: 'dies',
  stoppedAt: undefined,
  ended: false,
});

function diesOfWrite(fortunes: Fortunes, kill: () => void): Death | undefined {
  fortunes.writesToLive -= 1;
  if (fortunes.writesToLive > 0) return undefined;
  kill();
  return fortunes.death;
}

interface Surroundings extends Pick<Replica, 'life' | 'witness'> {
  readonly random: Random;
  readonly fortunes: Fortunes;
  /** The server with all its faults. */
  readonly faultyServer: ClientPort;
}

function networkOf(stage: Stage, { fortunes, faultyServer: fragile, ...rest }: Surroundings): ClientPort {
  const { scheduler, server, setting, chronicle, counts } = stage;
  return createNetwork({
    ...{ ...rest, scheduler },
    server: () => (fortunes.weather === fair ? server : fragile),
    weather: () => fortunes.weather,
    blockedUntil: () => fortunes.blockedUntil,
    watchList: setting.watchList,
    versions: chronicle.versions,
    underWay(change) {
      counts.underWay += change;
    },
  });
}

type Controlled = Pick<Replica, 'life' | 'faults' | 'stop'> & Pick<Stage, 'scheduler'> & { readonly calms: (() => void) | undefined };

function controlsOf(
  fortunes: Fortunes,
  { scheduler, life, faults, stop, calms }: Controlled,
): Pick<Replica, 'block' | 'dieAtWrite' | 'stop' | 'calm'> {
  return {
    block(milliseconds) {
      fortunes.blockedUntil = Math.max(fortunes.blockedUntil, scheduler.time + milliseconds);
    },
    dieAtWrite: (after, how) => void Object.assign(fortunes, { writesToLive: after, death: how }),
    stop() {
      if (fortunes.stoppedAt !== undefined) return;
      fortunes.stoppedAt = scheduler.time;
      life.enter('message', stop);
    },
    calm() {
      Object.assign(fortunes, { weather: fair, blockedUntil: 0, writesToLive: Number.POSITIVE_INFINITY });
      calms?.();
      faults.release();
      if (faults.down) faults.restart();
    },
  };
}
