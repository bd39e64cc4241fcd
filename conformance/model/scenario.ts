import { type Auditor, createAuditor } from './auditor.ts';
import { disturb } from './chaos.ts';
import { checkGet, checkList } from './check-reads.ts';
import { checkWatch, formatWatch } from './check-watch.ts';
import { checkWrites } from './check-writes.ts';
import { createHistory, type History } from './history.ts';
import { type PlayKind, playKinds, versionOf } from './kinds.ts';
import { createRandom, type Random } from './random.ts';
import { read } from './reader.ts';
import { createRecords, type Records } from './record.ts';
import type { MakeSubject, Subject } from './subject.ts';
import { createWatcher, type Watcher } from './watcher.ts';
import { createWorld, type World } from './world.ts';
import { write } from './writer.ts';

/** The result of a run. */
export interface Outcome {
  /** Behavior that no sequential server could show. */
  readonly problems: readonly string[];
  readonly writes: number;
  readonly events: number;
  readonly watches: number;
}

/** Runs many random clients at once against a server, and compares the answers with a sequential model. */
export async function play(make: MakeSubject, seed: number): Promise<Outcome> {
  const random = createRandom(seed);
  const subject = await make(random.fork().below);
  try {
    const kinds = someOf(playKinds, random);
    const { metadata } = await subject.port.list((kinds[0] as PlayKind).resource);
    const first = Number(metadata.resourceVersion);
    const world = createWorld(subject, kinds, createRecords(), first);
    const auditors = kinds.map((kind) => createAuditor(subject, kind, first));
    const watchers = createWatchers(world, random);
    await Promise.all([
      ...Array.from({ length: 2 + random.below(4) }, () => write(world, random.fork(), 50)),
      ...Array.from({ length: 1 + random.below(2) }, () => read(world, random.fork(), 20)),
      disturb(world, auditors, random.fork(), 1 + random.below(6)),
    ]);
    for (const watcher of watchers) watcher.readFast();
    const problems = await verify(world, auditors, watchers);
    const { writes, watches } = world.records;
    return {
      problems,
      writes: writes.length,
      watches: watches.length,
      events: watches.reduce((sum, { events }) => sum + events.length, 0),
    };
  } finally {
    await subject.close?.();
  }
}

/** At least one item: the fewer there are, the more often clients conflict. */
function someOf<T>(list: readonly T[], random: Random): readonly T[] {
  const start = random.below(list.length);
  return [...list.slice(start), ...list.slice(0, start)].slice(0, 1 + random.below(list.length));
}

function createWatchers(world: World, random: Random): Watcher[] {
  return Array.from({ length: 4 + random.below(5) }, () => {
    const kind = random.pick(world.kinds);
    return createWatcher(world, kind, random.pick(kind.scopes), random.fork());
  });
}

async function verify(world: World, auditors: readonly Auditor[], watchers: readonly Watcher[]): Promise<string[]> {
  const { subject, records } = world;
  await until(subject, () => isHistoryComplete(records, auditors));
  const problems: string[] = [];
  const histories = new Map(
    auditors.map(({ kind, events }) => [kind.resource.plural, createHistory(events, (text) => problems.push(text))]),
  );
  const historyOf = ({ plural }: { readonly plural: string }): History => histories.get(plural) as History;
  const isUpToDate = ({ current }: Watcher): boolean =>
    current !== undefined && current.state === 'open' && checkWatch(current, historyOf(current.kind.resource)).complete;
  await until(subject, () => watchers.every(isUpToDate));
  const late = watchers
    .flatMap(({ current }) => (current ? [current] : []))
    .filter((record) => {
      const { complete, problem } = checkWatch(record, historyOf(record.kind.resource));
      return !complete && !problem;
    });
  problems.push(...late.map((record) => `${formatWatch(record)}: ${record.events.length} events, and the missing ones did not arrive`));
  for (const each of [...watchers, ...auditors]) await each.stop();
  return [...records.problems, ...problems, ...checkAll(records, histories)];
}

function checkAll(records: Records, histories: ReadonlyMap<string, History>): string[] {
  const found: (string | undefined)[] = [];
  for (const [plural, history] of histories) {
    const of = ({ resource }: { readonly resource: { readonly plural: string } }): boolean => resource.plural === plural;
    found.push(...checkWrites(records.writes.filter(of), records.sweeps.filter(of), history));
    found.push(...records.gets.filter(of).map((record) => checkGet(record, history)));
    found.push(...records.lists.filter(({ kind }) => of(kind)).map((record) => checkList(record, history)));
    found.push(...records.watches.filter(({ kind }) => of(kind)).map((record) => checkWatch(record, history).problem));
  }
  return found.filter((problem) => problem !== undefined);
}

/** Whether the auditors have received the newest write of each resource and every deletion. */
function isHistoryComplete({ writes }: Records, auditors: readonly Auditor[]): boolean {
  return auditors.every(({ kind, events }) => {
    const versions = new Set(events.map(({ object }) => versionOf(object)));
    const gone = new Set(events.filter(({ type }) => type === 'DELETED').map(({ object }) => object.metadata.uid));
    return writes.every(({ resource, outcome, intent }) => {
      if (resource.plural !== kind.resource.plural || !('object' in outcome)) return true;
      return intent.verb === 'delete' ? gone.has(outcome.object.metadata.uid) : versions.has(versionOf(outcome.object));
    });
  });
}

/** Events that do not arrive in this number of turns count as missing. */
const turns = 400;

async function until({ settle }: Subject, isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < turns && !isDone(); turn++) await settle();
}
