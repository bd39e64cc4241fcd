import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { matchesServer } from '../../src/controllers/slice-writes.ts';

const slice = (name: string, resourceVersion: string): ApiObject => ({ metadata: { namespace: 'shop', name, resourceVersion } });

test('matchesServer returns true only if the server lists the cached slices at the same versions', async () => {
  const requests: unknown[] = [];
  const port = {
    list: async (_resource: unknown, options: unknown) => {
      requests.push(options);
      return { items: [slice('a', '1'), slice('b', '2')], metadata: { resourceVersion: '3' } };
    },
  } as unknown as ClientPort;
  expect(await matchesServer(port, 'shop/web', [slice('b', '2'), slice('a', '1')])).toBe(true);
  expect(await matchesServer(port, 'shop/web', [slice('a', '1')])).toBe(false);
  expect(await matchesServer(port, 'shop/web', [slice('a', '1'), slice('b', '1')])).toBe(false);
  expect(requests[0]).toEqual({
    namespace: 'shop',
    labelSelector: 'kubernetes.io/service-name=web,endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io',
  });
});
