import { join } from 'node:path';
import { createApiServer } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import type { Checks } from './checks.ts';
import { dig } from './dig.ts';
import { serveDns } from './server.ts';
import { objects } from './world.ts';

/** At intervals of 50 ms. */
const MAX_TRIES = 600;

/** Checks answers while a cluster changes. The DNS server is connected to the embedded API server by a kubeconfig. */
export async function checkLive(folder: string, checks: Checks): Promise<void> {
  await using server = await createApiServer({ background: false });
  const { writeKubeconfig } = await server.listen({});
  const kubeconfig = join(folder, 'kubeconfig');
  await writeKubeconfig(kubeconfig);
  const { client } = server;
  await client.create(resources.namespaces, { metadata: { name: 'shop' } });
  await client.create(resources.services, {
    metadata: { name: 'web', namespace: 'shop' },
    spec: { clusterIP: '10.96.0.77', ports: [{ port: 80 }] },
  });
  await using dns = await serveDns('--kubeconfig', kubeconfig);
  const expectAnswer = (words: string, expected: string): Promise<string> => queryUntil(dns.port, words, expected);
  const web = 'web.shop.svc.cluster.local';
  checks.checkEqual('an existing Service', await expectAnswer(`${web} A`, '10.96.0.77'), '10.96.0.77');
  await client.delete(resources.services, { namespace: 'shop', name: 'web' });
  checks.checkEqual('a deleted Service', await expectAnswer(`${web} A`, 'NXDOMAIN'), 'NXDOMAIN');
  const db = objects.find(({ kind, metadata }) => kind === 'Service' && (metadata as { name: string }).name === 'db') as never;
  const slice = objects.find(({ kind, metadata }) => kind === 'EndpointSlice' && (metadata as { name: string }).name === 'db-1') as never;
  await client.create(resources.services, db);
  await client.create(resources.endpointSlices, slice);
  checks.checkEqual('created endpoints', await expectAnswer('db-0.db.shop.svc.cluster.local A', '10.1.0.1'), '10.1.0.1');
  await client.patch(resources.endpointSlices, { namespace: 'shop', name: 'db-1' }, { endpoints: [] }, { type: 'merge' });
  checks.checkEqual('deleted endpoints', await expectAnswer('db.shop.svc.cluster.local A', 'NXDOMAIN'), 'NXDOMAIN');
  await client.create(resources.namespaces, { metadata: { name: 'late' } });
  checks.checkEqual('a created namespace', await expectAnswer('late.svc.cluster.local A', 'NOERROR'), 'NOERROR');
  checks.checkEqual('exit code', await dns.stop(), 0);
}

/**
 * Queries until the first record's data, or the status if there is no record, is the expected value. Returns the last value after
 * MAX_TRIES.
 */
async function queryUntil(port: number, words: string, expected: string): Promise<string> {
  let data = '';
  for (let i = 0; i < MAX_TRIES && data !== expected; i++) {
    const { status, answer } = await dig(port, words);
    data = answer[0]?.split(' ').at(-1) ?? status;
    if (data !== expected) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return data;
}
