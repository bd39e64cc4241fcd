import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import type { BalancedNode, BalancedService } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { createInformer, createInternTable, type Informer, type InformerObserver, type InternTable } from '../cache/index.ts';
import type { Setup } from './options.ts';

/** The controller's caches of the cluster. */
export interface Caches {
  readonly services: Informer<CachedService>;
  readonly nodes: Informer<BalancedNode>;
}

/** A full Service if it has, or had, a load balancer; otherwise only metadata and type, marked `partial`. */
export type CachedService = BalancedService & { readonly partial?: true };

export function createCaches({ port, clock, random, namespace, onEvent }: Setup): Caches {
  const table = createInternTable();
  const informerOptions = { port, clock, random, onEvent: withCacheNames(onEvent) };
  return {
    services: createInformer({
      ...informerOptions,
      resource: resources.services,
      project: (object) => projectBalancedService(object, table),
      ...(namespace !== undefined && { selection: { namespace } }),
    }),
    nodes: createInformer({ ...informerOptions, resource: resources.nodes, project: (object) => projectBalancedNode(object, table) }),
  };
}

/** Resource names in this controller's cache events; distinct, because other controllers of the process cache the same resources. */
export const cacheNames = { services: 'service-lb/services', nodes: 'service-lb/nodes' } as const;

const withCacheNames =
  (onEvent: InformerObserver): InformerObserver =>
  (event) => {
    const { resource } = event;
    onEvent({ ...event, resource: resource === 'nodes' ? cacheNames.nodes : cacheNames.services });
  };

/** Keeps a Service in full if it has, or had, a load balancer, because a cloud may read any field. Reduces other Services. */
export function projectBalancedService(object: ApiObject, table: InternTable): CachedService {
  const { managedFields: _, ...metadata } = object.metadata;
  const service = { metadata, spec: object['spec'], status: object['status'] } as BalancedService;
  const { spec, status } = service;
  if (spec?.type === 'LoadBalancer' || hasCleanupFinalizer(service) || (status?.loadBalancer?.ingress?.length ?? 0) > 0) return service;
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return {
    metadata: { name, namespace: table.internText(namespace), uid, resourceVersion },
    spec: { type: table.internText(spec?.type) },
    partial: true,
  };
}

/** Removes images and volumes from a Node, and all fields of its conditions except type and status. */
export function projectBalancedNode(object: ApiObject, table: InternTable): BalancedNode {
  const { managedFields: _, labels, ...metadata } = object.metadata;
  const { spec, status } = object as BalancedNode;
  const { conditions, addresses } = status ?? {};
  return {
    metadata: { ...metadata, ...(labels && { labels: table.internValue(labels) }) },
    spec: spec ?? {},
    status: {
      ...(addresses && { addresses }),
      ...(conditions && { conditions: table.internValue(conditions.map(({ type, status }) => ({ type, status }))) }),
    },
  };
}
