import { generateCluster } from '../../../examples/generate.ts';
import type { Manifest } from '../../../examples/manifest.ts';
import { createRandom } from '../../../examples/random.ts';
import { neverSettles } from '../compare.ts';
import { randomObjects } from '../random-objects.ts';

const RANDOM = { services: 260, pods: 2800 };

/**
 * More than 300 Services and 3,000 pods of every shape. Services whose Endpoints kube-controller-manager writes anew at every sync, though
 * nothing changed, are left out where writes are counted.
 */
export function shapes(seed: number, { settling }: { readonly settling: boolean }): Manifest[] {
  const all = [...generateCluster({ at: new Date() }), ...randomObjects(createRandom(seed), RANDOM.services, RANDOM.pods)];
  return settling ? all.filter((each) => each.kind !== 'Service' || !neverSettles(each, undefined)) : all;
}
