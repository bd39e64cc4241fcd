import type { Resource } from 'kube-endpoints/port';

/** Resources that are stored elsewhere than under their own name: `SpecialDefaultResourcePrefixes` (1.36, pkg/kubeapiserver). */
const special: Readonly<Record<string, string>> = {
  'endpoints.': 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  'nodes.': 'minions',
  'replicationcontrollers.': 'controllers',
  'services.': 'services/specs',
};

/** Where the real server stores a resource: messages of the storage name the path. */
export const defaultStoragePath = ({ plural, group }: Resource): string => `/registry/${special[`${plural}.${group}`] ?? plural}`;
