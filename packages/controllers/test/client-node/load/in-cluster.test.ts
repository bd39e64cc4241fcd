import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, writeFiles } from '../../../../../test/support/temporary.ts';
import { readInCluster } from '../../../src/client-node/load/load-kube-config.ts';

const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

describe('a pod', () => {
  it('finds its cluster, its namespace, and a token that is renewed', async () => {
    const folder = makeFolder();
    writeFiles(folder, { token: 'secret', 'ca.crt': 'ca', namespace: 'shop\n' });
    expect(await readInCluster(env, folder)).toEqual({
      'current-context': 'in-cluster',
      clusters: [{ name: 'in-cluster', cluster: { server: 'https://10.96.0.1:443', 'certificate-authority': join(folder, 'ca.crt') } }],
      users: [{ name: 'in-cluster', user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile: join(folder, 'token') } } } }],
      contexts: [{ name: 'in-cluster', context: { cluster: 'in-cluster', user: 'in-cluster', namespace: 'shop' } }],
    });
  });

  it('may reach it by IPv6, and have neither an authority nor a namespace', async () => {
    const folder = makeFolder();
    writeFiles(folder, { token: 'secret' });
    const { clusters, contexts } = (await readInCluster({ ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder)) ?? {};
    expect(clusters).toEqual([{ name: 'in-cluster', cluster: { server: 'https://[fd00::1]:443' } }]);
    expect(contexts).toEqual([{ name: 'in-cluster', context: { cluster: 'in-cluster', user: 'in-cluster' } }]);
  });
});

it('what is no pod finds none', async () => {
  const folder = makeFolder();
  expect(await readInCluster(env, folder)).toBeUndefined();
  writeFiles(folder, { token: 'secret' });
  expect(await readInCluster({ KUBERNETES_SERVICE_HOST: '10.96.0.1' }, folder)).toBeUndefined();
  expect(await readInCluster({}, folder)).toBeUndefined();
});
