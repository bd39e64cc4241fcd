import { hasReason, resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { runs } from '../../../../test/support/sample.ts';
import { createStore, type Store } from '../../src/store/index.ts';
import { createClock, type ManualClock } from '../store/support.ts';
import { createModel, describe, type Model, type Scope } from './store-model.ts';
import { type Beginning, createPageReader, createWatchReader } from './store-reader.ts';

const { pods } = resources;
const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const namespaces = fc.constantFrom('x', 'x-y', 'z');
const labels = fc.constantFrom<Readonly<Record<string, string>>>({}, { app: 'web' }, { app: 'db' }, { app: 'web', tier: '1' });
const target = { namespace: namespaces, name: names };
const write = fc.oneof(
  fc.record({ act: fc.constant('put' as const), ...target, labels }),
  fc.record({ act: fc.constant('delete' as const), ...target }),
);
const who = fc.nat({ max: 4 });
const steps = fc.oneof(
  { weight: 30, arbitrary: write },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('transaction' as const), writes: fc.array(write, { maxLength: 5 }), fails: fc.boolean() }),
  },
  { weight: 18, arbitrary: fc.record({ act: fc.constant('read' as const), who, most: fc.constantFrom(1, 2, 100) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('resume' as const), who }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('page' as const), who, limit: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('pass' as const), seconds: fc.constantFrom(1, 60, 299) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('compact' as const), back: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('drop' as const) }) },
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
const beginnings = fc.tuple(...scopes.map(() => fc.constantFrom<Beginning>('list', 'zero', 'unset', 'initial', 'now')));

it('the store agrees with a sequential model for slow readers, compaction and dropped watches', async () => {
  const maxEvents = fc.constantFrom(3, 10, 1000);
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 60 }), beginnings, maxEvents, async (sequence, begins, most) => {
      const clock = createClock();
      const store = createStore({ clock, maxEvents: most });
      const model = createModel(store.revision);
      const watchers = scopes.map((scope, index) => createWatchReader(store, model, scope, begins[index] as Beginning));
      const pagers = scopes.map((scope) => createPageReader(store, model, scope));
      const harness = { store, model, clock, watchers, pagers };
      for (const step of sequence) await take(step, harness);
      for (const watcher of watchers) await watcher.read(200);
      expect(store.list(pods).items.map(describe)).toEqual(model.at(model.revision, {}));
      expect(store.stats().events).toBeLessThanOrEqual(most);
    }),
    { numRuns: runs(1000) },
  );
});

interface Harness {
  readonly store: Store;
  readonly model: Model;
  readonly clock: ManualClock;
  readonly watchers: readonly ReturnType<typeof createWatchReader>[];
  readonly pagers: readonly ReturnType<typeof createPageReader>[];
}

async function take(step: Step, { store, model, clock, watchers, pagers }: Harness): Promise<void> {
  if (step.act === 'put' || step.act === 'delete') writeToStoreAndModel(step, store, model);
  else if (step.act === 'transaction') runTransaction(step.writes, step.fails, store, model);
  else if (step.act === 'read') await watchers[step.who]?.read(step.most);
  else if (step.act === 'resume') watchers[step.who]?.resume();
  else if (step.act === 'page') pagers[step.who]?.read(step.limit);
  else if (step.act === 'pass') clock.advance(step.seconds * 1000);
  else if (step.act === 'compact') store.compact(store.revision - step.back);
  else store.dropWatches();
  expect(store.revision).toBe(model.revision);
}

function writeToStoreAndModel(step: Write, store: Store, model: Model): void {
  const { namespace, name } = step;
  const key = { namespace, name };
  if (!model.has(namespace, name)) {
    if (step.act === 'delete') expect(() => store.delete(pods, key)).toThrow('not found');
    else {
      store.create(pods, key, { metadata: { ...key, labels: step.labels } });
      model.put(namespace, name, step.labels);
    }
  } else if (step.act === 'delete') {
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
      for (const { namespace, name, act } of writes) tryWriteToStore(store, namespace, name, act);
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

function tryWriteToStore(store: Store, namespace: string, name: string, act: Write['act']): void {
  const key = { namespace, name };
  try {
    if (act === 'delete') store.delete(pods, key);
    else store.create(pods, key, { metadata: key });
  } catch (error) {
    if (!hasReason(error, 'NotFound', 'AlreadyExists')) throw error;
  }
}
