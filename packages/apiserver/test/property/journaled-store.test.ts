import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { sampledRunCount } from '../../../../test/support/sample.ts';
import { createStore, type Journal, type SavedWrite, type Store } from '../../src/store/index.ts';
import { createClock, flushPromises } from '../store/support.ts';
import { createModel, formatObject, type Model, type Scope } from './store-model.ts';
import { createPageReader, createWatchReader, type WatchStart } from './store-reader.ts';

const { pods } = resources;
const names = ['a', 'b', 'c'] as const;
const namespaces = ['x', 'x-y'] as const;
const labels = fc.constantFrom<Readonly<Record<string, string>>>({}, { app: 'web' }, { app: 'db' });
const write = fc.record({
  action: fc.constantFrom<'delete' | 'put'>('put', 'put', 'delete'),
  namespace: fc.constantFrom(...namespaces),
  name: fc.constantFrom(...names),
  labels,
});
const readerIndex = fc.nat({ max: 2 });
const steps = fc.oneof(
  { weight: 30, arbitrary: write },
  { weight: 20, arbitrary: fc.record({ action: fc.constant('save' as const), succeeds: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('transaction' as const), writes: fc.array(write, { maxLength: 3 }) }) },
  { weight: 18, arbitrary: fc.record({ action: fc.constant('read' as const), readerIndex, maxReads: fc.constantFrom(1, 2, 100) }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('resume' as const), readerIndex }) },
  { weight: 6, arbitrary: fc.record({ action: fc.constant('page' as const), readerIndex, limit: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('compact' as const), age: fc.nat({ max: 5 }) }) },
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const scopes: readonly Scope[] = [{}, { labelSelector: 'app=web' }, { namespace: 'x' }];
const watchStarts = fc.tuple(...scopes.map(() => fc.constantFrom<WatchStart>('list', 'zero', 'unset', 'initial', 'now')));

it('a store with a journal shows the saved writes only, and undoes refused ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 60 }), watchStarts, fc.constantFrom(3, 1000), async (sequence, starts, maxEvents) => {
      const saving = createSaving();
      const store = createStore({ clock: createClock(), maxEvents, journal: saving.journal });
      const model = createModel(store.revision);
      const watchers = scopes.map((scope, index) => createWatchReader(store, model, scope, starts[index] as WatchStart));
      const pagers = scopes.map((scope) => createPageReader(store, model, scope));
      const execute = async (step: Step): Promise<void> => {
        if (step.action === 'put' || step.action === 'delete') writeToStore(step, store);
        else if (step.action === 'save') await finishSave(step.succeeds, saving, store, model);
        else if (step.action === 'transaction') failTransaction(step.writes, store);
        else if (step.action === 'read') await watchers[step.readerIndex]?.read(step.maxReads);
        else if (step.action === 'resume') watchers[step.readerIndex]?.resume();
        else if (step.action === 'page') pagers[step.readerIndex]?.read(step.limit);
        else if (step.action === 'compact') store.compact(store.revision - step.age);
        expectPublished(store, model);
      };
      for (const step of sequence) await execute(step);
      for (const watcher of watchers) await watcher.read(200);
    }),
    { numRuns: sampledRunCount(1000) },
  );
});

interface Saving {
  readonly journal: Journal;
  current: { readonly writes: readonly SavedWrite[]; resolve(): void; reject(error: Error): void } | undefined;
}

function createSaving(): Saving {
  const saving: Saving = {
    current: undefined,
    journal: {
      save(writes) {
        const { promise, ...settle } = Promise.withResolvers<void>();
        saving.current = { writes, ...settle };
        return promise;
      },
    },
  };
  return saving;
}

async function finishSave(succeeds: boolean, saving: Saving, store: Store, model: Model): Promise<void> {
  await flushPromises();
  const { current } = saving;
  if (!current) return;
  saving.current = undefined;
  if (succeeds) {
    for (const { key, revision, object } of current.writes) {
      const [namespace = '', name = ''] = key.split('/');
      expect(revision).toBe(model.revision + 1);
      if (object) model.put(namespace, name, object.metadata.labels ?? {});
      else model.remove(namespace, name);
    }
    current.resolve();
    await flushPromises();
    return;
  }
  current.reject(new Error('refused'));
  await flushPromises();
  expectUndone(store);
}

/** After a refused save the newest state of every object is the published one. */
function expectUndone(store: Store): void {
  for (const namespace of namespaces) {
    for (const name of names) {
      const published = store.list(pods).items.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
      expect(store.find(pods, { namespace, name })).toBe(published);
    }
  }
}

function expectPublished(store: Store, model: Model): void {
  expect(store.revision).toBe(model.revision);
  const expected = model.stateAt(model.revision, {});
  expect(store.list(pods).items.map(formatObject)).toStrictEqual(expected);
  expect([...store.capture().objects].map(({ object }) => formatObject(object as never)).sort()).toStrictEqual([...expected].sort());
  for (const { metadata } of store.list(pods).items) {
    const { namespace = '', name = '' } = metadata;
    expect(store.get(pods, { namespace, name }).metadata).toBe(metadata);
  }
}

function writeToStore({ action, namespace, name, labels: newLabels }: Write, store: Store): void {
  const key = { namespace, name };
  if (action === 'delete') {
    if (store.find(pods, key)) store.delete(pods, key);
  } else if (store.find(pods, key)) {
    store.update(pods, key, ({ metadata }) => ({ metadata: { ...metadata, labels: newLabels } }));
  } else {
    store.create(pods, key, { metadata: { ...key, labels: newLabels } });
  }
}

function failTransaction(writes: readonly Write[], store: Store): void {
  const steps = (): never => {
    for (const each of writes) writeToStore(each, store);
    throw new Error('undo');
  };
  expect(() => store.transaction(steps)).toThrow('undo');
}
