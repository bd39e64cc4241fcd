/**
 * Runs a server in its own process, without a build: "apiserver", "webhook" or "dns". Sends its address, and answers each message:
 * "memory" with the memory in use, { pods: N } after it has created N pods.
 */
import { randomBytes } from 'node:crypto';
import { createApiServer, createServingCertificate } from '@kube-endpoints/apiserver';
import { createDnsServer } from '@kube-endpoints/dns-server';
import { createOverrides } from '@kube-endpoints/overrides';
import { createWebhookServer } from '@kube-endpoints/overrides/webhook';
import { createClusterZone } from 'kube-endpoints/dns';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import type { Memory, ServerAddress, ServerKind } from './server-process.ts';

const tls = createServingCertificate({ names: ['127.0.0.1'], now: Date.now(), randomBytes: (size) => randomBytes(size) });
const kinds: Readonly<Record<ServerKind, () => Promise<{ port: number; token?: string; client?: ClientPort }>>> = {
  async apiserver() {
    const server = await createApiServer();
    const { port, token } = await server.listen({ tls });
    return { port, client: server.client, ...(token !== undefined && { token }) };
  },
  webhook() {
    const rule = { name: 'none', addresses: { ranges: ['192.0.2.1'] }, action: { keepOut: { as: 'absent' } } } as const;
    return createWebhookServer({ tls, overrides: createOverrides({ rules: [rule] }) }).listen({ host: '127.0.0.1' });
  },
  dns() {
    const { answer, zones } = createClusterZone();
    return createDnsServer({ answer, zones }).listen();
  },
};

const { client, ...address } = await kinds[process.argv[2] as ServerKind]();
process.on('message', async (message: 'memory' | { readonly pods: number }) => {
  if (message !== 'memory' && client) await createPods(client, message.pods);
  process.send?.(measureMemory());
});
process.on('disconnect', () => process.exit());
process.send?.({ ...address, ca: tls.ca } satisfies ServerAddress);

function measureMemory(): Memory {
  // Twice, because finalizers free memory that only the second collection can return.
  for (let i = 0; i < 2; i++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

async function createPods(port: ClientPort, count: number): Promise<void> {
  await port.create(resources.namespaces, { metadata: { name: 'crowd' } });
  for (let i = 0; i < count; i++) await port.create(resources.pods, createPod(i));
}

/** A pod as a scheduled Deployment has it: 2 kB of JSON when it is stored. */
const createPod = (i: number): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `web-${i}`, namespace: 'crowd', labels: { app: `web-${i % 1000}`, 'pod-template-hash': `${i % 1000}` } },
  spec: {
    nodeName: `node-${i % 1000}`,
    containers: [
      {
        name: 'web',
        image: `example.com/web:${i % 100}`,
        ports: [{ name: 'http', containerPort: 8080 }],
        env: [{ name: 'SHARD', value: String(i % 100) }],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
        readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
      },
    ],
  },
  status: { phase: 'Running', podIP: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, conditions: [{ type: 'Ready', status: 'True' }] },
});
