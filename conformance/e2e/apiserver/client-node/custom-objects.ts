import assert from 'node:assert/strict';
import { type KubeConfig, type KubernetesObject, KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node';
import { definition as createDefinition, version } from '../script/definitions.ts';
import type { Check } from './check.ts';

interface Widget extends KubernetesObject {
  readonly spec: { readonly size: number; readonly colour?: string };
}

interface Definition extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Contains no `x-kubernetes-*` extensions, because this client cannot send them. `_default` is the client's name for `default`. */
const SCHEMA = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, colour: { type: 'string', _default: 'red' } } } },
};

/** Tests a custom resource through the client that finds paths by discovery. */
export function createCustomObjectChecks(config: KubeConfig): Check[] {
  const objectApi = KubernetesObjectApi.makeApiClient(config);
  const definition = createDefinition('widgets', 'Widget', { versions: [version(SCHEMA)] }) as Definition & { metadata: { name: string } };
  const widgetIdentity = { apiVersion: 'script.example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } };
  return [
    {
      title: 'creates a CustomResourceDefinition and waits until it is established',
      async run() {
        await objectApi.create(definition);
        for (;;) {
          const { status } = await objectApi.read<Definition>({ apiVersion: 'apiextensions.k8s.io/v1', ...definition });
          if (status?.conditions?.some(({ type, status: conditionStatus }) => type === 'Established' && conditionStatus === 'True')) return;
        }
      },
    },
    {
      title: 'creates, reads, patches, lists and deletes a custom object',
      async run() {
        const created = await retryWhileNotFound(() => objectApi.create<Widget>({ ...widgetIdentity, spec: { size: 2 } }));
        assert.equal(created.spec.colour, 'red');
        assert.equal((await objectApi.read<Widget>(widgetIdentity)).spec.size, 2);
        const patch = { ...widgetIdentity, spec: { size: 3 } };
        const patched = await objectApi.patch(patch, undefined, undefined, undefined, undefined, PatchStrategy.MergePatch);
        assert.equal(patched.spec.size, 3);
        const { items } = await objectApi.list<Widget>('script.example.com/v1', 'Widget', 'default');
        assert.deepEqual(
          items.map(({ spec }) => spec.size),
          [3],
        );
        await objectApi.delete(widgetIdentity);
        await assert.rejects(objectApi.read(widgetIdentity), { code: 404 });
      },
    },
    { title: 'deletes the definition', run: async () => void (await objectApi.delete(definition)) },
  ];
}

/** Retries after 404, because a definition is Established shortly before its objects are served. */
async function retryWhileNotFound<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: number }).code !== 404) throw error;
    }
  }
}
