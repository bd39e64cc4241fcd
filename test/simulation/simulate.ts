import { type ApiServer, createApiServer, createFaults, randomnessFrom } from '../../src/apiserver/index.ts';
import { type ApiObject, type ClientPort, type Clock, resources } from '../../src/port/index.ts';
import { createContent } from './checks/content.ts';
import { checkFinal } from './checks/final.ts';
import { type Chronicle, createChronicle } from './chronicle.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { epoch } from './replica/clock.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { type Setting, settingOf } from './setting.ts';
import { createTrace, type Trace } from './trace.ts';
import { beginWorld, completeNodes, disturb } from './world/deeds.ts';
import { createWorld, everything, namespaces, type World } from './world/world.ts';

/** What a run came to. */
export interface Outcome {
  readonly seed: number;
  /** What the controllers did that they must not, and what they did not do. */
  readonly problems: readonly string[];
  readonly trace: Trace;
  readonly steps: number;
  /** Writes of Endpoints and slices by the controllers. */
  readonly writes: number;
  /** Milliseconds that passed in the simulation. */
  readonly time: number;
}

export interface SimulateOptions {
  /** Spoils the port of the controllers, to prove that this is found out. */
  readonly spoil?: (port: ClientPort) => ClientPort;
}

/** Lets the controllers live through all that one seed decides, and says what was wrong. */
export async function simulate(seed: number, { spoil = (port) => port }: SimulateOptions = {}): Promise<Outcome> {
  const stage = await createStage(settingOf(seed), spoil);
  const { setting, scheduler, trace, problems } = stage;
  try {
    await play(stage);
    if (problems.length === 0) await comeToRest(stage);
  } finally {
    await stage.close();
  }
  return { seed, problems, trace, steps: setting.steps, writes: stage.counts.writes, time: scheduler.time };
}

interface Stage {
  readonly setting: Setting;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly world: World;
  readonly chronicle: Chronicle;
  readonly fleet: Fleet;
  readonly problems: string[];
  /** Writes that were made, and such as are under way. */
  readonly counts: { writes: number; underWay: number };
  /** The uids of what was written when its sender was gone, or not responsible any more. */
  readonly abandoned: Set<string>;
  /** Ends all watches of all replicas. */
  readonly dropWatches: () => void;
  readonly close: () => Promise<void>;
}

async function createStage(setting: Setting, spoil: (port: ClientPort) => ClientPort): Promise<Stage> {
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
  const problems: string[] = [];
  const counts = { writes: 0, underWay: 0 };
  const abandoned = new Set<string>();
  const content = createContent(chronicle, setting);
  const fleet = createFleet({
    setting,
    scheduler,
    serverClock,
    server: gate.port(server.client),
    chronicle,
    content,
    trace,
    wrote() {
      counts.writes += 1;
    },
    underWay(change) {
      counts.underWay += change;
    },
    abandons: ({ metadata }) => void abandoned.add(metadata.uid ?? ''),
    blame(problem) {
      trace.note('', 'WRONG:', problem);
      problems.push(problem);
    },
    spoil,
    most: setting.replicas,
    compact: server.compact,
  });
  const close = async (): Promise<void> => {
    for (const replica of fleet.alive()) replica.kill();
    await chronicle.close();
    await server.close();
  };
  return { setting, scheduler, trace, world, chronicle, fleet, problems, counts, abandoned, dropWatches: () => gate.dropWatches(), close };
}

/** Everything happens, as the seed decides. */
async function play({ setting, scheduler, world, fleet, problems }: Stage): Promise<void> {
  const { random, steps, unrest } = setting;
  const pace = random.pick([20, 200, 1000]);
  fleet.tend(random, 3000);
  for (let step = 0; step < steps && problems.length === 0; step++) {
    if (random.chance(unrest)) fleet.disturb(random);
    else await disturb(world);
    fleet.tend(random, 20_000);
    await scheduler.settle();
    if (!random.chance(0.3)) await scheduler.advance(random.chance(0.03) ? random.below(20_000) : random.below(pace));
    requireOneOwner(fleet, world.chronicle, problems);
  }
}

/** No two processes may take a Service for theirs. One that stands still does nothing of what it believes. */
function requireOneOwner(fleet: Fleet, chronicle: Chronicle, problems: string[]): void {
  const running = fleet.alive().filter(({ life }) => life.state === 'running');
  if (running.length < 2) return;
  for (const key of chronicle.keys(resources.services)) {
    const owners = running.filter(({ ownership }) => ownership.owns(key));
    if (owners.length > 1) problems.push(`${key} is owned by ${owners.map(({ name }) => name).join(' and ')}`);
  }
}

/** Nothing goes wrong any more: all becomes what it should be, and then nothing is written. */
async function comeToRest(stage: Stage): Promise<void> {
  const { setting, scheduler, trace, chronicle, fleet, problems, counts } = stage;
  trace.note('', 'all faults end');
  // as long as pods name nodes that are not there, their Services are tried again, and there is no rest
  await completeNodes(stage.world);
  fleet.calm();
  fleet.tend(setting.random, 3000);
  const rested = await untilQuiet(stage);
  trace.note('', 'all is at rest');
  if (problems.length > 0) return;
  if (!rested) problems.push(`there is no rest: ${whyNot(stage)}`);
  problems.push(...checkFinal(chronicle, setting, stage.abandoned));
  for (const { name, stoppedAt, ended } of fleet.alive()) {
    if (stoppedAt !== undefined && !ended) problems.push(`${name} does not end`);
  }
  if (problems.length > 0) return;
  trace.note('', 'all is as it should be; the watches end, and time passes');
  const { writes } = counts;
  stage.dropWatches();
  await scheduler.advance(setting.mode === 'alone' ? 3_600_000 : 60_000);
  requireOneOwner(fleet, chronicle, problems);
  if (counts.writes > writes) problems.push(`${counts.writes - writes} writes where nothing had changed`);
}

/** A connection that died without a word is given up after ten minutes and a half. */
const patience = 60 * 60_000;
const round = 5000;
/** Together longer than a Lease: a newcomer has to wait for those that are gone. */
const quietRounds = 5;

/** Who is there, and what was written so far. */
const stateOf = ({ fleet, counts, chronicle }: Stage): string =>
  [...fleet.alive().map(({ name }) => name), counts.writes, chronicle.versions.length].join(' ');

async function untilQuiet(stage: Stage): Promise<boolean> {
  const { setting, scheduler, chronicle, fleet, problems } = stage;
  let quiet = 0;
  for (let left = patience; left > 0 && problems.length === 0; left -= round) {
    // whoever was about to end when the faults did is replaced
    fleet.tend(setting.random, 100);
    const before = stateOf(stage);
    await scheduler.advance(round);
    requireOneOwner(fleet, chronicle, problems);
    quiet = before === stateOf(stage) && whyNot(stage) === undefined ? quiet + 1 : 0;
    if (quiet === quietRounds) return true;
  }
  return false;
}

/** What somebody still waits for. */
function whyNot({ fleet, chronicle, counts }: Stage): string | undefined {
  if (counts.underWay > 0) return `${counts.underWay} writes are under way`;
  for (const { name, controllers, witness, stoppedAt } of fleet.alive()) {
    if (stoppedAt !== undefined) return `${name} has not ended`;
    if (!controllers.ready) return `${name} is not ready`;
    if (!controllers.idle) return `${name} is at work`;
    for (const resource of [resources.services, resources.pods, resources.nodes, resources.endpoints, resources.endpointSlices]) {
      const seen = witness.view[resource.plural as keyof typeof witness.view];
      if (seen < chronicle.latest(resource)) return `${name} has not heard of ${resource.plural} of ${chronicle.latest(resource)}`;
    }
  }
  for (const key of chronicle.keys(resources.services)) {
    if (!fleet.alive().some(({ ownership }) => ownership.owns(key))) return `nobody owns ${key}`;
  }
  const going = namespaces.find((name) => chronicle.at(resources.namespaces, name, everything)?.metadata.deletionTimestamp);
  if (going !== undefined) return `namespace ${going} goes; ${counts.writes} writes`;
  const ending = namespaces.flatMap((name) => chronicle.all(resources.pods, name, everything)).find(isEnding);
  return ending && `pod ${ending.metadata.namespace}/${ending.metadata.name} has its grace period`;
}

const isEnding = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
