import { generateCluster } from '../../../examples/generate.ts';
import type { Manifest } from '../../../examples/manifest.ts';
import { createRandom } from '../../../examples/random.ts';
import { selects } from '../cluster-snapshot.ts';
import { isRewrittenAtEverySync } from '../compare.ts';
import { randomObjects } from '../random-objects.ts';

const OBJECT_COUNTS = { services: 260, pods: 2800 };

/**
 * Creates more than 300 Services and 3,000 pods of all kinds. Leaves out Services whose Endpoints kube-controller-manager rewrites at every
 * sync without a change, because writes are counted.
 */
export function createManifests(seed: number): Manifest[] {
  const manifests = [
    ...generateCluster({ at: new Date() }),
    ...randomObjects(createRandom(seed), OBJECT_COUNTS.services, OBJECT_COUNTS.pods),
  ];
  const pods = manifests.filter(({ kind }) => kind === 'Pod');
  return manifests.filter(
    (manifest) => manifest.kind !== 'Service' || !(isRewrittenAtEverySync(manifest, undefined) || isOverCapacity(manifest, pods)),
  );
}

/** Whether the Endpoints are truncated: they never equal the complete Endpoints, so they are rewritten at every sync. */
const isOverCapacity = (service: Manifest, pods: readonly Manifest[]): boolean =>
  pods.filter(({ metadata }) => metadata.namespace === service.metadata.namespace && selects(service, metadata.labels)).length >
  MAX_ENDPOINTS_ADDRESSES;

const MAX_ENDPOINTS_ADDRESSES = 1000;
