import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createApiServer } from '@kube-endpoints/apiserver';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { createClientNodePort } from '../../src/client-node/index.ts';

/**
 * Compares requests through the port with the same requests through client-node's generated client, both over HTTPS to the embedded
 * API server in a separate process.
 *
 * Usage: node packages/controllers/test/client-node/bench.ts [--requests 4000] [--lanes 16]
 * --requests: number of GET requests, a base for the other verbs; --lanes: number of concurrent requests.
 */

const POD_COUNT = 3000;
const PAGE_SIZE = 500;

if (process.send) await serve();
else await main();

async function serve(): Promise<void> {
  const server = await createApiServer({ objects: Array.from({ length: POD_COUNT }, (_, i) => pod(i)) });
  const { kubeconfig } = await server.listen();
  process.send?.(kubeconfig());
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { requests: { type: 'string', default: '4000' }, lanes: { type: 'string', default: '16' } } });
  const requests = Number(values.requests);
  const concurrency = Number(values.lanes);
  const child = fork(import.meta.filename);
  const [text] = (await once(child, 'message')) as [string];
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(text);
  const port = createClientNodePort(kubeConfig);
  const api = kubeConfig.makeApiClient(CoreV1Api);
  const keyOf = (i: number): { namespace: string; name: string } => ({ namespace: 'shop', name: `web-${i % POD_COUNT}` });
  const template = await port.get(resources.pods, keyOf(0));
  const cases = {
    get: [requests, (i: number) => port.get(resources.pods, keyOf(i)), (i: number) => api.readNamespacedPod(keyOf(i))],
    patch: [
      requests / 2,
      (i: number) => port.patch(resources.pods, keyOf(i), { metadata: { labels: { n: String(i) } } }, { type: 'merge' }),
      (i: number) => api.patchNamespacedPod({ ...keyOf(i), body: [{ op: 'add', path: '/metadata/labels/n', value: String(i) }] }),
    ],
    create: [
      requests / 2,
      (i: number) => port.create(resources.pods, createCopy(template, `ours-${i}`)),
      (i: number) => api.createNamespacedPod({ namespace: 'shop', body: createCopy(template, `theirs-${i}`) as object }),
    ],
    page: [requests / 100, () => port.list(resources.pods, { limit: PAGE_SIZE }), () => api.listPodForAllNamespaces({ limit: PAGE_SIZE })],
  } as const;
  for (const [name, [count, sendByPort, sendByClientNode]] of Object.entries(cases)) {
    // Warms up both clients.
    await measure(concurrency, count / 4, sendByClientNode);
    await measure(concurrency, count / 4, sendByPort);
    const clientNodeFigures = await measure(concurrency, count, (i) => sendByClientNode(i + count));
    const portFigures = await measure(concurrency, count, (i) => sendByPort(i + count));
    console.log(
      `${name}: client-node ${formatFigures(clientNodeFigures)}; port ${formatFigures(portFigures)}; ` +
        `${(portFigures.rate / clientNodeFigures.rate).toFixed(1)} times the rate, ${(clientNodeFigures.cpu / portFigures.cpu).toFixed(1)} times less CPU`,
    );
  }
  port.close();
  child.kill();
}

interface Figures {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds per request. */
  readonly cpu: number;
}

function formatFigures({ rate, cpu }: Figures): string {
  return `${Math.round(rate)}/s, ${Math.round(cpu)} µs CPU`;
}

async function measure(concurrency: number, count: number, work: (i: number) => Promise<unknown>): Promise<Figures> {
  let next = 0;
  const begin = performance.now();
  const cpu = process.cpuUsage();
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(cpu);
  return { rate: (count / (performance.now() - begin)) * 1000, cpu: (user + system) / count };
}

function createCopy({ spec }: ApiObject, name: string): ApiObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'shop', name, labels: { app: 'web' } }, spec };
}

function pod(i: number): ApiObject {
  const ip = `10.1.${i >> 8}.${i & 255}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name: `web-${i}`, labels: { app: 'web', tier: 'front' } },
    spec: { nodeName: `node-${i % 50}`, containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 8080, name: 'http' }] }] },
    status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
