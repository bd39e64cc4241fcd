import { pathToFileURL } from 'node:url';
import { stringify } from 'yaml';
import type { Manifest } from './manifest.ts';
import { createNodeManifests, createPlacement } from './placement.ts';
import { createPods } from './pods.ts';
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
 * Generates the example cluster as manifests: namespaces, nodes, then for each namespace its pods, Services and manually managed Endpoints.
 * The caller must create the pods, write their status, and delete those with a deletionTimestamp.
 */
export function generateCluster({ seed = 7, at = new Date('2026-11-20T09:30:00Z') }: GenerateOptions = {}): Manifest[] {
  const random = createRandom(seed);
  const placement = createPlacement();
  const objects = NAMESPACES.flatMap(({ namespace, services, workloads, endpoints = [] }) => [
    ...workloads.flatMap((workload) => createPods(workload, { namespace, placement, random, at })),
    ...services.map((row) => createService(namespace, row)),
    ...endpoints.map(({ name, subsets }): Manifest => {
      return { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace }, subsets: [...subsets] };
    }),
  ]);
  const namespaces = NAMESPACES.map(({ namespace }): Manifest => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  return [...namespaces, ...createNodeManifests(), ...objects];
}

function createService(namespace: string, { name, labels, annotations, spec }: ServiceRow): Manifest {
  const metadata = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ...spec } };
}

const scriptPath = process.argv[1];
if (scriptPath !== undefined && import.meta.url === pathToFileURL(scriptPath).href) {
  const documents = generateCluster().map((manifest) => stringify(manifest, { aliasDuplicateObjects: false, compat: 'yaml-1.1' }));
  process.stdout.write(documents.join('---\n'));
}
