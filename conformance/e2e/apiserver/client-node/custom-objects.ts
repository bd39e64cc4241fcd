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

/** Contains no `x-kubernetes-*` extensions, because this client cannot send them. `_default` is its name for `default`. */
const SCHEMA = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, colour: { type: 'string', _default: 'red' } } } },
};

/** Tests a custom resource through the client that finds paths by discovery. */
export function customObjectChecks(config: KubeConfig): Check[] {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const definition = createDefinition('widgets', 'Widget', { versions: [version(SCHEMA)] }) as Definition & { metadata: { name: string } };
  const header = { apiVersion: 'script.example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } };
  return [
    {
      title: 'creates a CustomResourceDefinition and waits for it',
      async run() {
        await objects.create(definition);
        for (;;) {
          const { status } = await objects.read<Definition>({ apiVersion: 'apiextensions.k8s.io/v1', ...definition });
          if (status?.conditions?.some(({ type, status: conditionStatus }) => type === 'Established' && conditionStatus === 'True')) return;
        }
      },
    },
    {
      title: 'creates, reads, patches, lists and deletes a custom object',
      async run() {
        const created = await retryUntilServed(() => objects.create<Widget>({ ...header, spec: { size: 2 } }));
        assert.equal(created.spec.colour, 'red');
        assert.equal((await objects.read<Widget>(header)).spec.size, 2);
        const patch = { ...header, spec: { size: 3 } };
        const patched = await objects.patch(patch, undefined, undefined, undefined, undefined, PatchStrategy.MergePatch);
        assert.equal(patched.spec.size, 3);
        const { items } = await objects.list<Widget>('script.example.com/v1', 'Widget', 'default');
        assert.deepEqual(
          items.map(({ spec }) => spec.size),
          [3],
        );
        await objects.delete(header);
        await assert.rejects(objects.read(header), { code: 404 });
      },
    },
    { title: 'deletes the definition', run: async () => void (await objects.delete(definition)) },
  ];
}

/** Retries after 404, because a definition is Established shortly before its objects are served. */
async function retryUntilServed<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: number }).code !== 404) throw error;
    }
  }
}
