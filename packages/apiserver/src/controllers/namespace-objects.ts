import { type ApiObject, hasReason, type Resource, resources } from 'kube-endpoints/port';
import { isBeingDeleted, type Registry, serviceAccount } from '../registry/index.ts';
import type { StoreWrite } from '../store/index.ts';
import type { Controller } from './loop.ts';

/**
 * Creates an object of a fixed name in every namespace that is not being deleted, and again if it is deleted or changed.
 * @param fieldsOf the fields besides the metadata; undefined if they are not known yet
 */
function createNamespaceController(
  registry: Registry,
  { resource, name, controller, fieldsOf }: { resource: Resource; name: string; controller: string; fieldsOf: () => object | undefined },
): Controller {
  const user = serviceAccount(controller);
  return {
    keysOf({ resource: written, current, previous }: StoreWrite) {
      const { metadata } = (current ?? previous) as ApiObject;
      if (written.group === '' && written.plural === 'namespaces') return current && !previous ? [metadata.name ?? ''] : [];
      const isOwn = written.group === resource.group && written.plural === resource.plural && metadata.name === name;
      return isOwn && previous ? [metadata.namespace ?? ''] : [];
    },
    async reconcile(namespace) {
      const fields = fieldsOf();
      const parent = registry.store.find(resources.namespaces, { name: namespace });
      if (!fields || !parent || isBeingDeleted(parent)) return;
      const existing = registry.store.find(resource, { namespace, name });
      const object = { metadata: { name, namespace }, ...fields } as ApiObject;
      if (existing && Object.entries(fields).every(([field, value]) => JSON.stringify(existing[field]) === JSON.stringify(value))) return;
      try {
        if (existing)
          await registry.update(resource, { namespace, name }, (current) => ({ ...(current as ApiObject), ...fields }), { user });
        else await registry.create(resource, namespace, object, { user });
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists', 'NotFound', 'Conflict')) throw error;
      }
    },
  };
}

const serviceAccounts: Resource = { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true };
const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

/** Creates the ServiceAccount "default" of each namespace. Mirrors pkg/controller/serviceaccount/serviceaccounts_controller.go (1.36). */
export const createServiceAccountController = (registry: Registry): Controller =>
  createNamespaceController(registry, {
    resource: serviceAccounts,
    name: 'default',
    controller: 'service-account-controller',
    fieldsOf: () => ({}),
  });

/**
 * Publishes the server's certificate authority in the ConfigMap kube-root-ca.crt of each namespace. Mirrors
 * pkg/controller/certificates/rootcacertpublisher (1.36).
 * @param authority the certificates in PEM; undefined before the server listens with TLS
 */
export const createRootCertificateController = (registry: Registry, authority: () => string | undefined): Controller =>
  createNamespaceController(registry, {
    resource: configMaps,
    name: 'kube-root-ca.crt',
    controller: 'root-ca-cert-publisher',
    fieldsOf() {
      const certificates = authority();
      return certificates === undefined ? undefined : { data: { 'ca.crt': certificates } };
    },
  });
