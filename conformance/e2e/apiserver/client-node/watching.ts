import assert from 'node:assert/strict';
import { CoreV1Api, type KubeConfig, makeInformer, type V1ConfigMap, type V1ConfigMapList, Watch } from '@kubernetes/client-node';
import type { DroppingProxy } from '../target/dropping-proxy.ts';
import { type Check, createJournal, type Journal } from './check.ts';

const NAMESPACE = 'client-node-watch';
const PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

/** Tests watches and informers, including cut connections. `config` connects through `proxy`. */
export function createWatchChecks(config: KubeConfig, proxy: DroppingProxy): Check[] {
  const writer = createWriter(config.makeApiClient(CoreV1Api));
  return [
    { title: 'creates a namespace to watch', run: () => writer.createNamespace() },
    { title: 'watches additions, changes and deletions', run: () => checkWatchEvents(config, writer) },
    { title: 'ends a watch after its timeoutSeconds', run: () => checkWatchTimeout(config) },
    { title: 'keeps an informer up to date, also after connections are cut', run: () => checkInformerReconnects(config, proxy, writer) },
  ];
}

async function checkWatchEvents(config: KubeConfig, writer: Writer): Promise<void> {
  const journal = createJournal<string>();
  const { metadata } = await writer.list();
  const watchController = await new Watch(config).watch(
    PATH,
    { resourceVersion: metadata?.resourceVersion, fieldSelector: 'metadata.name!=kube-root-ca.crt' },
    createRecorder(journal),
    () => {},
  );
  await writer.create('w');
  await writer.update('w', '1');
  await writer.remove('w');
  await journal.waitFor(({ length }) => length >= 3);
  watchController.abort();
  assert.deepEqual(journal.entries, ['ADDED w 0', 'MODIFIED w 1', 'DELETED w 1']);
}

async function checkWatchTimeout(config: KubeConfig): Promise<void> {
  const endJournal = createJournal<unknown>();
  await new Watch(config).watch(PATH, { timeoutSeconds: 1 }, () => {}, endJournal.add);
  await endJournal.waitFor(({ length }) => length > 0);
  assert.equal(endJournal.entries[0] ?? undefined, undefined);
}

async function checkInformerReconnects(config: KubeConfig, proxy: DroppingProxy, writer: Writer): Promise<void> {
  await writer.create('a', { informed: 'yes' });
  const informer = makeInformer<V1ConfigMap>(config, PATH, () => writer.list('informed'), 'informed');
  const journal = createJournal<string>();
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, ({ metadata, data }) => journal.add(`${verb} ${metadata?.name} ${data?.['n']}`));
  }
  informer.on('error', () => journal.add('error'));
  await informer.start();
  await writer.create('b', { informed: 'yes' });
  await writer.update('a', '1');
  await journal.waitFor(({ length }) => length >= 3);
  proxy.drop();
  await journal.waitFor((entries) => entries.includes('error'));
  await writer.update('b', '2');
  await writer.remove('a');
  await writer.create('c', { informed: 'no' });
  await informer.start();
  await journal.waitFor(({ length }) => length >= 7);
  await informer.stop();
  assert.deepEqual(journal.entries, ['add a 0', 'add b 0', 'update a 1', 'error', 'update b 2', 'delete a 1', 'add c 0']);
  assert.deepEqual(
    informer.list(NAMESPACE).map(({ metadata }) => metadata?.name),
    ['b', 'c'],
  );
}

interface Writer {
  createNamespace(): Promise<void>;
  list(labelSelector?: string): Promise<V1ConfigMapList>;
  create(name: string, labels?: Record<string, string>): Promise<void>;
  update(name: string, n: string): Promise<void>;
  remove(name: string): Promise<void>;
}

function createWriter(core: CoreV1Api): Writer {
  return {
    createNamespace: async () => void (await core.createNamespace({ body: { metadata: { name: NAMESPACE } } })),
    list: (labelSelector) =>
      core.listNamespacedConfigMap({ namespace: NAMESPACE, ...(labelSelector === undefined ? {} : { labelSelector }) }),
    async create(name, labels = {}) {
      await core.createNamespacedConfigMap({ namespace: NAMESPACE, body: { metadata: { name, labels }, data: { n: '0' } } });
    },
    async update(name, n) {
      const old = await core.readNamespacedConfigMap({ name, namespace: NAMESPACE });
      await core.replaceNamespacedConfigMap({ name, namespace: NAMESPACE, body: { ...old, data: { n } } });
    },
    remove: async (name) => void (await core.deleteNamespacedConfigMap({ name, namespace: NAMESPACE })),
  };
}

/** Tests an informer that reconnects with a compacted resourceVersion. */
export function createRelistCheck(config: KubeConfig, proxy: DroppingProxy, compact: () => void): Check {
  const core = config.makeApiClient(CoreV1Api);
  const create = (name: string): Promise<V1ConfigMap> =>
    core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name } } });
  return {
    title: 'makes an informer list again after 410 Gone',
    async run() {
      const informer = makeInformer<V1ConfigMap>(config, '/api/v1/namespaces/default/configmaps', () =>
        core.listNamespacedConfigMap({ namespace: 'default' }),
      );
      const journal = createJournal<string>();
      for (const verb of ['add', 'delete'] as const) informer.on(verb, ({ metadata }) => journal.add(`${verb} ${metadata?.name}`));
      informer.on('error', () => journal.add('error'));
      await create('first');
      await informer.start();
      await create('second');
      await journal.waitFor((entries) => entries.includes('add second'));
      proxy.drop();
      await journal.waitFor((entries) => entries.includes('error'));
      await core.deleteNamespacedConfigMap({ name: 'first', namespace: 'default' });
      await create('third');
      compact();
      await informer.start();
      await journal.waitFor((entries) => entries.includes('add third') && entries.includes('delete first'));
      await informer.stop();
    },
  };
}

function createRecorder(journal: Journal<string>): (type: string, object: V1ConfigMap) => void {
  return (type, { metadata, data }) => journal.add(`${type} ${metadata?.name} ${data?.['n']}`);
}
