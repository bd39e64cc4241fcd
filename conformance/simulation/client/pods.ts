import { type ApiObject, resources } from 'kube-endpoints/port';
import { epoch } from '../harness/replica/clock.ts';
import { type ClientAction, currentVersion, type TestClient, withAnnotations, withLabels } from '../harness/test-client.ts';
import { namespaces } from './namespaces.ts';

const { pods } = resources;

type Fields = Readonly<Record<string, unknown>>;

/** Actions on pods, with their frequencies. */
export const podActions: readonly ClientAction[] = [
  { weight: 10, act: createPod },
  { weight: 10, act: startPod },
  { weight: 8, act: toggleReadiness },
  { weight: 3, act: changeLabels },
  { weight: 2, act: annotatePod },
  { weight: 2, act: finishPod },
  { weight: 4, act: deleteGracefully },
  { weight: 3, act: deleteImmediately },
  { weight: 3, act: recreatePod },
  { weight: 1, act: changeAddress },
];

/** Creates a running pod. */
export async function runPod(client: TestClient, namespace: string): Promise<void> {
  const pod = await createPodIn(client, namespace);
  if (pod && isBound(pod))
    await client.change(pods, withStatus(pod, runningStatus(client, unusedAddresses(client), client.random.chance(0.8))), 'status');
}

async function createPod(client: TestClient): Promise<unknown> {
  return createPodIn(client, client.random.pick(namespaces));
}

async function createPodIn(client: TestClient, namespace: string): Promise<ApiObject | undefined> {
  const { random } = client;
  const name = `p${random.below(8)}`;
  const node = random.chance(0.9) ? `n${random.below(4)}` : undefined;
  return client.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: randomLabels(client) },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'web',
          ports: [{ name: 'http', containerPort: random.pick([8080, 8081]), protocol: 'TCP' }],
        },
      ],
      ...(node && { nodeName: node }),
      ...(random.chance(0.2) && { hostname: name, subdomain: `s${random.below(4)}` }),
      terminationGracePeriodSeconds: random.pick([1, 5, 30]),
    },
  });
}

/** Only a pod with a node can run. */
const isBound = ({ spec }: ApiObject): boolean => (spec as Fields)['nodeName'] !== undefined;

const randomLabels = ({ random }: TestClient): Readonly<Record<string, string>> => ({
  app: random.pick(['a', 'a', 'b', 'c']),
  ...(random.chance(0.3) && { tier: random.pick(['front', 'back']) }),
});

async function startPod(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods, (each) => (each['status'] as Fields)['podIP'] === undefined && isBound(each));
  if (pod) await client.change(pods, withStatus(pod, runningStatus(client, unusedAddresses(client), client.random.chance(0.7))), 'status');
}

async function toggleReadiness(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods, ({ status }) => (status as Fields)['podIP'] !== undefined);
  if (!pod) return;
  const { conditions } = pod['status'] as { readonly conditions?: readonly Fields[] };
  const wasReady = conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  await client.change(pods, withStatus(pod, { conditions: [readyCondition(client, !wasReady)] }), 'status');
}

async function changeLabels(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods);
  if (pod) await client.change(pods, withLabels(pod, randomLabels(client)));
}

/** Changes an annotation, which the controllers ignore. */
async function annotatePod(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods);
  if (pod) await client.change(pods, withAnnotations(pod, { note: String(client.nextNumber()) }));
}

async function finishPod(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods, ({ status }) => (status as Fields)['phase'] === 'Running');
  if (pod) await client.change(pods, withStatus(pod, { phase: client.random.pick(['Succeeded', 'Failed']) }), 'status');
}

async function deleteGracefully(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods, ({ metadata }) => metadata.deletionTimestamp === undefined);
  if (pod) await client.remove(pods, pod);
}

async function deleteImmediately(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods);
  if (pod) await client.remove(pods, pod, 0);
}

/** Deletes and recreates a pod at once, as a StatefulSet does: with the same name, and often the same address. */
async function recreatePod(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods, ({ status }) => (status as Fields)['podIP'] !== undefined);
  if (!pod) return;
  await client.remove(pods, pod, 0);
  const { namespace, name, labels } = pod.metadata;
  const { nodeName, hostname, subdomain, containers } = pod['spec'] as Fields;
  const spec = { nodeName, hostname, subdomain, containers };
  const recreated = await client.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: namespace as string, name: name as string, ...(labels && { labels }) },
    spec: Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)),
  });
  if (!recreated) return;
  const { podIPs } = pod['status'] as { readonly podIPs: readonly Fields[] };
  const addresses = client.random.chance(0.7) ? podIPs.map(({ ip }) => ip as string) : unusedAddresses(client);
  await client.change(pods, withStatus(recreated, runningStatus(client, addresses, client.random.chance(0.8))), 'status');
}

async function changeAddress(client: TestClient): Promise<void> {
  const pod = client.pickObject(pods, ({ status }) => (status as Fields)['podIP'] !== undefined);
  if (pod) await client.change(pods, withStatus(pod, addressFields(unusedAddresses(client))), 'status');
}

/** Returns addresses that no unfinished pod has; a deleted or finished pod may have had them. */
function unusedAddresses(client: TestClient): readonly string[] {
  const { random, history } = client;
  const usedAddresses = new Set(
    namespaces.flatMap((namespace) =>
      history
        .all(pods, namespace, currentVersion)
        .filter(({ status }) => !['Succeeded', 'Failed'].includes((status as Fields)['phase'] as string))
        .map(({ status }) => (status as Fields)['podIP']),
    ),
  );
  let number = 1 + random.below(40);
  while (usedAddresses.has(`10.1.0.${number}`)) number += 1;
  return random.chance(0.6) ? [`10.1.0.${number}`, `fd00::${number}`] : [`10.1.0.${number}`];
}

const runningStatus = (client: TestClient, addresses: readonly string[], isReady: boolean): Fields => ({
  phase: 'Running',
  ...addressFields(addresses),
  conditions: [readyCondition(client, isReady)],
});

const addressFields = (addresses: readonly string[]): Fields => ({ podIP: addresses[0], podIPs: addresses.map((ip) => ({ ip })) });

/** A Ready condition with a new transition time. */
const readyCondition = (client: TestClient, isReady: boolean): Fields => ({
  type: 'Ready',
  status: isReady ? 'True' : 'False',
  lastTransitionTime: `${new Date(epoch + client.nextNumber() * 1000).toISOString().slice(0, 19)}Z`,
});

const withStatus = (pod: ApiObject, status: Fields): ApiObject => ({ ...pod, status: { ...(pod['status'] as Fields), ...status } });
