import { resources } from 'kube-endpoints/port';
import { named, type World, type WorldAction } from '../harness/world.ts';
import { namespaces } from './namespaces.ts';
import { createNode, otherActions } from './others.ts';
import { podActions, runPod } from './pods.ts';
import { createIn, serviceActions } from './services.ts';

/** Changes of the world with their frequencies. */
export const actions: readonly WorldAction[] = [...podActions, ...serviceActions, ...otherActions];

/** Creates the objects that exist before any controller. */
export async function beginWorld(world: World): Promise<void> {
  const { random } = world;
  for (const name of namespaces) await world.create(resources.namespaces, named('Namespace', name));
  for (let number = random.below(4); number >= 0; number--) await createNode(world, `n${number}`);
  for (const namespace of namespaces) {
    for (let count = random.below(4); count > 0; count--) await createIn(world, namespace, `s${random.below(4)}`);
    for (let count = random.below(6); count > 0; count--) await runPod(world, namespace);
  }
}

/** Creates every node that pods may name. */
export async function completeNodes(world: World): Promise<void> {
  for (let number = 0; number < 4; number++) await createNode(world, `n${number}`);
}
