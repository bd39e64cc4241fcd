import type { MemoryCloud } from '@kube-endpoints/controllers/clouds';
import { resources } from 'kube-endpoints/port';
import { type Deed, named, type World } from '../../harness/world.ts';
import type { Setting } from '../setting.ts';
import { createNode, nodeDeeds } from './nodes.ts';
import { createService, mendServices, places, serviceDeeds } from './services.ts';

/** What happens in the world, under what the seed has decided, and how often. */
export const deeds: readonly Deed<[Setting]>[] = [...serviceDeeds, ...nodeDeeds];

/** What is there before any controller is. */
export async function beginWorld(world: World): Promise<void> {
  const { random } = world;
  for (const name of places) await world.create(resources.namespaces, named('Namespace', name));
  for (let number = random.below(4); number >= 0; number--) await createNode(world, `n${number}`);
  for (let count = random.below(7); count > 0; count--) await createService(world);
}

/** A load balancer disappears from the cloud. Only a list of what there is tells so. */
export function loseBalancer({ random }: World, { lists }: Setting, cloud: MemoryCloud): string | undefined {
  if (!lists || cloud.held.length === 0) return undefined;
  const { reference } = random.pick(cloud.held);
  cloud.lose(reference.uid);
  return `${reference.namespace}/${reference.name}`;
}

/** From now on all that is asked for can be had, and all that changed is noticed. */
export async function mendWorld(world: World, { nudges }: Setting): Promise<void> {
  await mendServices(world);
  if (nudges) await createNode(world, 'last');
}
