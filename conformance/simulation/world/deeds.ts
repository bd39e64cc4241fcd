import { resources } from 'kube-endpoints/port';
import { type Deed, named, type World } from '../harness/world.ts';
import { namespaces } from './namespaces.ts';
import { createNode, otherDeeds } from './others.ts';
import { podDeeds, runPod } from './pods.ts';
import { createIn, serviceDeeds } from './services.ts';

/** Changes of the world with their frequencies. */
export const deeds: readonly Deed[] = [...podDeeds, ...serviceDeeds, ...otherDeeds];

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
