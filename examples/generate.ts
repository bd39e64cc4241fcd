import { pathToFileURL } from 'node:url';
import { stringify } from 'yaml';
import type { Manifest } from './manifest.ts';
import { createPlacement, nodeManifests } from './placement.ts';
import { podsOf } from './pods.ts';
import { createRandom } from './random.ts';
import { NAMESPACES } from './workloads/index.ts';
import type { ServiceRow } from './workloads/model.ts';

export interface GenerateOptions {
  /** Determines the pods' names and times. */
  readonly seed?: number;
  /** The time of the snapshot. */
  readonly at?: Date;
}

/**
 * The example cluster as manifests: namespaces, nodes, then namespace by namespace the pods, Services and hand-made Endpoints.
 * Pods come with the status they are to have; those with a deletionTimestamp are to be deleted once they are there.
 */
export function generateCluster({ seed = 7, at = new Date('2026-11-20T09:30:00Z') }: GenerateOptions = {}): Manifest[] {
  const random = createRandom(seed);
  const placement = createPlacement();
  const objects = NAMESPACES.flatMap(({ namespace, services, workloads, endpoints = [] }) => [
    ...workloads.flatMap((workload) => podsOf(workload, { namespace, placement, random, at })),
    ...services.map((row) => service(namespace, row)),
    ...endpoints.map(({ name, subsets }): Manifest => {
      return { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace }, subsets: [...subsets] };
    }),
  ]);
  const namespaces = NAMESPACES.map(({ namespace }): Manifest => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  return [...namespaces, ...nodeManifests(), ...objects];
}

function service(namespace: string, { name, labels, annotations, spec }: ServiceRow): Manifest {
  const metadata = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ...spec } };
}

const started = process.argv[1];
if (started !== undefined && import.meta.url === pathToFileURL(started).href) {
  const documents = generateCluster().map((manifest) => stringify(manifest, { aliasDuplicateObjects: false, compat: 'yaml-1.1' }));
  process.stdout.write(documents.join('---\n'));
}
