import { type ApiServer, createApiServer, createFaults, randomnessFrom } from '../../../src/apiserver/index.ts';
import { createMemoryCloud, type MemoryCloud } from '../../../src/clouds/index.ts';
import { type Clock, resources } from '../../../src/port/index.ts';
import { type Chronicle, createChronicle } from '../chronicle.ts';
import { epoch } from '../replica/clock.ts';
import { createScheduler, type Scheduler } from '../scheduler.ts';
import { createTrace, type Trace } from '../trace.ts';
import { createWorld, type World } from '../world/world.ts';
import { checkFinal } from './checks/final.ts';
import { createWishes, type Wishes } from './checks/wishes.ts';
import { createCloudFaults } from './cloud/faults.ts';
import { createFleet, type Fleet } from './replica/fleet.ts';
import { fairCloud, type Setting, settingOf } from './setting.ts';
import { beginWorld, disturb, loseBalancer, mendWorld } from './world/deeds.ts';

/** What a run came to. */
export interface Outcome {
  readonly seed: number;
  /** What the controller did that it must not, and what it did not do. */
  readonly problems: readonly string[];
  readonly trace: Trace;
  readonly steps: number;
  /** Calls of the cloud. */
  readonly calls: number;
  /** Milliseconds that passed in the simulation. */
  readonly time: number;
}

/** Lets the service load-balancer controller live through all that one seed decides, and says what was wrong. */
export async function simulate(seed: number): Promise<Outcome> {
  const stage = await createStage(settingOf(seed));
  const { setting, scheduler, trace, problems } = stage;
  try {
    await play(stage);
    if (problems.length === 0) await comeToRest(stage);
  } finally {
    await stage.close();
  }
  return { seed, problems, trace, steps: setting.steps, calls: stage.counts.calls, time: scheduler.time };
}

interface Stage {
  readonly setting: Setting;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly world: World;
  readonly chronicle: Chronicle;
  readonly cloud: MemoryCloud;
  readonly wishes: Wishes;
  readonly fleet: Fleet;
  readonly problems: string[];
  readonly counts: Counts;
  /** Nothing goes wrong in the cloud any more. */
  readonly calmCloud: () => void;
  /** Ends all watches of all replicas. */
  readonly dropWatches: () => void;
  readonly close: () => Promise<void>;
}

interface Counts {
  calls: number;
  /** Writes of Services, calls but for those that only ask what there is, and what befalls the cloud by itself. */
  acts: number;
  /** Writes that have not arrived yet. */
  underWay: number;
}

async function createStage(setting: Setting): Promise<Stage> {
  const { random } = setting;
  const scheduler = createScheduler();
  const trace = createTrace(scheduler);
  const serverClock: Clock = {
    now: () => epoch + Math.floor(scheduler.time),
    schedule: (callback, milliseconds) => scheduler.schedule(callback, milliseconds),
  };
  const server: ApiServer = await createApiServer({ clock: serverClock, randomness: randomnessFrom(random.fork().below) });
  const chronicle = await createChronicle(server.client);
  const world = createWorld({ random: random.fork(), chronicle, port: server.client, trace });
  await beginWorld(world);
  const gate = createFaults({ clock: serverClock });
  const { cloud, outage, calmCloud } = createCloud(setting, scheduler, serverClock);
  const wishes = createWishes(chronicle, setting);
  const problems: string[] = [];
  const counts: Counts = { calls: 0, acts: 0, underWay: 0 };
  const fleet = createFleet({
    ...{ setting, scheduler, serverClock, chronicle, wishes, trace, outage },
    cloud: cloud.balancers,
    server: gate.port(server.client),
    secured: new Set(),
    acted: (what) => count(counts, what),
    underWay(change) {
      counts.underWay += change;
    },
    blame(problem) {
      trace.note('', 'WRONG:', problem);
      problems.push(problem);
    },
    compact: server.compact,
  });
  const close = async (): Promise<void> => {
    for (const replica of fleet.alive()) replica.kill();
    await chronicle.close();
    await server.close();
  };
  const dropWatches = (): void => gate.dropWatches();
  return { setting, scheduler, trace, world, chronicle, cloud, wishes, fleet, problems, counts, calmCloud, dropWatches, close };
}

function createCloud(setting: Setting, scheduler: Scheduler, clock: Clock) {
  let weather = setting.cloud;
  const faults = createCloudFaults({ random: setting.random.fork(), setting, weather: () => weather, now: () => scheduler.time });
  return {
    cloud: createMemoryCloud({ clock, faults: faults.next, keptCalls: 1 }),
    outage: (milliseconds: number) => faults.outage(scheduler.time + milliseconds),
    calmCloud() {
      weather = fairCloud;
      faults.outage(0);
    },
  };
}

const onlyAsks: ReadonlySet<string> = new Set(['list', 'get']);

function count(counts: Counts, what: string): void {
  if (what !== 'write') counts.calls += 1;
  if (!onlyAsks.has(what)) counts.acts += 1;
}

/** Everything happens, as the seed decides. */
async function play(stage: Stage): Promise<void> {
  const { setting, scheduler, world, fleet, problems } = stage;
  const { random, steps, unrest } = setting;
  const pace = random.pick([100, 2000, 10_000]);
  fleet.tend(random, 3000);
  for (let step = 0; step < steps && problems.length === 0; step++) {
    if (random.chance(unrest)) fleet.disturb(random);
    else if (random.chance(0.03)) lose(stage);
    else await disturb(world, setting);
    fleet.tend(random, 20_000);
    await scheduler.settle();
    if (!random.chance(0.3)) await scheduler.advance(random.chance(0.05) ? random.below(120_000) : random.below(pace));
    requireOneOwner(stage);
  }
}

function lose({ setting, trace, world, cloud, counts }: Stage): void {
  counts.acts += 1;
  trace.note('cloud', 'loses', loseBalancer(world, setting, cloud) ?? 'nothing');
}

/** No two processes may take a Service for theirs. One that stands still does nothing of what it believes. */
function requireOneOwner({ fleet, chronicle, problems }: Stage): void {
  const running = fleet.alive().filter(({ life }) => life.state === 'running');
  if (running.length < 2) return;
  for (const key of chronicle.keys(resources.services)) {
    const owners = running.filter(({ ownership }) => ownership.owns(key));
    if (owners.length > 1) problems.push(`${key} is owned by ${owners.map(({ name }) => name).join(' and ')}`);
  }
}

/** Nothing goes wrong any more: all becomes what it should be, and then nothing is done. */
async function comeToRest(stage: Stage): Promise<void> {
  const { setting, scheduler, trace, world, chronicle, cloud, wishes, fleet, problems, counts } = stage;
  trace.note('', 'all faults end');
  stage.calmCloud();
  fleet.calm();
  fleet.tend(setting.random, 3000);
  await mendWorld(world, setting);
  // the last that goes wrong, when nothing else makes anybody look
  if (setting.random.chance(0.4)) scheduler.schedule(() => lose(stage), 30_000 + setting.random.below(60_000));
  const rested = await untilQuiet(stage);
  trace.note('', 'all is at rest');
  if (problems.length > 0) return;
  if (!rested) problems.push(`there is no rest: ${whyNot(stage)}`);
  problems.push(...checkFinal(chronicle, wishes, cloud.held));
  for (const { name, stoppedAt, ended } of fleet.alive()) {
    if (stoppedAt !== undefined && !ended) problems.push(`${name} does not end`);
  }
  if (problems.length > 0) return;
  trace.note('', 'all is as it should be; the watches end, and time passes');
  const { acts } = counts;
  stage.dropWatches();
  await scheduler.advance(setting.mode === 'alone' ? 1_800_000 : 60_000);
  requireOneOwner(stage);
  if (counts.acts > acts) problems.push(`${counts.acts - acts} writes and calls where nothing had changed`);
}

/** Failures are tried again after five minutes at most, and a connection that died without a word is given up after ten and a half. */
const patience = 2 * 60 * 60_000;
const round = 10_000;

/** How long nothing may happen before all is taken to be at rest: by then all that makes sure of something has done so once more. */
const calmTime = ({ cloudTimeout, orphanSweep, lists }: Setting): number =>
  Math.max(cloudTimeout, lists ? orphanSweep : 0, 100_000) + 30_000;

/** Who is there, and what was done so far. */
const stateOf = ({ fleet, counts, chronicle }: Stage): string =>
  [...fleet.alive().map(({ name }) => name), counts.acts, chronicle.latest(resources.services), chronicle.latest(resources.nodes)].join(
    ' ',
  );

async function untilQuiet(stage: Stage): Promise<boolean> {
  const { setting, scheduler, fleet, problems } = stage;
  const enough = calmTime(setting);
  let quiet = 0;
  for (let left = patience; left > 0 && problems.length === 0; left -= round) {
    // whoever was about to end when the faults did is replaced
    fleet.tend(setting.random, 100);
    const before = stateOf(stage);
    await scheduler.advance(round);
    requireOneOwner(stage);
    quiet = before === stateOf(stage) && whyNot(stage) === undefined ? quiet + round : 0;
    if (quiet >= enough) return true;
  }
  return false;
}

/** What somebody still waits for. */
function whyNot({ fleet, chronicle, counts }: Stage): string | undefined {
  if (counts.underWay > 0) return `${counts.underWay} writes are under way`;
  for (const { name, controller, witness, stoppedAt } of fleet.alive()) {
    if (stoppedAt !== undefined) return `${name} has not ended`;
    if (!controller.ready) return `${name} is not ready`;
    if (!controller.idle) return `${name} is at work`;
    for (const resource of [resources.services, resources.nodes]) {
      const seen = witness.view[resource.plural as keyof typeof witness.view];
      if (seen < chronicle.latest(resource)) return `${name} has not heard of ${resource.plural} of ${chronicle.latest(resource)}`;
    }
  }
  for (const key of chronicle.keys(resources.services)) {
    if (!fleet.alive().some(({ ownership }) => ownership.owns(key))) return `nobody owns ${key}`;
  }
  return undefined;
}
