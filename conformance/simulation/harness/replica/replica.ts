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

/** One process with a controller, on a machine and behind a network of its own. */
export interface Replica {
  readonly name: string;
  readonly life: Life;
  readonly clock: MachineClock;
  readonly controller: Controller;
  readonly ownership: Ownership;
  readonly witness: StrictWitness;
  readonly faults: Faults;
  /** Since when it has been asked to end. */
  readonly stoppedAt: number | undefined;
  readonly ended: boolean;
  /** Nothing gets through between it and the API server for so long. */
  block(milliseconds: number): void;
  /** Dies at one of the next writes that it is about to send. */
  dieAtWrite(after: number, how: Death): void;
  pause(): void;
  kill(): void;
  stop(): void;
  /** From now on its network is fair. */
  calm(): void;
}

/** How a replica dies of a write: before it has left, or with it on its way. */
export type Death = 'dies' | 'dies and sends';

/** What one simulation's replicas have of their own. */
export interface ReplicaParts<W extends StrictWitness> {
  /** Who looks on at it. */
  readonly watch: (suspect: Suspect) => W;
  /** Starts what runs on it. */
  readonly start: (machine: Machine<W>) => Process;
  /** It is gone, or stands still. */
  readonly halts?: () => void;
  /** From now on all that is its own is fair, too. */
  readonly calms?: () => void;
}

/** A replica, as who looks on at it has to know it. */
export interface Suspect {
  readonly name: string;
  readonly life: Life;
  readonly ownership: () => Ownership;
  /** Whether the process has said that it is at its end. */
  readonly hasEnded: () => boolean;
  /** Whether it dies of a write that it is about to send. */
  readonly diesOfWrite: () => Death | undefined;
  readonly kill: () => void;
}

/** Where a process is started. */
export interface Machine<W extends StrictWitness> extends Pick<Suspect, 'name' | 'life' | 'kill'> {
  /** The chance of what lies around the process. */
  readonly random: Random;
  /** The process's own chance. */
  readonly chance: () => number;
  readonly clock: MachineClock;
  readonly port: ClientPort;
  readonly witness: W;
}

/** What becomes of a replica. */
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
  const port = networkOf(stage, { random, life, witness, fortunes, fragile: faults.port(stage.server) });
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
  readonly fragile: ClientPort;
}

function networkOf(stage: Stage, { fortunes, fragile, ...rest }: Surroundings): ClientPort {
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
