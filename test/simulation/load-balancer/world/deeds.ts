import type { MemoryCloud } from '../../../../src/clouds/index.ts';
import { type ApiObject, resources } from '../../../../src/port/index.ts';
import type { World } from '../../world/world.ts';
import type { Setting } from '../setting.ts';
import { createNode, nodeDeeds } from './nodes.ts';
import { createService, mendServices, places, serviceDeeds } from './services.ts';

const deeds = [...serviceDeeds, ...nodeDeeds];
const total = deeds.reduce((sum, { weight }) => sum + weight, 0);

/** What is there before any controller is. */
export async function beginWorld(world: World): Promise<void> {
  const { random } = world;
  for (const name of places) await world.create(resources.namespaces, named('Namespace', name));
  for (let number = random.below(4); number >= 0; number--) await createNode(world, `n${number}`);
  for (let count = random.below(7); count > 0; count--) await createService(world);
}

const named = (kind: string, name: string): ApiObject => ({ apiVersion: 'v1', kind, metadata: { name } });

/** Something happens. */
export async function disturb(world: World, setting: Setting): Promise<void> {
  let left = (world.random.below(1e6) / 1e6) * total;
  for (const { weight, act } of deeds) {
    left -= weight;
    if (left >= 0) continue;
    await act(world, setting);
    return;
  }
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
