import { createApiServer, randomnessFrom } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources, type SteadyClock } from 'kube-endpoints/port';
import type { Ownership } from '../../../src/election/index.ts';
import { createMachine, type Machine, type Network } from './machine.ts';
import { createSimulator, type Simulator } from './simulator.ts';

/** The dependencies of a replica. */
export interface Dependencies {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly identity: string;
  readonly beforeRelease: () => Promise<void>;
}

/** The leader election or the sharding of one replica. */
export interface Coordinator {
  readonly ownership: Ownership;
  run(signal: AbortSignal): Promise<void>;
}

export interface SimulationOptions {
  readonly seed: number;
  create(dependencies: Dependencies): Coordinator;
  readonly keys: readonly string[];
  /** Time with faults; four minutes by default. */
  readonly faultsMs?: number;
}

export interface Member {
  readonly identity: string;
  readonly machine: Machine;
  readonly coordinator: Coordinator;
  readonly leave: () => void;
  isLeaving: boolean;
}

/** The result of a simulation. */
export interface Outcome {
  readonly steps: number;
  /** The share of ownership checks during the faults that found an owner. */
  readonly ownedShare: number;
  /** The first violation of an invariant; undefined if there was none. */
  readonly problem: string | undefined;
  readonly members: readonly Member[];
}

/**
 * Runs several replicas on one API server, first with faults, then without. After every event, no key may have two owners, including paused
 * replicas, which may continue at any moment. Without faults, every key gets an owner within `recoveryMs` and keeps that owner.
 */
export async function simulate(simulation: SimulationOptions): Promise<Outcome> {
  const state = await createState(simulation);
  const { simulator } = state;
  for (let i = 0; i < 3; i++) join(state);
  scheduleFault(state);
  await simulator.pass(simulation.faultsMs ?? 240_000, () => checkOwners(state));
  endFaults(state);
  await simulator.pass(recoveryMs, () => checkOwners(state));
  const ownersBefore = ownersOf(state);
  await simulator.pass(30_000, () => {
    checkOwners(state);
    const changedKeys = simulation.keys.filter((_, i) => ownersOf(state)[i] !== ownersBefore[i] || ownersBefore[i] === '');
    if (changedKeys.length > 0)
      state.problem ??= `at ${simulator.now}, after the faults: without an owner or with a new owner: ${changedKeys.join(' ')}`;
  });
  await state.close();
  return {
    steps: state.steps,
    ownedShare: state.ownedObservationCount / state.observationCount,
    problem: state.problem,
    members: state.members,
  };
}

/** Time for the last delayed call to arrive, then for a Lease to expire by the slowest clock, and then for a few retry periods. */
const recoveryMs = 30_000 + 15_000 / 0.92 + 15_000;

interface SimulationState {
  readonly simulation: SimulationOptions;
  readonly simulator: Simulator;
  readonly client: ClientPort;
  readonly network: Network & { quality: NetworkQuality };
  readonly close: () => Promise<void>;
  members: Member[];
  faultsHaveEnded: boolean;
  joinedCount: number;
  steps: number;
  observationCount: number;
  ownedObservationCount: number;
  problem: string | undefined;
}

type NetworkQuality = 'good' | 'slow' | 'lossy' | 'down';

async function createState(simulation: SimulationOptions): Promise<SimulationState> {
  const simulator = createSimulator(simulation);
  const { clock } = createMachine(simulator);
  const randomness = randomnessFrom((bound) => Math.floor(simulator.random() * bound));
  const server = await createApiServer({ clock, randomness, background: false });
  return {
    simulation,
    simulator,
    client: server.client,
    network: createNetwork(simulator),
    close: () => server.close(),
    members: [],
    faultsHaveEnded: false,
    joinedCount: 0,
    steps: 0,
    observationCount: 0,
    ownedObservationCount: 0,
    problem: undefined,
  };
}

function createNetwork(simulator: Simulator): SimulationState['network'] {
  const latencies: Readonly<Record<NetworkQuality, () => number>> = {
    good: () => simulator.between(1, 20),
    slow: () => (simulator.random() < 0.7 ? simulator.between(1, 500) : simulator.between(1000, 8000)),
    lossy: () => (simulator.random() < 0.9 ? simulator.between(1, 50) : simulator.between(1000, 30_000)),
    down: () => simulator.between(1, 20),
  };
  const lossRates: Readonly<Record<NetworkQuality, number>> = { good: 0, slow: 0.02, lossy: 0.15, down: 1 };
  return {
    quality: 'good',
    latency() {
      return latencies[this.quality]();
    },
    isLost() {
      return simulator.random() < lossRates[this.quality];
    },
  };
}

function join(state: SimulationState, name = `replica-${state.joinedCount++}`): void {
  const { simulator, client, network, simulation } = state;
  const machine = createMachine(simulator, simulator.between(0.92, 1.08));
  const controller = new AbortController();
  const drainTime = simulator.random() < 0.7 ? 0 : simulator.between(0, 15_000);
  const beforeRelease = (): Promise<void> => new Promise((resolve) => void machine.clock.schedule(resolve, drainTime));
  const dependencies = {
    port: machine.connect(client, network),
    clock: machine.clock,
    random: simulator.random,
    identity: name,
    beforeRelease,
  };
  const coordinator = simulation.create(dependencies);
  const member: Member = {
    identity: name,
    machine,
    coordinator,
    isLeaving: false,
    leave: () => {
      member.isLeaving = true;
      machine.execute(() => controller.abort());
    },
  };
  state.members.push(member);
  coordinator.run(controller.signal).then(
    () => machine.kill(),
    (error: unknown) => {
      state.problem ??= `${name} failed: ${error}`;
    },
  );
}

const runningMembers = ({ members }: SimulationState): Member[] =>
  members.filter(({ machine, isLeaving }) => machine.state !== 'dead' && !isLeaving);

/** Schedules the next fault, which then schedules another one. */
function scheduleFault(state: SimulationState): void {
  const { simulator } = state;
  simulator.schedule(simulator.between(500, 8000), () => {
    if (state.faultsHaveEnded) return;
    state.members = state.members.filter(({ machine }) => machine.state !== 'dead');
    simulator.pick(faults)(state);
    scheduleFault(state);
  });
}

type Fault = (state: SimulationState) => void;

const forRandomMember =
  (apply: (member: Member, state: SimulationState) => void): Fault =>
  (state) => {
    const [...members] = runningMembers(state);
    if (members.length > 0) apply(state.simulator.pick(members), state);
  };

/** Pauses for a short time, for a long time, or for about a Lease duration, so that others take over just when the member resumes. */
const pauseMember = forRandomMember(({ machine }, { simulator }) => {
  machine.pause();
  const [min, max] = simulator.pick<readonly [number, number]>([
    [500, 12_000],
    [13_000, 19_000],
    [13_000, 19_000],
    [8000, 40_000],
  ]);
  simulator.schedule(simulator.between(min, max), machine.resume);
});
const killMember = forRandomMember(({ machine, identity }, state) => {
  machine.kill();
  if (state.simulator.random() < 0.5) state.simulator.schedule(state.simulator.between(10, 5000), () => join(state, identity));
});
const shiftTimeOfDay = forRandomMember(({ machine }, { simulator }) =>
  machine.shiftTimeOfDay(Math.round(simulator.between(-6, 6) * 3_600_000)),
);
const changeNetworkQuality: Fault = ({ network, simulator }) => {
  network.quality = simulator.pick(['good', 'good', 'slow', 'slow', 'lossy', 'down']);
};
const joinMember: Fault = (state) => {
  if (runningMembers(state).length < 5) join(state);
};
/** Starts another process with an identity in use. */
const joinWithUsedIdentity: Fault = (state) => {
  const [...members] = runningMembers(state);
  if (members.length > 0 && members.length < 5 && state.simulator.random() < 0.3) join(state, state.simulator.pick(members).identity);
};
/** Another client changes the metadata of a Lease. */
const touchLease: Fault = ({ client, simulator }) => {
  const changeLabel = async (): Promise<void> => {
    const { items } = await client.list(resources.leases, { namespace: 'kube-system' });
    if (items.length === 0) return;
    const { namespace, name } = simulator.pick(items as ApiObject[]).metadata as { namespace: string; name: string };
    await client.patch(
      resources.leases,
      { namespace, name },
      { metadata: { labels: { changed: `${Math.floor(simulator.now)}` } } },
      { type: 'merge' },
    );
  };
  void changeLabel();
};
const leaveGroup = forRandomMember((member) => member.leave());

const faults: readonly Fault[] = [
  ...[pauseMember, pauseMember, pauseMember],
  ...[killMember, leaveGroup, joinMember, joinMember, joinWithUsedIdentity],
  ...[shiftTimeOfDay, changeNetworkQuality, changeNetworkQuality, touchLease],
];

function endFaults(state: SimulationState): void {
  state.faultsHaveEnded = true;
  state.network.quality = 'good';
  for (const { machine } of state.members) machine.resume();
  if (runningMembers(state).length === 0) join(state);
}

/** The owners of each key, as text. */
const ownersOf = ({ simulation, members }: SimulationState): readonly string[] =>
  simulation.keys.map((key) =>
    members
      .filter(({ machine, coordinator }) => machine.state !== 'dead' && coordinator.ownership.owns(key))
      .map(({ identity }) => identity)
      .join(' and '),
  );

function checkOwners(state: SimulationState): void {
  const { simulation, members, simulator } = state;
  state.steps++;
  const livingMembers = members.filter(({ machine }) => machine.state !== 'dead');
  for (const key of simulation.keys) {
    let ownerCount = 0;
    for (const { coordinator } of livingMembers) if (coordinator.ownership.owns(key)) ownerCount++;
    state.observationCount++;
    if (ownerCount > 0) state.ownedObservationCount++;
    if (ownerCount > 1) state.problem ??= `at ${simulator.now}: ${key} is owned by ${ownersOf(state)[simulation.keys.indexOf(key)]}`;
  }
}
