import assert from 'node:assert/strict';
import { ApiException, CoreV1Api, DiscoveryV1Api, type KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import type { Check } from './check.ts';

const NAMESPACE = 'client-node';

/**
 * Tests create, read, update, patch, list and delete through the generated clients. The checks run in this order, and use objects of
 * earlier checks.
 */
export function createObjectChecks(config: KubeConfig): Check[] {
  const core = config.makeApiClient(CoreV1Api);
  return [
    { title: 'creates a namespace', run: async () => void (await core.createNamespace({ body: { metadata: { name: NAMESPACE } } })) },
    {
      title: 'creates and reads objects',
      async run() {
        const created = await core.createNamespacedConfigMap({
          namespace: NAMESPACE,
          body: { metadata: { name: 'one' }, data: { a: '1' } },
        });
        assert.ok(created.metadata?.creationTimestamp instanceof Date);
        const read = await core.readNamespacedConfigMap(objectKey('one'));
        assert.deepEqual([read.data, read.metadata?.uid], [{ a: '1' }, created.metadata?.uid]);
      },
    },
    {
      title: 'returns errors for existing, missing and invalid objects',
      async run() {
        const body = { metadata: { name: 'one' } };
        await assertRefused(core.createNamespacedConfigMap({ namespace: NAMESPACE, body }), 409, /AlreadyExists/);
        await assertRefused(core.readNamespacedConfigMap(objectKey('none')), 404, /configmaps \\"none\\" not found/);
        await assertRefused(core.createNamespacedConfigMap({ namespace: NAMESPACE, body: { metadata: { name: 'A' } } }), 422, /Invalid/);
      },
    },
    {
      title: 'updates with optimistic locking',
      async run() {
        const old = await core.readNamespacedConfigMap(objectKey('one'));
        const updated = await core.replaceNamespacedConfigMap({ ...objectKey('one'), body: { ...old, data: { a: '2' } } });
        assert.notEqual(updated.metadata?.resourceVersion, old.metadata?.resourceVersion);
        await assertRefused(
          core.replaceNamespacedConfigMap({ ...objectKey('one'), body: { ...old, data: { a: '3' } } }),
          409,
          /has been modified/,
        );
      },
    },
    ...createPatchChecks(core),
    ...createListChecks(core),
    ...createPodAndSliceChecks(config, core),
    {
      title: 'deletes an object, and a collection',
      async run() {
        await core.deleteNamespacedConfigMap({ ...objectKey('one'), body: { propagationPolicy: 'Background' } });
        await core.deleteCollectionNamespacedConfigMap({ namespace: NAMESPACE, labelSelector: 'paged=yes' });
        const { items } = await core.listNamespacedConfigMap({ namespace: NAMESPACE, fieldSelector: 'metadata.name!=kube-root-ca.crt' });
        assert.deepEqual(items, []);
      },
    },
  ];
}

const objectKey = (name: string): { name: string; namespace: string } => ({ name, namespace: NAMESPACE });

function assertRefused(work: Promise<unknown>, code: number, message: RegExp): Promise<void> {
  return assert.rejects(work, (error) => {
    assert.ok(error instanceof ApiException);
    assert.equal(error.code, code);
    assert.match(String(error.body), message);
    return true;
  });
}

function createListChecks(core: CoreV1Api): Check[] {
  return [
    {
      title: 'lists with limit and continue',
      async run() {
        for (const n of [1, 2, 3, 4, 5]) {
          await core.createNamespacedConfigMap({
            namespace: NAMESPACE,
            body: { metadata: { name: `page-${n}`, labels: { paged: 'yes' } } },
          });
        }
        const pages: string[][] = [];
        let continueToken: string | undefined;
        do {
          const continueOption = continueToken === undefined ? {} : { _continue: continueToken };
          const list = await core.listNamespacedConfigMap({
            namespace: NAMESPACE,
            labelSelector: 'paged=yes',
            limit: 2,
            ...continueOption,
          });
          pages.push(list.items.map(({ metadata }) => metadata?.name ?? ''));
          continueToken = list.metadata?._continue || undefined;
        } while (continueToken !== undefined);
        assert.deepEqual(pages, [['page-1', 'page-2'], ['page-3', 'page-4'], ['page-5']]);
      },
    },
    {
      title: 'selects ConfigMaps of all namespaces by fields',
      async run() {
        const { items } = await core.listConfigMapForAllNamespaces({
          fieldSelector: `metadata.namespace=${NAMESPACE},metadata.name=page-3`,
        });
        assert.deepEqual(
          items.map(({ metadata }) => metadata?.name),
          ['page-3'],
        );
      },
    },
  ];
}

function createPodAndSliceChecks(config: KubeConfig, core: CoreV1Api): Check[] {
  return [
    {
      title: 'binds, updates the status of, and evicts a pod',
      async run() {
        const spec = { containers: [{ name: 'app', image: 'registry.example/app:1' }], terminationGracePeriodSeconds: 0 };
        await core.createNamespacedPod({ namespace: NAMESPACE, body: { metadata: { name: 'pod' }, spec } });
        await core.createNamespacedPodBinding({
          ...objectKey('pod'),
          body: { metadata: { name: 'pod' }, target: { kind: 'Node', name: 'n' } },
        });
        const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
        const pod = await core.readNamespacedPod(objectKey('pod'));
        const running = await core.replaceNamespacedPodStatus({ ...objectKey('pod'), body: { ...pod, status } });
        assert.deepEqual([running.spec?.nodeName, running.status?.phase], ['n', 'Running']);
        await core.createNamespacedPodEviction({ ...objectKey('pod'), body: { metadata: objectKey('pod') } });
        await assertRefused(core.readNamespacedPod(objectKey('pod')), 404, /not found/);
      },
    },
    {
      title: 'writes an EndpointSlice, which is in the API group discovery.k8s.io',
      async run() {
        const discovery = config.makeApiClient(DiscoveryV1Api);
        const body = { metadata: { name: 'slice' }, addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] };
        const slice = await discovery.createNamespacedEndpointSlice({ namespace: NAMESPACE, body });
        assert.deepEqual([slice.ports?.[0]?.protocol, slice.ports?.[0]?.name], ['TCP', '']);
      },
    },
  ];
}

function createPatchChecks(core: CoreV1Api): Check[] {
  const patch = async (type: PatchStrategy, body: unknown, options: object = {}): Promise<Record<string, string> | undefined> =>
    (await core.patchNamespacedConfigMap({ ...objectKey('one'), ...options, body }, setHeaderOptions('Content-Type', type))).data;
  const createApplyBody = (data: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data });
  return [
    {
      title: 'patches with all four patch types',
      async run() {
        assert.deepEqual(await patch(PatchStrategy.MergePatch, { data: { a: null, m: '1' } }), { m: '1' });
        assert.deepEqual(await patch(PatchStrategy.StrategicMergePatch, { data: { s: '1' } }), { m: '1', s: '1' });
        assert.deepEqual(await patch(PatchStrategy.JsonPatch, [{ op: 'remove', path: '/data/m' }]), { s: '1' });
        const manager = { fieldManager: 'client-node' };
        assert.deepEqual(await patch(PatchStrategy.ServerSideApply, createApplyBody({ x: '1' }), manager), { s: '1', x: '1' });
        await assert.rejects(patch(PatchStrategy.ServerSideApply, createApplyBody({ x: '2' }), { fieldManager: 'other' }), { code: 409 });
        assert.deepEqual(await patch(PatchStrategy.ServerSideApply, createApplyBody({ x: '2' }), { fieldManager: 'other', force: true }), {
          s: '1',
          x: '2',
        });
      },
    },
  ];
}
