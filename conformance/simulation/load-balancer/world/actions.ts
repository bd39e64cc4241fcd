import type { MemoryCloud } from '@kube-endpoints/controllers/clouds';
import { resources } from 'kube-endpoints/port';
import { named, type World, type WorldAction } from '../../harness/world.ts';
import type { Setting } from '../setting.ts';
import { createNode, nodeActions } from './nodes.ts';
import { createService, places, repairServices, serviceActions } from './services.ts';

/** Changes of the world with their frequencies. */
export const actions: readonly WorldAction<[Setting]>[] = [...serviceActions, ...nodeActions];

/** Creates the objects that exist before any controller. */
export async function beginWorld(world: World): Promise<void> {
  const { random } = world;
  for (const name of places) await world.create(resources.namespaces, named('Namespace', name));
  for (let number = random.below(4); number >= 0; number--) await createNode(world, `n${number}`);
  for (let count = random.below(7); count > 0; count--) await createService(world);
}

/** Removes a load balancer from the cloud. Only a list reveals it. */
export function loseBalancer({ random }: World, { lists }: Setting, cloud: MemoryCloud): string | undefined {
  if (!lists || cloud.held.length === 0) return undefined;
  const { reference } = random.pick(cloud.held);
  cloud.lose(reference.uid);
  return `${reference.namespace}/${reference.name}`;
}

/** Makes every request satisfiable, and every change noticed. */
export async function repairWorld(world: World, { nudges }: Setting): Promise<void> {
  await repairServices(world);
  if (nudges) await createNode(world, 'last');
}
