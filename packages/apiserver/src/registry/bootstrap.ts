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
  for (const name of systemNamespaces)
    await ensureExists(registry, resources.namespaces, createNamespace(name), { fieldsV1: namespaceFields, isValid: true });
  await ensureExists(registry, resources.services, createKubernetesService(registry, port), { fieldsV1: serviceFields, isValid: true });
}

/** In creation order. */
const systemNamespaces: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

/** True if `bootstrap` recreates the object. */
export const isBootstrapObject = ({ group, plural }: Resource, { metadata: { namespace, name = '' } }: ApiObject): boolean =>
  group === '' &&
  (plural === 'namespaces' ? systemNamespaces.includes(name) : plural === 'services' && namespace === 'default' && name === 'kubernetes');

const createNamespace = (name: string): ApiObject => ({
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});

const namespaceFields = { 'f:metadata': { 'f:labels': { '.': {}, 'f:kubernetes.io/metadata.name': {} } } };

function createKubernetesService(registry: Registry, port: number): ApiObject {
  const { ownAddress } = registry.strategyFor(resources.services);
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { provider: 'kubernetes', component: 'apiserver' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      ...(ownAddress !== undefined && { clusterIP: ownAddress, clusterIPs: [ownAddress] }),
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  };
}

const serviceFields = {
  'f:metadata': { 'f:labels': { '.': {}, 'f:component': {}, 'f:provider': {} } },
  'f:spec': {
    'f:clusterIP': {},
    'f:internalTrafficPolicy': {},
    'f:ipFamilyPolicy': {},
    'f:ports': {
      '.': {},
      'k:{"port":443,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {}, 'f:protocol': {}, 'f:targetPort': {} },
    },
    'f:sessionAffinity': {},
    'f:type': {},
  },
};

/**
 * Creates an object unless one of its name exists.
 * @param options.fieldsV1 the fields that managedFields contain, if the object has its defaults: computing both would delay the server's start
 * @param options.isValid true if the object is valid and as validation would prepare it, for the same reason
 */
export async function ensureExists(
  registry: Registry,
  resource: Resource,
  object: ApiObject,
  {
    fieldManager = 'kube-apiserver',
    fieldsV1,
    isValid = false,
  }: { readonly fieldManager?: string; readonly fieldsV1?: object; readonly isValid?: boolean } = {},
): Promise<void> {
  const { namespace, name = '' } = object.metadata;
  if (registry.store.find(resource, { ...(namespace && { namespace }), name })) return;
  await registry.create(resource, namespace, object, {
    fieldManager,
    user: serverUser,
    isValid,
    ...(fieldsV1 && { fieldsV1, isDecoded: true }),
  });
}
