import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { serverUser } from './caller.ts';
import type { Registry } from './registry.ts';

export interface BootstrapOptions {
  /** The port that the server listens on. The Service default/kubernetes targets it. Default 6443. */
  readonly port?: number;
}

/**
 * Creates the missing objects of a fresh cluster: the system namespaces, and the Service default/kubernetes with the first cluster IP.
 * Existing objects are left unchanged.
 *
 * Mirrors the controllers in pkg/controlplane/controller/systemnamespaces and pkg/controlplane/controller/kubernetesservice (1.36).
 */
export async function bootstrap(registry: Registry, { port = 6443 }: BootstrapOptions = {}): Promise<void> {
  for (const name of systemNamespaces) await ensureExists(registry, resources.namespaces, { metadata: { name, namespace: '' } });
  await ensureExists(registry, resources.services, createKubernetesService(registry, port));
}

/** In creation order. */
const systemNamespaces: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

/** True if `bootstrap` recreates the object. */
export const isBootstrapObject = ({ group, plural }: Resource, { metadata: { namespace, name = '' } }: ApiObject): boolean =>
  group === '' &&
  (plural === 'namespaces' ? systemNamespaces.includes(name) : plural === 'services' && namespace === 'default' && name === 'kubernetes');

function createKubernetesService(registry: Registry, port: number): ApiObject {
  const { ownAddress } = registry.strategyFor(resources.services);
  return {
    metadata: { name: 'kubernetes', namespace: 'default', labels: { provider: 'kubernetes', component: 'apiserver' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      ...(ownAddress !== undefined && { clusterIP: ownAddress }),
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
  };
}

/** Creates an object unless one of its name exists. */
export async function ensureExists(
  registry: Registry,
  resource: Resource,
  object: ApiObject,
  fieldManager = 'kube-apiserver',
): Promise<void> {
  const { namespace, name = '' } = object.metadata;
  if (registry.store.find(resource, { ...(namespace && { namespace }), name })) return;
  await registry.create(resource, namespace, object, { fieldManager, user: serverUser });
}
