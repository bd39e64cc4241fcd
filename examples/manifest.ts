import type { EndpointSubsetInput } from '../src/types/index.ts';

/** A Kubernetes object as a manifest holds it: what is looked at is typed, the rest is passed on. */
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

/** "namespace/name", as controllers call an object. */
export function keyOf(object: Manifest): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
