import { createFaults, type FaultRule, type Faults } from '../../../../src/apiserver/index.ts';
import type { BalancerPort } from '../../../../src/load-balancer/index.ts';
import type { ClientPort, Clock } from '../../../../src/port/index.ts';
import type { Ownership } from '../../../../src/runtime/election/ownership.ts';
import type { ServiceLoadBalancer } from '../../../../src/runtime/service-lb/index.ts';
import type { Chronicle } from '../../chronicle.ts';
import { createMachineClock, type MachineClock } from '../../replica/clock.ts';
import { createLife, type Life } from '../../replica/life.ts';
import { createNetwork } from '../../replica/network.ts';
import type { Scheduler } from '../../scheduler.ts';
import { fair, type Weather } from '../../setting.ts';
import type { Trace } from '../../trace.ts';
import type { Wishes } from '../checks/wishes.ts';
import { createWitness, type StrictWitness } from '../checks/witness.ts';
import { type CloudLink, createCloudLink, type Fate } from '../cloud/link.ts';
import { type CloudWeather, fairCloud, type Setting } from '../setting.ts';
import { startProcess } from './process.ts';

/** One process with the controller, on a machine and behind networks of its own. */
export interface Replica {
  readonly name: string;
  readonly life: Life;
  readonly clock: MachineClock;
  readonly controller: ServiceLoadBalancer;
  readonly ownership: Ownership;
  readonly witness: StrictWitness;
  readonly faults: Faults;
  /** Since when it has been asked to end. */
  readonly stoppedAt: number | undefined;
  readonly ended: boolean;
  /** Nothing gets through to it or from it for so long: to the API server, or to the cloud. */
  block(what: 'api' | 'cloud', milliseconds: number): void;
  /** Dies at one of the next writes that it is about to send. */
  dieAtWrite(after: number, how: 'dies' | 'dies and sends'): void;
  /** Dies at one of the next calls of the cloud. */
  dieAtCall(after: number, how: Fate): void;
  pause(): void;
  kill(): void;
  stop(): void;
  /** From now on its networks are fair. */
  calm(): void;
}

export interface ReplicaParts {
  readonly name: string;
  readonly setting: Setting;
  readonly scheduler: Scheduler;
  readonly serverClock: Clock;
  readonly server: ClientPort;
  readonly cloud: Required<BalancerPort>;
  readonly chronicle: Chronicle;
  readonly wishes: Wishes;
  readonly secured: Set<string>;
  readonly trace: Trace;
  readonly acted: (what: string) => void;
  readonly underWay: (change: 1 | -1) => void;
  readonly blame: (problem: string) => void;
}

/** What becomes of a replica. */
interface Fortunes {
  weather: Weather;
  cloudWeather: CloudWeather;
  readonly blockedUntil: { api: number; cloud: number };
  writesToLive: number;
  death: 'dies' | 'dies and sends';
  callsToLive: number;
  deathAtCall: Fate;
  stoppedAt: number | undefined;
  ended: boolean;
}

export function createReplica(parts: ReplicaParts): Replica {
  const { name, setting, scheduler, trace } = parts;
  const random = setting.random.fork();
  const life = createLife(scheduler);
  const clock = createMachineClock(scheduler, life);
  const faults = createFaults({ seed: random.below(2 ** 31), clock: parts.serverClock, rules: rulesOf(setting.weather), maxLogged: 20 });
  const fortunes = freshFortunes(setting);
  const kill = (): void => {
    life.kill();
    faults.dropWatches({ broken: true });
    link.loosen();
  };
  const witness = createWitness({
    ...parts,
    ownership: () => process.ownership,
    hasEnded: () => fortunes.ended,
    diesOfWrite: () => diesOfWrite(fortunes, kill),
    diesOfCall: () => diesOfCall(fortunes, kill),
  });
  const link = cloudLinkOf(parts, { random, life, witness, fortunes, kill });
  const port = networkOf(parts, { random, life, witness, fortunes, fragile: faults.port(parts.server) });
  const cloud = { name: 'simulated', balancers: link.balancers };
  const process = startProcess({ name, setting, port, cloud, clock, tell: witness.hears, random: () => random.below(2 ** 30) / 2 ** 30 });
  void process.end.then(() => {
    fortunes.ended = true;
    trace.note(name, 'has ended');
  });
  const { controller, ownership } = process;
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
      link.loosen();
    },
    ...controlsOf(fortunes, { scheduler, life, faults, stop: process.stop }),
  };
}

const freshFortunes = ({ weather, cloud }: Setting): Fortunes => ({
  weather,
  cloudWeather: cloud,
  blockedUntil: { api: 0, cloud: 0 },
  writesToLive: Number.POSITIVE_INFINITY,
  death: 'dies',
  callsToLive: Number.POSITIVE_INFINITY,
  deathAtCall: 'dies',
  stoppedAt: undefined,
  ended: false,
});

function diesOfWrite(fortunes: Fortunes, kill: () => void): Fortunes['death'] | undefined {
  fortunes.writesToLive -= 1;
  if (fortunes.writesToLive > 0) return undefined;
  kill();
  return fortunes.death;
}

function diesOfCall(fortunes: Fortunes, kill: () => void): Fate | undefined {
  fortunes.callsToLive -= 1;
  if (fortunes.callsToLive > 0) return undefined;
  fortunes.callsToLive = Number.POSITIVE_INFINITY;
  if (fortunes.deathAtCall !== 'dies of the answer') kill();
  return fortunes.deathAtCall;
}

interface Surroundings extends Pick<Replica, 'life' | 'witness'> {
  readonly random: Setting['random'];
  readonly fortunes: Fortunes;
}

function cloudLinkOf(
  { scheduler, cloud, setting }: ReplicaParts,
  { random, life, witness, fortunes, kill }: Surroundings & { readonly kill: () => void },
): CloudLink {
  return createCloudLink({
    ...{ scheduler, random, life, cloud, kill },
    weather: () => fortunes.cloudWeather,
    blockedUntil: () => fortunes.blockedUntil.cloud,
    lists: setting.lists,
    isPrompt: setting.isPrompt,
    horizon: setting.cloudTimeout,
    witness: witness.cloud,
  });
}

const networkOf = (
  { scheduler, server, setting, chronicle, underWay }: ReplicaParts,
  { random, life, witness, fortunes, fragile }: Surroundings & { readonly fragile: ClientPort },
): ClientPort =>
  createNetwork({
    ...{ scheduler, random, life, witness, underWay },
    server: () => (fortunes.weather === fair ? server : fragile),
    weather: () => fortunes.weather,
    blockedUntil: () => fortunes.blockedUntil.api,
    watchList: setting.watchList,
    versions: chronicle.versions,
  });

function controlsOf(
  fortunes: Fortunes,
  { scheduler, life, faults, stop }: Pick<Replica, 'life' | 'faults' | 'stop'> & { readonly scheduler: Scheduler },
): Pick<Replica, 'block' | 'dieAtWrite' | 'dieAtCall' | 'stop' | 'calm'> {
  const { blockedUntil } = fortunes;
  return {
    block(what, milliseconds) {
      blockedUntil[what] = Math.max(blockedUntil[what], scheduler.time + milliseconds);
    },
    dieAtWrite: (after, how) => void Object.assign(fortunes, { writesToLive: after, death: how }),
    dieAtCall: (after, how) => void Object.assign(fortunes, { callsToLive: after, deathAtCall: how }),
    stop() {
      if (fortunes.stoppedAt !== undefined) return;
      fortunes.stoppedAt = scheduler.time;
      life.enter('message', stop);
    },
    calm() {
      const never = Number.POSITIVE_INFINITY;
      Object.assign(fortunes, { weather: fair, cloudWeather: fairCloud, writesToLive: never, callsToLive: never });
      Object.assign(blockedUntil, { api: 0, cloud: 0 });
      faults.release();
      if (faults.down) faults.restart();
    },
  };
}

/** What the server does to this replica's calls. */
function rulesOf({ refused, down, broken }: Weather): FaultRule[] {
  const when = { chance: refused };
  const refusals: FaultRule[] = [
    { fault: 'conflict', when },
    { fault: 'tooManyRequests', retryAfterSeconds: 1, when },
    { fault: 'internalError', when },
    { fault: 'unavailable', when },
    { fault: 'timeout', when },
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
