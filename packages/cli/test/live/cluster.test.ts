import { join } from 'node:path';
import { createApiServer } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { UsageError } from '../../src/base/io.ts';
import { connect, isClusterConfigured } from '../../src/live/cluster.ts';

describe('a cluster of a kubeconfig', () => {
  test('is reached through one client port for objects and another for Leases', async () => {
    await using server = await createApiServer();
    const kubeconfig = join(makeFolder(), 'kubeconfig');
    const { url, writeKubeconfig } = await server.listen();
    await writeKubeconfig(kubeconfig);
    const cluster = await connect({ kubeconfig }, { env: {}, version: '9.8.7' });
    expect({ namespace: cluster.namespace, host: cluster.host }).toEqual({ namespace: 'default', host: new URL(url).host });
    expect(cluster.description).toContain(kubeconfig);
    for (const port of [cluster.port, cluster.leasePort]) {
      expect((await port.get(resources.namespaces, { name: 'default' })).metadata.name).toBe('default');
    }
    cluster.close();
    await expect(cluster.port.get(resources.namespaces, { name: 'default' })).rejects.toThrow();
  });

  test('cannot be connected to if the kubeconfig does not exist', async () => {
    await expect(connect({ kubeconfig: '/no/such' }, { env: {}, version: '1' })).rejects.toThrow(
      new UsageError('the kubeconfig /no/such does not exist'),
    );
  });
});

test.each<[Readonly<Record<string, string>>, boolean]>([
  [{}, false],
  [{ HOME: '/home/me' }, false],
  [{ KUBECONFIG: '' }, false],
  [{ KUBECONFIG: 'k' }, true],
  [{ KUBERNETES_SERVICE_HOST: '10.96.0.1' }, true],
])('for the environment %j, isClusterConfigured returns %s', (env, expected) => {
  expect(isClusterConfigured(env)).toBe(expected);
});
