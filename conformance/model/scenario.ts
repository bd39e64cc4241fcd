import { type Auditor, createAuditor } from './auditor.ts';
import { disturb } from './chaos.ts';
import { checkGet, checkList } from './check-reads.ts';
import { checkWatch, formatWatch } from './check-watch.ts';
import { checkWrites } from './check-writes.ts';
import { createHistory, type History } from './history.ts';
import { type TestedKind, testedKinds, versionOf } from './kinds.ts';
import { createRandom, type Random } from './random.ts';
import { read } from './reader.ts';
import { createRecords, type Records } from './record.ts';
import { createRunContext, type RunContext } from './run-context.ts';
import type { Subject, SubjectFactory } from './subject.ts';
import { createWatcher, type Watcher } from './watcher.ts';
import { write } from './writer.ts';

/** The result of a scenario. */
export interface ScenarioResult {
  /** Behavior that no sequential server could show. */
  readonly problems: readonly string[];
  readonly writes: number;
  readonly events: number;
  readonly watches: number;
}

const writesPerClient = 50;
const readsPerClient = 20;

/** Runs many random clients concurrently against a server and compares the answers with a sequential model. Deterministic for a seed. */
export async function runScenario(createSubject: SubjectFactory, seed: number): Promise<ScenarioResult> {
  const random = createRandom(seed);
  const subject = await createSubject(random.fork().below);
  try {
    const kinds = pickSome(testedKinds, random);
    const { metadata } = await subject.port.list((kinds[0] as TestedKind).resource);
    const firstVersion = Number(metadata.resourceVersion);
    const context = createRunContext(subject, kinds, createRecords(), firstVersion);
    const auditors = kinds.map((kind) => createAuditor(subject, kind, firstVersion));
    const watchers = createWatchers(context, random);
    await Promise.all([
      ...Array.from({ length: 2 + random.below(4) }, () => write(context, random.fork(), writesPerClient)),
      ...Array.from({ length: 1 + random.below(2) }, () => read(context, random.fork(), readsPerClient)),
      disturb(context, auditors, random.fork(), 1 + random.below(6)),
    ]);
    for (const watcher of watchers) watcher.readFast();
    const problems = await verify(context, auditors, watchers);
    const { writes, watches } = context.records;
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

/** Picks at least one item. The fewer items, the more often clients conflict. */
function pickSome<T>(list: readonly T[], random: Random): readonly T[] {
  const start = random.below(list.length);
  return [...list.slice(start), ...list.slice(0, start)].slice(0, 1 + random.below(list.length));
}

function createWatchers(context: RunContext, random: Random): Watcher[] {
  return Array.from({ length: 4 + random.below(5) }, () => {
    const kind = random.pick(context.kinds);
    return createWatcher(context, kind, random.pick(kind.scopes), random.fork());
  });
}

async function verify(context: RunContext, auditors: readonly Auditor[], watchers: readonly Watcher[]): Promise<string[]> {
  const { subject, records } = context;
  await waitUntil(subject, () => isHistoryComplete(records, auditors));
  const problems: string[] = [];
  const histories = new Map(
    auditors.map(({ kind, events }) => [kind.resource.plural, createHistory(events, (text) => problems.push(text))]),
  );
  const historyOf = ({ plural }: { readonly plural: string }): History => histories.get(plural) as History;
  const isUpToDate = ({ current }: Watcher): boolean =>
    current !== undefined && current.state === 'open' && checkWatch(current, historyOf(current.kind.resource)).isComplete;
  await waitUntil(subject, () => watchers.every(isUpToDate));
  const lateRecords = watchers
    .flatMap(({ current }) => (current ? [current] : []))
    .filter((record) => {
      const { isComplete, problem } = checkWatch(record, historyOf(record.kind.resource));
      return !isComplete && !problem;
    });
  problems.push(
    ...lateRecords.map((record) => `${formatWatch(record)}: ${record.events.length} events, and the missing ones did not arrive`),
  );
  for (const each of [...watchers, ...auditors]) await each.stop();
  return [...records.problems, ...problems, ...checkAll(records, histories)];
}

function checkAll(records: Records, histories: ReadonlyMap<string, History>): string[] {
  const problems: (string | undefined)[] = [];
  for (const [plural, history] of histories) {
    const isOfResource = ({ resource }: { readonly resource: { readonly plural: string } }): boolean => resource.plural === plural;
    problems.push(...checkWrites(records.writes.filter(isOfResource), records.deleteCollections.filter(isOfResource), history));
    problems.push(...records.gets.filter(isOfResource).map((record) => checkGet(record, history)));
    problems.push(...records.lists.filter(({ kind }) => isOfResource(kind)).map((record) => checkList(record, history)));
    problems.push(...records.watches.filter(({ kind }) => isOfResource(kind)).map((record) => checkWatch(record, history).problem));
  }
  return problems.filter((problem) => problem !== undefined);
}

/** True if the auditors have received all successful writes. */
function isHistoryComplete({ writes }: Records, auditors: readonly Auditor[]): boolean {
  return auditors.every(({ kind, events }) => {
    const versions = new Set(events.map(({ object }) => versionOf(object)));
    const deletedUids = new Set(events.filter(({ type }) => type === 'DELETED').map(({ object }) => object.metadata.uid));
    return writes.every(({ resource, outcome, intent }) => {
      if (resource.plural !== kind.resource.plural || !('object' in outcome)) return true;
      return intent.verb === 'delete' ? deletedUids.has(outcome.object.metadata.uid) : versions.has(versionOf(outcome.object));
    });
  });
}

/** Events that do not arrive within this number of `settle` calls count as missing. */
const maxSettles = 400;

async function waitUntil({ settle }: Subject, isDone: () => boolean): Promise<void> {
  for (let i = 0; i < maxSettles && !isDone(); i++) await settle();
}
