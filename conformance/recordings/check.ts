import { checkSimulation } from '@kube-endpoints/simulator';
import {
  createRandomChoice,
  createScenario,
  describeService,
  type EmptyPeriod,
  type History,
  type ObjectVersion,
  readRecording,
} from '@kube-endpoints/simulator/internal';
import { deepEqual } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { writeAuditLog } from './audit-log.ts';
import { addManagedFields, dumpTimes, objectsAt, writeDumps, writeStreams } from './streams.ts';
import { type TrueWrite, trueWrites } from './truth.ts';
import { runWorld, service, type World } from './world.ts';

/** Compares the histories of a simulated cluster with what happened in it, and returns the differences; empty if there are none. */
export async function checkSeed(seed: number): Promise<string[]> {
  const world = runWorld(seed);
  const writes = trueWrites(world.cluster);
  const checks = { 'audit log': checkAuditLog, 'watch stream': checkStreams, 'plain stream': checkPlainStreams, dumps: checkDumps };
  const problems: string[] = [];
  for (const [name, check] of Object.entries(checks))
    for (const problem of await check(world, writes)) problems.push(`seed ${seed}, ${world.fault.name}, ${name}: ${problem}`);
  return problems;
}

const createSources = (files: Iterable<readonly [string, string]>) =>
  [...files].map(([name, text]) => ({
    name,
    async *read() {
      // Chunks that end within objects.
      for (let i = 0; i < text.length; i += 50_021) yield text.slice(i, i + 50_021);
    },
  }));

async function checkAuditLog(world: World, writes: readonly TrueWrite[]): Promise<string[]> {
  const choose = createRandomChoice(world.seed);
  const draw = (bound: number): number => choose({ name: 'sync', actor: 'log' }, { min: 0, max: bound - 1 });
  const history = await readRecording(createSources([['audit.log', writeAuditLog(writes, draw)]]));
  return [...compareVersions(history, writes), ...findFault(world, history)];
}

/** The versions of an audit log must be the writes, with their times and writers. */
function compareVersions({ versions }: History, writes: readonly TrueWrite[]): string[] {
  if (versions.length !== writes.length) return [`${versions.length} versions instead of ${writes.length}`];
  return versions.flatMap((version, i) => {
    const write = writes[i] as TrueWrite;
    const [found, wanted] = [describeVersion(version), describeWrite(write, version)];
    return deepEqual(found, wanted) ? [] : [`version ${i}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];
  });
}

const describeVersion = ({ change, object, time, writer, isDerived, kind }: ObjectVersion): object => ({
  ...{ change, kind, at: time.latest, isAfterRequest: time.earliest <= time.latest, actor: writer?.component },
  object: comparable(object, isDerived),
});

const describeWrite = ({ change, object, at, actor }: TrueWrite, { isDerived }: ObjectVersion): object => ({
  ...{ change, kind: object.kind, at, isAfterRequest: true, actor },
  object: comparable(object, isDerived),
});

/** The resourceVersion of a state that no response shows is unknown. */
function comparable(object: ApiObject | undefined, isDerived: boolean): unknown {
  if (!object || !isDerived) return object;
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The first empty period after the fault must name it, and its scenario must drop requests, too. */
function findFault({ fault, faultAt }: World, history: History): string[] {
  const { emptyPeriods } = describeService(history, service);
  const period = emptyPeriods.find(({ from, isFirst }: EmptyPeriod) => !isFirst && from.latest >= faultAt);
  if (!period) return ['no empty period'];
  const problem = fault.problemOf(period);
  return [...(problem === undefined ? [] : [problem]), ...repeat(history)];
}

function repeat(history: History): string[] {
  const { scenario, notRepeated } = createScenario(history, service);
  if (notRepeated.length > 0) return [`the scenario does not repeat ${notRepeated.length} of the times without a ready address`];
  const { verdict } = checkSimulation({ ...scenario, seeds: 1, searchesFix: false });
  return verdict === 'drops' ? [] : [`the scenario of the recording is ${verdict}`];
}

const checkStreams = (world: World, writes: readonly TrueWrite[]): Promise<string[]> => checkStream(world, writes, true);
const checkPlainStreams = (world: World, writes: readonly TrueWrite[]): Promise<string[]> => checkStream(world, writes, false);

async function checkStream(world: World, writes: readonly TrueWrite[], hasEvents: boolean): Promise<string[]> {
  const managed = addManagedFields(writes);
  const from = world.start + 30_000;
  const history = await readRecording(createSources(writeStreams(managed, from, hasEvents)));
  const initial = objectsAt(managed, from).length;
  const later = writes.filter(({ at }) => at > from);
  const problems =
    history.versions.length === initial + later.length ? [] : [`${history.versions.length} versions instead of ${initial + later.length}`];
  const complete = await readRecording(createSources([['audit.log', writeAuditLog(writes, () => 0)]]));
  const times = [from, ...later.map(({ at }) => at)];
  return [...problems, ...compareTimes(history, writes), ...compareReadyAddresses(history, complete, times), ...findFault(world, history)];
}

/** Each version must be a write, in the order of the writes, and its time must be within the bounds. */
function compareTimes({ versions }: History, writes: readonly TrueWrite[]): string[] {
  const byVersion = new Map(writes.map((write, index) => [write.object.metadata.resourceVersion, { write, index }]));
  let lastIndex = -1;
  return versions.flatMap((version): string[] => {
    const found = byVersion.get(version.resourceVersion);
    if (!found) return version.change === 'delete' ? [] : [`version ${version.id} is no write`];
    const { write, index } = found;
    const problems: string[] = [];
    if (index <= lastIndex) problems.push(`version ${version.id} is out of order`);
    lastIndex = index;
    if (!isWithin(version, write.at)) problems.push(`${describe(version)}: ${write.at} is not within ${JSON.stringify(version.time)}`);
    if ((version.change === 'delete') !== (write.change === 'delete'))
      problems.push(`${describe(version)}: ${write.change} became ${version.change}`);
    if (!deepEqual(version.object, write.object)) problems.push(`${describe(version)}: another object`);
    return problems;
  });
}

const describe = ({ id, kind, name }: ObjectVersion): string => `version ${id} of ${kind} ${name}`;

const isWithin = ({ time }: ObjectVersion, at: number): boolean => time.earliest <= at && at <= time.latest;

async function checkDumps(world: World, writes: readonly TrueWrite[]): Promise<string[]> {
  const managed = addManagedFields(writes);
  const times = dumpTimes(world.start + 30_000, world.cluster.clock.now(), 5);
  const history = await readRecording(createSources(writeDumps(managed, times)));
  const complete = await readRecording(createSources([['audit.log', writeAuditLog(writes, () => 0)]]));
  return [...compareTimes(history, writes), ...compareDeletions(history, writes), ...compareReadyAddresses(history, complete, times)];
}

/** Each deletion that dumps show must be a write, within the bounds. */
const compareDeletions = ({ versions }: History, writes: readonly TrueWrite[]): string[] =>
  versions
    .filter(({ change }) => change === 'delete')
    .filter(
      (version) =>
        !writes.some(
          ({ change, object, at }) => change === 'delete' && object.metadata.uid === version.object?.metadata.uid && isWithin(version, at),
        ),
    )
    .map((version) => `${describe(version)}: the deletion is not within ${JSON.stringify(version.time)}`);

/** The numbers of ready addresses over time must be those of the complete history at these times. */
function compareReadyAddresses(dumped: History, complete: History, times: readonly number[]): string[] {
  const [found = [], steps = []] = [dumped, complete].map((history) => describeService(history, service).steps);
  const wanted = times.map((time) => steps.findLast((step) => step.time.latest <= time)?.ready);
  const [foundText, wantedText] = [found.map(({ ready }) => ready), wanted].map((numbers) => withoutRepetition(numbers).join(' '));
  return foundText === wantedText ? [] : [`the ready addresses are ${foundText} instead of ${wantedText}`];
}

const withoutRepetition = (numbers: readonly (number | undefined)[]): (number | undefined)[] =>
  numbers.filter((number, i) => i === 0 || number !== numbers[i - 1]);
