import { hasReason, resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { sampledRunCount } from '../../../../test/support/sample.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { createClock, type ManualClock } from '../store/support.ts';
import { createModel, formatObject, type Model, type Scope } from './store-model.ts';
import { createPageReader, createWatchReader, type WatchStart } from './store-reader.ts';

const { pods } = resources;
const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const namespaces = fc.constantFrom('x', 'x-y', 'z');
const labels = fc.constantFrom<Readonly<Record<string, string>>>({}, { app: 'web' }, { app: 'db' }, { app: 'web', tier: '1' });
const target = { namespace: namespaces, name: names };
const write = fc.oneof(
  fc.record({ action: fc.constant('put' as const), ...target, labels }),
  fc.record({ action: fc.constant('delete' as const), ...target }),
);
const readerIndex = fc.nat({ max: 4 });
const steps = fc.oneof(
  { weight: 30, arbitrary: write },
  {
    weight: 3,
    arbitrary: fc.record({ action: fc.constant('transaction' as const), writes: fc.array(write, { maxLength: 5 }), fails: fc.boolean() }),
  },
  { weight: 18, arbitrary: fc.record({ action: fc.constant('read' as const), readerIndex, maxReads: fc.constantFrom(1, 2, 100) }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('resume' as const), readerIndex }) },
  { weight: 6, arbitrary: fc.record({ action: fc.constant('page' as const), readerIndex, limit: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('pass' as const), seconds: fc.constantFrom(1, 60, 299) }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('compact' as const), age: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('drop' as const) }) },
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const scopes: readonly Scope[] = [
  {},
  { labelSelector: 'app=web' },
  { namespace: 'x' },
  { namespace: 'x-y', labelSelector: '!tier' },
  { labelSelector: 'app in (db,web),tier' },
];
const watchStarts = fc.tuple(...scopes.map(() => fc.constantFrom<WatchStart>('list', 'zero', 'unset', 'initial', 'now')));

it('the store agrees with a sequential model for slow readers, compaction and dropped watches', async () => {
  const logLimits = fc.constantFrom(3, 10, 1000);
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 60 }), watchStarts, logLimits, async (sequence, starts, maxEvents) => {
      const clock = createClock();
      const store = createStore({ clock, maxEvents });
      const model = createModel(store.revision);
      const watchers = scopes.map((scope, index) => createWatchReader(store, model, scope, starts[index] as WatchStart));
      const pagers = scopes.map((scope) => createPageReader(store, model, scope));
      const harness = { store, model, clock, watchers, pagers };
      for (const step of sequence) await executeStep(step, harness);
      for (const watcher of watchers) await watcher.read(200);
      expect(store.list(pods).items.map(formatObject)).toEqual(model.stateAt(model.revision, {}));
      expect(store.stats().events).toBeLessThanOrEqual(maxEvents);
    }),
    { numRuns: sampledRunCount(1000) },
  );
});

interface Harness {
  readonly store: Store;
  readonly model: Model;
  readonly clock: ManualClock;
  readonly watchers: readonly ReturnType<typeof createWatchReader>[];
  readonly pagers: readonly ReturnType<typeof createPageReader>[];
}

async function executeStep(step: Step, { store, model, clock, watchers, pagers }: Harness): Promise<void> {
  if (step.action === 'put' || step.action === 'delete') writeToStoreAndModel(step, store, model);
  else if (step.action === 'transaction') runTransaction(step.writes, step.fails, store, model);
  else if (step.action === 'read') await watchers[step.readerIndex]?.read(step.maxReads);
  else if (step.action === 'resume') watchers[step.readerIndex]?.resume();
  else if (step.action === 'page') pagers[step.readerIndex]?.read(step.limit);
  else if (step.action === 'pass') clock.advance(step.seconds * 1000);
  else if (step.action === 'compact') store.compact(store.revision - step.age);
  else store.dropWatches();
  expect(store.revision).toBe(model.revision);
}

function writeToStoreAndModel(step: Write, store: Store, model: Model): void {
  const { namespace, name } = step;
  const key = { namespace, name };
  if (!model.has(namespace, name)) {
    if (step.action === 'delete') expect(() => store.delete(pods, key)).toThrow('not found');
    else {
      store.create(pods, key, { metadata: { ...key, labels: step.labels } });
      model.put(namespace, name, step.labels);
    }
  } else if (step.action === 'delete') {
    store.delete(pods, key);
    model.remove(namespace, name);
  } else {
    const before = store.revision;
    store.update(pods, key, ({ metadata }) => ({ metadata: { ...metadata, labels: step.labels } }));
    if (store.revision > before) model.put(namespace, name, step.labels);
  }
}

/** Writes to the store in a transaction, and to the model. The model is not written if the transaction fails. */
function runTransaction(writes: readonly Write[], fails: boolean, store: Store, model: Model): void {
  const before = store.list(pods);
  if (fails) {
    const steps = (): never => {
      for (const { namespace, name, action } of writes) tryWriteToStore(store, namespace, name, action);
      throw new Error('undo');
    };
    expect(() => store.transaction(steps)).toThrow('undo');
    expect(store.list(pods)).toEqual(before);
  } else {
    store.transaction(() => {
      for (const each of writes) writeToStoreAndModel(each, store, model);
    });
  }
}

function tryWriteToStore(store: Store, namespace: string, name: string, action: Write['action']): void {
  const key = { namespace, name };
  try {
    if (action === 'delete') store.delete(pods, key);
    else store.create(pods, key, { metadata: key });
  } catch (error) {
    if (!hasReason(error, 'NotFound', 'AlreadyExists')) throw error;
  }
}
