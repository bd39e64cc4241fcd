import type { EndpointSubsetInput } from '../src/types/index.ts';

/** A Kubernetes object as in a manifest. Only the fields that this code reads have precise types. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
    generateName?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  subsets?: EndpointSubsetInput[];
}

/** "namespace/name", the key of an object. */
export function keyOf(object: Manifest): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
