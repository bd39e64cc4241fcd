import { excludeLabel } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { labelled, type World, type WorldAction } from '../../harness/world.ts';
import type { Setting } from '../setting.ts';

const { nodes } = resources;

type Fields = Readonly<Record<string, unknown>>;

/** Changes of nodes with their frequencies. */
export const nodeActions: readonly WorldAction<[Setting]>[] = [
  { weight: 5, act: (world) => createNode(world, `n${world.random.below(4)}`) },
  { weight: 4, act: removeNode },
  { weight: 5, act: excludeNode },
  { weight: 4, act: turnReadiness },
  { weight: 2, act: provideId },
  { weight: 2, act: labelNode },
  { weight: 4, act: markNodeForDeletion },
];

export async function createNode(world: World, name: string): Promise<void> {
  const { random } = world;
  const spec = random.chance(0.8) ? { providerID: `simulated://${name}/${world.next()}` } : {};
  const node = await world.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });
  if (node) await world.change(nodes, withReadiness(node, 'True'), 'status');
}

const withReadiness = (node: ApiObject, status: string): ApiObject => ({
  ...node,
  status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }], conditions: [{ type: 'Ready', status }] },
});

async function removeNode(world: World): Promise<void> {
  const node = world.anyOf(nodes);
  if (node) await world.remove(nodes, node);
}

async function excludeNode(world: World): Promise<void> {
  const node = world.anyOf(nodes);
  if (!node) return;
  const { [excludeLabel]: _, ...labels } = node.metadata.labels ?? {};
  const value = world.random.pick(['', 'true', 'false', '0', undefined, undefined]);
  await world.change(nodes, labelled(node, value === undefined ? labels : { ...labels, [excludeLabel]: value }));
}

async function turnReadiness(world: World): Promise<void> {
  const node = world.anyOf(nodes);
  if (node) await world.change(nodes, withReadiness(node, world.random.pick(['True', 'False', 'Unknown'])), 'status');
}

/** Sets the provider ID of a node once. */
async function provideId(world: World): Promise<void> {
  const node = world.anyOf(nodes, ({ spec }) => !(spec as Fields | undefined)?.['providerID']);
  if (node) await world.change(nodes, { ...node, spec: { ...(node['spec'] as Fields), providerID: `simulated://${world.next()}` } });
}

/** A change that newer releases ignore. */
async function labelNode(world: World): Promise<void> {
  const node = world.anyOf(nodes);
  if (node) await world.change(nodes, labelled(node, { ...node.metadata.labels, beat: String(world.next()) }));
}

/** The autoscaler marks a node for deletion, or removes the mark; newer releases notice it only at the next sync. */
async function markNodeForDeletion(world: World, { hasNodesMarkedForDeletion: hasDoomedNodes }: Setting): Promise<void> {
  const node = hasDoomedNodes && world.anyOf(nodes);
  if (!node) return;
  const { taints, ...spec } = node['spec'] as Fields;
  const markedForDeletion = { key: 'ToBeDeletedByClusterAutoscaler', value: '1', effect: 'NoSchedule' };
  await world.change(nodes, { ...node, spec: taints ? spec : { ...spec, taints: [markedForDeletion] } });
}
