import { createFaults, type FaultRule, type Faults } from '../../../src/apiserver/index.ts';
import type { ApiObject, ClientPort, Clock } from '../../../src/port/index.ts';
import { type Controllers, createControllers } from '../../../src/runtime/controllers/index.ts';
import { createLeaderElection } from '../../../src/runtime/election/index.ts';
import { type Ownership, ownsAll } from '../../../src/runtime/election/ownership.ts';
import { createSharding } from '../../../src/runtime/sharding/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import type { Content } from '../checks/content.ts';
import { createWitness, type StrictWitness } from '../checks/witness.ts';
import type { Chronicle } from '../chronicle.ts';
import type { Scheduler } from '../scheduler.ts';
import { fair, type Setting, type Weather } from '../setting.ts';
import type { Trace } from '../trace.ts';
import { createMachineClock, type MachineClock } from './clock.ts';
import { createLife, type Life } from './life.ts';
import { createNetwork, type Link } from './network.ts';

/** One process with the controllers, on a machine and behind a network of its own. */
export interface Replica {
  readonly name: string;
  readonly life: Life;
  readonly clock: MachineClock;
  readonly controllers: Controllers;
  readonly ownership: Ownership;
  readonly witness: StrictWitness;
  readonly faults: Faults;
  /** Since when it has been asked to end. */
  readonly stoppedAt: number | undefined;
  readonly ended: boolean;
  /** Nothing gets through to it or from it for so long. */
  block(milliseconds: number): void;
  /** Dies at one of the next writes that it is about to send. */
  dieAtWrite(after: number, how: 'dies' | 'dies and sends'): void;
  kill(): void;
  stop(): void;
  /** From now on its network is fair. */
  calm(): void;
}

export interface ReplicaParts {
  readonly name: string;
  readonly setting: Setting;
  readonly scheduler: Scheduler;
  readonly serverClock: Clock;
  readonly server: ClientPort;
  readonly chronicle: Chronicle;
  readonly content: Content;
  readonly trace: Trace;
  readonly wrote: () => void;
  readonly underWay: (change: 1 | -1) => void;
  readonly abandons: (object: ApiObject) => void;
  readonly blame: (problem: string) => void;
  /** Spoils the port, to prove that this is found out. */
  readonly spoil: (port: ClientPort) => ClientPort;
}

/** What becomes of a replica. */
interface Fortunes {
  weather: Weather;
  blockedUntil: number;
  writesToLive: number;
  death: 'dies' | 'dies and sends';
  stoppedAt: number | undefined;
  ended: boolean;
}

export function createReplica(parts: ReplicaParts): Replica {
  const { name, setting, scheduler, trace } = parts;
  const random = setting.random.fork();
  const life = createLife(scheduler);
  const clock = createMachineClock(scheduler, life);
  const faults = createFaults({ seed: random.below(2 ** 31), clock: parts.serverClock, rules: rulesOf(setting.weather), maxLogged: 20 });
  const fortunes = freshFortunes(setting.weather);
  const kill = (): void => {
    life.kill();
    faults.dropWatches({ broken: true });
  };
  const witness = createWitness({
    ...parts,
    tracksEndpoints: profileFor(setting.version).staleObjectsRetried,
    ownership: () => process.ownership,
    hasEnded: () => fortunes.ended,
    mayAnswerFor: (key) => life.state !== 'gone' && process.ownership.owns(key),
    dies: () => dies(fortunes, kill),
  });
  const port = createNetwork(linkOf(parts, { random, life, witness, fortunes, fragile: faults.port(parts.server) }));
  const process = startProcess(parts, { port: parts.spoil(port), clock, witness, random: () => random.below(2 ** 30) / 2 ** 30 });
  void process.end.then(() => {
    fortunes.ended = true;
    trace.note(name, 'has ended');
  });
  const { controllers, ownership } = process;
  return {
    ...{ name, life, clock, witness, faults, controllers, ownership, kill },
    get stoppedAt() {
      return fortunes.stoppedAt;
    },
    get ended() {
      return fortunes.ended;
    },
    ...controlsOf(fortunes, { scheduler, life, faults, stop: process.stop }),
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

function dies(fortunes: Fortunes, kill: () => void): Fortunes['death'] | undefined {
  fortunes.writesToLive -= 1;
  if (fortunes.writesToLive > 0) return undefined;
  kill();
  return fortunes.death;
}

function linkOf(
  { scheduler, server, setting, chronicle, underWay }: ReplicaParts,
  { fortunes, fragile, ...rest }: Pick<Link, 'random' | 'life' | 'witness'> & { readonly fortunes: Fortunes; readonly fragile: ClientPort },
): Link {
  return {
    ...rest,
    scheduler,
    server: () => (fortunes.weather === fair ? server : fragile),
    weather: () => fortunes.weather,
    blockedUntil: () => fortunes.blockedUntil,
    watchList: setting.watchList,
    versions: chronicle.versions,
    underWay,
  };
}

function controlsOf(
  fortunes: Fortunes,
  { scheduler, life, faults, stop }: Pick<Replica, 'life' | 'faults'> & Pick<Process, 'stop'> & { readonly scheduler: Scheduler },
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
      faults.release();
      if (faults.down) faults.restart();
    },
  };
}

interface Process {
  readonly controllers: Controllers;
  readonly ownership: Ownership;
  readonly end: Promise<unknown>;
  stop(): void;
}

interface Surroundings {
  readonly port: ClientPort;
  readonly clock: MachineClock;
  readonly witness: StrictWitness;
  readonly random: () => number;
}

/** What a host does: the controllers, and what says which Services are theirs. */
function startProcess({ name, setting }: ReplicaParts, { port, clock, witness, random }: Surroundings): Process {
  const abort = new AbortController();
  const { signal } = abort;
  const { mode, version, workers, maxEndpointsPerSlice, batchPeriod, rosterFrom } = setting;
  const tell = witness.hears;
  let drained: Promise<unknown> = Promise.resolve();
  const common = { port, clock, random, identity: name, tell, beforeRelease: async () => void (await drained) };
  const share =
    mode === 'elected'
      ? createLeaderElection({ ...common, name: 'endpoints' })
      : mode === 'sharded'
        ? createSharding({ ...common, namespace: 'kube-system', name: 'endpoints' })
        : { ownership: ownsAll, run: async () => undefined };
  const { ownership } = share;
  ownership.onChange(witness.changesShare);
  const controllers = createControllers({
    port,
    clock,
    random,
    ownership,
    tell,
    workers,
    maxEndpointsPerSlice,
    batchPeriod,
    rosterFrom,
    ...(version !== undefined && { version }),
  });
  drained = controllers.run(signal);
  return { controllers, ownership, end: Promise.all([drained, share.run(signal)]), stop: () => abort.abort() };
}

/** What the server does to this replica's calls. */
function rulesOf({ refused, down, broken }: Weather): FaultRule[] {
  const refusals: FaultRule[] = [
    { fault: 'conflict', when: { chance: refused } },
    { fault: 'tooManyRequests', retryAfterSeconds: 1, when: { chance: refused } },
    { fault: 'internalError', when: { chance: refused } },
    { fault: 'unavailable', when: { chance: refused } },
    { fault: 'timeout', when: { chance: refused } },
  ];
  const breaks: FaultRule[] = [
    { fault: 'dropWatch', afterMilliseconds: [0, 30_000], when: { chance: broken } },
    { fault: 'dropWatch', afterEvents: [0, 20], broken: true, when: { chance: broken } },
    { fault: 'stallWatch', afterMilliseconds: [0, 10_000], forMilliseconds: [1000, 60_000], when: { chance: broken } },
    { fault: 'expired', when: { chance: broken } },
  ];
  return [
    ...(refused > 0 ? refusals : []),
    ...(down > 0 ? [{ fault: 'crash', downMilliseconds: [100, 5000], when: { chance: down } } as const] : []),
    ...(broken > 0 ? breaks : []),
  ];
}
