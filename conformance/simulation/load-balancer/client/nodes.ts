import { excludeLabel } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { type ClientAction, type TestClient, withLabels } from '../../harness/test-client.ts';
import type { Settings } from '../settings.ts';

const { nodes } = resources;

type Fields = Readonly<Record<string, unknown>>;

/** Actions on nodes, with their frequencies. */
export const nodeActions: readonly ClientAction<[Settings]>[] = [
  { weight: 5, act: (client) => createNode(client, `n${client.random.below(4)}`) },
  { weight: 4, act: removeNode },
  { weight: 5, act: excludeNode },
  { weight: 4, act: changeReadiness },
  { weight: 2, act: setProviderId },
  { weight: 2, act: labelNode },
  { weight: 4, act: markNodeForDeletion },
];

export async function createNode(client: TestClient, name: string): Promise<void> {
  const { random } = client;
  const spec = random.chance(0.8) ? { providerID: `simulated://${name}/${client.nextNumber()}` } : {};
  const node = await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });
  if (node) await client.change(nodes, withReadiness(node, 'True'), 'status');
}

const withReadiness = (node: ApiObject, status: string): ApiObject => ({
  ...node,
  status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }], conditions: [{ type: 'Ready', status }] },
});

async function removeNode(client: TestClient): Promise<void> {
  const node = client.pickObject(nodes);
  if (node) await client.remove(nodes, node);
}

async function excludeNode(client: TestClient): Promise<void> {
  const node = client.pickObject(nodes);
  if (!node) return;
  const { [excludeLabel]: _, ...labels } = node.metadata.labels ?? {};
  const value = client.random.pick(['', 'true', 'false', '0', undefined, undefined]);
  await client.change(nodes, withLabels(node, value === undefined ? labels : { ...labels, [excludeLabel]: value }));
}

async function changeReadiness(client: TestClient): Promise<void> {
  const node = client.pickObject(nodes);
  if (node) await client.change(nodes, withReadiness(node, client.random.pick(['True', 'False', 'Unknown'])), 'status');
}

/** Sets the provider ID of a node once. */
async function setProviderId(client: TestClient): Promise<void> {
  const node = client.pickObject(nodes, ({ spec }) => !(spec as Fields | undefined)?.['providerID']);
  if (node)
    await client.change(nodes, { ...node, spec: { ...(node['spec'] as Fields), providerID: `simulated://${client.nextNumber()}` } });
}

/** Changes a label, which newer releases ignore. */
async function labelNode(client: TestClient): Promise<void> {
  const node = client.pickObject(nodes);
  if (node) await client.change(nodes, withLabels(node, { ...node.metadata.labels, beat: String(client.nextNumber()) }));
}

/** Adds or removes the taint by which the autoscaler marks a node for deletion; newer releases notice it only at the next sync. */
async function markNodeForDeletion(client: TestClient, { hasNodesMarkedForDeletion }: Settings): Promise<void> {
  const node = hasNodesMarkedForDeletion && client.pickObject(nodes);
  if (!node) return;
  const { taints, ...spec } = node['spec'] as Fields;
  const markedForDeletion = { key: 'ToBeDeletedByClusterAutoscaler', value: '1', effect: 'NoSchedule' };
  await client.change(nodes, { ...node, spec: taints ? spec : { ...spec, taints: [markedForDeletion] } });
}
