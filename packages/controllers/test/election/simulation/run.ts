import { createApiServer, randomnessFrom } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources, type SteadyClock } from 'kube-endpoints/port';
import type { Ownership } from '../../../src/election/index.ts';
import { createMachine, type Machine, type Network } from './machine.ts';
import { createWorld, type World } from './world.ts';

/** The dependencies of a replica. */
export interface Parts {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly identity: string;
  readonly beforeRelease: () => Promise<void>;
}

export interface Subject {
  readonly ownership: Ownership;
  run(signal: AbortSignal): Promise<void>;
}

/** The subject of the simulation. */
export interface Simulation {
  readonly seed: number;
  create(parts: Parts): Subject;
  readonly keys: readonly string[];
  /** Milliseconds with faults; four minutes by default. */
  readonly trouble?: number;
}

export interface Member {
  readonly identity: string;
  readonly machine: Machine;
  readonly subject: Subject;
  readonly leave: () => void;
  isLeaving: boolean;
}

/** The result of a simulation; no problems if all invariants held. */
export interface Outcome {
  readonly steps: number;
  /** The share of ownership checks during the faults that found an owner. */
  readonly owned: number;
  readonly problem: string | undefined;
  readonly members: readonly Member[];
}

/**
 * Runs several replicas on one API server, first with faults, then without. After every event, no key may have two owners, including paused
 * replicas, which may continue at any moment. Without faults, every key has an owner within `patience` and keeps it.
 */
export async function simulate(simulation: Simulation): Promise<Outcome> {
  const scene = await createScene(simulation);
  const { world } = scene;
  for (let i = 0; i < 3; i++) join(scene);
  plan(scene);
  await world.pass(simulation.trouble ?? 240_000, () => check(scene));
  rest(scene);
  await world.pass(patience, () => check(scene));
  const before = ownersOf(scene);
  await world.pass(30_000, () => {
    check(scene);
    const free = simulation.keys.filter((_, i) => ownersOf(scene)[i] !== before[i] || before[i] === '');
    if (free.length > 0) scene.problem ??= `at ${world.now}, at rest: not owned, or by another than before: ${free.join(' ')}`;
  });
  await scene.close();
  return { steps: scene.steps, owned: scene.owned / scene.observations, problem: scene.problem, members: scene.members };
}

/** Until the last delayed call has arrived, a Lease has expired after that by the slowest clock, and a few retry periods have passed. */
const patience = 30_000 + 15_000 / 0.92 + 15_000;

interface Scene {
  readonly simulation: Simulation;
  readonly world: World;
  readonly client: ClientPort;
  readonly network: Network & { mood: Mood };
  readonly close: () => Promise<void>;
  members: Member[];
  isAtRest: boolean;
  joined: number;
  steps: number;
  observations: number;
  owned: number;
  problem: string | undefined;
}

type Mood = 'good' | 'slow' | 'lossy' | 'gone';

async function createScene(simulation: Simulation): Promise<Scene> {
  const world = createWorld(simulation.seed);
  const { clock } = createMachine(world);
  const randomness = randomnessFrom((bound) => Math.floor(world.random() * bound));
  const server = await createApiServer({ clock, randomness, background: false });
  return {
    simulation,
    world,
    client: server.client,
    network: networkOf(world),
    close: () => server.close(),
    members: [],
    isAtRest: false,
    joined: 0,
    steps: 0,
    observations: 0,
    owned: 0,
    problem: undefined,
  };
}

function networkOf(world: World): Scene['network'] {
  const latencies: Readonly<Record<Mood, () => number>> = {
    good: () => world.between(1, 20),
    slow: () => (world.random() < 0.7 ? world.between(1, 500) : world.between(1000, 8000)),
    lossy: () => (world.random() < 0.9 ? world.between(1, 50) : world.between(1000, 30_000)),
    gone: () => world.between(1, 20),
  };
  const losses: Readonly<Record<Mood, number>> = { good: 0, slow: 0.02, lossy: 0.15, gone: 1 };
  return {
    mood: 'good',
    latency() {
      return latencies[this.mood]();
    },
    loses() {
      return world.random() < losses[this.mood];
    },
  };
}

function join(scene: Scene, name = `replica-${scene.joined++}`): void {
  const { world, client, network, simulation } = scene;
  const machine = createMachine(world, world.between(0.92, 1.08));
  const signal = new AbortController();
  const drainTime = world.random() < 0.7 ? 0 : world.between(0, 15_000);
  const beforeRelease = (): Promise<void> => new Promise((resolve) => void machine.clock.schedule(resolve, drainTime));
  const parts = { port: machine.connect(client, network), clock: machine.clock, random: world.random, identity: name, beforeRelease };
  const subject = simulation.create(parts);
  const member: Member = {
    identity: name,
    machine,
    subject,
    isLeaving: false,
    leave: () => {
      member.isLeaving = true;
      machine.inside(() => signal.abort());
    },
  };
  scene.members.push(member);
  subject.run(signal.signal).then(
    () => machine.kill(),
    (error: unknown) => {
      scene.problem ??= `${name} failed: ${error}`;
    },
  );
}

const running = ({ members }: Scene): Member[] => members.filter(({ machine, isLeaving }) => machine.state !== 'dead' && !isLeaving);

/** Schedules the next fault, and those after it. */
function plan(scene: Scene): void {
  const { world } = scene;
  world.at(world.between(500, 8000), () => {
    if (scene.isAtRest) return;
    scene.members = scene.members.filter(({ machine }) => machine.state !== 'dead');
    world.pick(troubles)(scene);
    plan(scene);
  });
}

type Trouble = (scene: Scene) => void;

const troubleOne =
  (act: (member: Member, scene: Scene) => void): Trouble =>
  (scene) => {
    const [...there] = running(scene);
    if (there.length > 0) act(scene.world.pick(there), scene);
  };

/** Pauses briefly, for long, or for about a Lease duration, so that others take over just when the replica resumes. */
const pauseOne = troubleOne(({ machine }, { world }) => {
  machine.pause();
  const [least, most] = world.pick<readonly [number, number]>([
    [500, 12_000],
    [13_000, 19_000],
    [13_000, 19_000],
    [8000, 40_000],
  ]);
  world.at(world.between(least, most), machine.resume);
});
const killOne = troubleOne(({ machine, identity }, scene) => {
  machine.kill();
  if (scene.world.random() < 0.5) scene.world.at(scene.world.between(10, 5000), () => join(scene, identity));
});
const jumpOne = troubleOne(({ machine }, { world }) => machine.setTimeOfDay(Math.round(world.between(-6, 6) * 3_600_000)));
const changeMood: Trouble = ({ network, world }) => {
  network.mood = world.pick(['good', 'good', 'slow', 'slow', 'lossy', 'gone']);
};
const joinOne: Trouble = (scene) => {
  if (running(scene).length < 5) join(scene);
};
/** Starts another process with an identity in use. */
const joinNamesake: Trouble = (scene) => {
  const [...there] = running(scene);
  if (there.length > 0 && there.length < 5 && scene.world.random() < 0.3) join(scene, scene.world.pick(there).identity);
};
/** Another client changes the metadata of a Lease. */
const touchOne: Trouble = ({ client, world }) => {
  const touch = async (): Promise<void> => {
    const { items } = await client.list(resources.leases, { namespace: 'kube-system' });
    if (items.length === 0) return;
    const { namespace, name } = world.pick(items as ApiObject[]).metadata as { namespace: string; name: string };
    await client.patch(
      resources.leases,
      { namespace, name },
      { metadata: { labels: { touched: `${Math.floor(world.now)}` } } },
      { type: 'merge' },
    );
  };
  void touch();
};
const leaveOne = troubleOne((member) => member.leave());

const troubles: readonly Trouble[] = [
  ...[pauseOne, pauseOne, pauseOne],
  ...[killOne, leaveOne, joinOne, joinOne, joinNamesake],
  ...[jumpOne, changeMood, changeMood, touchOne],
];

function rest(scene: Scene): void {
  scene.isAtRest = true;
  scene.network.mood = 'good';
  for (const { machine } of scene.members) machine.resume();
  if (running(scene).length === 0) join(scene);
}

/** The owners of each key, as text. */
const ownersOf = ({ simulation, members }: Scene): readonly string[] =>
  simulation.keys.map((key) =>
    members
      .filter(({ machine, subject }) => machine.state !== 'dead' && subject.ownership.owns(key))
      .map(({ identity }) => identity)
      .join(' and '),
  );

function check(scene: Scene): void {
  const { simulation, members, world } = scene;
  scene.steps++;
  const living = members.filter(({ machine }) => machine.state !== 'dead');
  for (const key of simulation.keys) {
    let owners = 0;
    for (const { subject } of living) if (subject.ownership.owns(key)) owners++;
    scene.observations++;
    if (owners > 0) scene.owned++;
    if (owners > 1) scene.problem ??= `at ${world.now}: ${key} is owned by ${ownersOf(scene)[simulation.keys.indexOf(key)]}`;
  }
}
