import { createClientNodePort } from '@kube-endpoints/controllers/client-node';
import * as clientNode2 from '@kubernetes/client-node';
import * as clientNode1 from 'client-node-1';
import { resources } from 'kube-endpoints/port';
import { expect, inject, it } from 'vitest';
import { configMaps, describeClientPort, type PortUnderTest } from '../../../test/contract/port/describe-client-port.ts';

/** Provided by run.ts: the server's kubeconfig. */
declare module 'vitest' {
  interface ProvidedContext {
    readonly access: { readonly port: number; readonly token: string; readonly ca: string };
  }
}

describeClientPort('over HTTPS with client-node 1, to a real server', () => createRealPort(new clientNode1.KubeConfig()));
describeClientPort('over HTTPS with client-node 2, to a real server', () => createRealPort(new clientNode2.KubeConfig()));

it('reads a long list, which a real server compresses', async () => {
  const { port, namespace, close } = await createRealPort(new clientNode2.KubeConfig());
  const data = { text: 'größer '.repeat(30_000) };
  await port.create(configMaps, { metadata: { namespace, name: 'long' }, data });
  const { items } = await port.list(configMaps, { namespace, fieldSelector: 'metadata.name=long' });
  expect(items.map((item) => item['data'])).toEqual([data]);
  await close?.();
});

/** Creates a namespace for each test, because no namespace controller empties namespaces between tests. */
async function createRealPort(kubeConfig: clientNode1.KubeConfig | clientNode2.KubeConfig): Promise<PortUnderTest> {
  const { port, token, ca } = inject('access');
  kubeConfig.loadFromClusterAndUser(
    { name: 'real', server: `https://127.0.0.1:${port}`, caData: Buffer.from(ca).toString('base64'), skipTLSVerify: false },
    { name: 'admin', token },
  );
  const client = createClientNodePort(kubeConfig);
  const { metadata } = await client.create(resources.namespaces, { metadata: { generateName: 'contract-' } });
  return { port: client, namespace: metadata.name as string, close: () => client.close() };
}
