import { generateCluster } from '../../../examples/generate.ts';
import type { Manifest } from '../../../examples/manifest.ts';
import { createRandom } from '../../../examples/random.ts';
import { isRewrittenAtEverySync } from '../compare.ts';
import { randomObjects } from '../random-objects.ts';
import { selects } from '../world.ts';

const RANDOM = { services: 260, pods: 2800 };

/**
 * More than 300 Services and 3,000 pods of all kinds. Leaves out Services whose Endpoints kube-controller-manager rewrites at every sync
 * without a change, because writes are counted.
 */
export function createManifests(seed: number): Manifest[] {
  const all = [...generateCluster({ at: new Date() }), ...randomObjects(createRandom(seed), RANDOM.services, RANDOM.pods)];
  const pods = all.filter(({ kind }) => kind === 'Pod');
  return all.filter((each) => each.kind !== 'Service' || !(isRewrittenAtEverySync(each, undefined) || isOverCapacity(each, pods)));
}

/** Truncated Endpoints never equal the complete ones. */
const isOverCapacity = (service: Manifest, pods: readonly Manifest[]): boolean =>
  pods.filter(({ metadata }) => metadata.namespace === service.metadata.namespace && selects(service, metadata.labels)).length > CAPACITY;

const CAPACITY = 1000;
