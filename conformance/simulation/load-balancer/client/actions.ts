import type { MemoryCloud } from '@kube-endpoints/controllers/clouds';
import { resources } from 'kube-endpoints/port';
import { type ClientAction, namedObject, type TestClient } from '../../harness/test-client.ts';
import type { Settings } from '../settings.ts';
import { createNode, nodeActions } from './nodes.ts';
import { createService, repairServices, serviceActions, serviceNamespaces } from './services.ts';

/** All actions of the test client, with their frequencies. */
export const actions: readonly ClientAction<[Settings]>[] = [...serviceActions, ...nodeActions];

/** Creates the objects that exist before any controller starts. */
export async function createInitialObjects(client: TestClient): Promise<void> {
  const { random } = client;
  for (const name of serviceNamespaces) await client.create(resources.namespaces, namedObject('Namespace', name));
  for (let number = random.below(4); number >= 0; number--) await createNode(client, `n${number}`);
  for (let count = random.below(7); count > 0; count--) await createService(client);
}

/**
 * Removes a load balancer from the cloud. A replica notices this only by listing the load balancers. Returns the key of the Service, or
 * undefined if nothing was removed.
 */
export function loseBalancer({ random }: TestClient, { canList }: Settings, cloud: MemoryCloud): string | undefined {
  if (!canList || cloud.held.length === 0) return undefined;
  const { reference } = random.pick(cloud.held);
  cloud.lose(reference.uid);
  return `${reference.namespace}/${reference.name}`;
}

/** Makes every requested address available. With `addsNode`, adds a node so that replicas notice all earlier changes of nodes. */
export async function repairCluster(client: TestClient, { addsNode }: Settings): Promise<void> {
  await repairServices(client);
  if (addsNode) await createNode(client, 'last');
}
