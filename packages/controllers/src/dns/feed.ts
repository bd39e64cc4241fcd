import type { ClusterZone } from 'kube-endpoints/dns';
import type { DnsNamespace, DnsService, ZoneObjects } from 'kube-endpoints/internal';
import type { Selection } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type ClientPort, type Resource, resources, type SteadyClock, systemClock } from 'kube-endpoints/port';
import type { EndpointInput, EndpointSliceInput, EndpointsInput, ObjectMeta, Pod, Service } from 'kube-endpoints/types';
import { createLinkedAbortController } from '../base/time.ts';
import { createInformer, type Informer, type InformerObserver } from '../cache/index.ts';

export interface DnsFeedOptions {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  /** The zone to keep in sync with the cluster. Only this feed may change it. */
  readonly zone: Pick<ClusterZone, 'services' | 'endpointSlices' | 'endpoints' | 'readsEndpoints' | 'pods' | 'namespaces'>;
  /** Limits Services, slices and pods to one namespace; all by default. */
  readonly namespace?: string;
  /** Whether to watch pods. A zone in pods mode `verified` needs them. False by default. */
  readonly pods?: boolean;
  readonly clock?: SteadyClock;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random?: () => number;
  readonly onEvent?: InformerObserver;
}

/** Keeps the DNS records of a cluster up to date. */
export interface DnsFeed {
  /** Whether all resources have been listed once. Before that, a missing record does not prove that the object is missing. */
  readonly ready: boolean;
  /** Resolves once the feed is ready. @throws the signal's reason, or an Error if the feed has ended */
  synced(signal?: AbortSignal): Promise<void>;
  /** Number of objects by resource. */
  readonly objects: Readonly<Record<string, number>>;
  /** Runs until the signal is aborted, then resolves. Call it once. */
  run(signal: AbortSignal): Promise<void>;
}

/** Creates a feed of Namespaces, Services, EndpointSlices (or the Endpoints that the zone reads) and, if configured, Pods into a zone. It does nothing until `run` is called. */
export function createDnsFeed(options: DnsFeedOptions): DnsFeed {
  const { zone, pods = false, namespace } = options;
  const namespacedSelection: Selection = namespace === undefined ? {} : { namespace };
  const namespaceSelection: Selection = namespace === undefined ? {} : { fieldSelector: `metadata.name=${namespace}` };
  const informers = [
    createZoneInformer(options, resources.namespaces, namespaceSelection, projectDnsNamespace, zone.namespaces),
    createZoneInformer(options, resources.services, namespacedSelection, projectDnsService, zone.services),
    zone.readsEndpoints
      ? createZoneInformer(options, resources.endpoints, namespacedSelection, projectDnsEndpoints, zone.endpoints)
      : createZoneInformer(options, resources.endpointSlices, namespacedSelection, projectDnsSlice, zone.endpointSlices),
    ...(pods ? [createZoneInformer(options, resources.pods, namespacedSelection, projectDnsPod, zone.pods)] : []),
  ];
  const endController = new AbortController();
  return {
    get ready() {
      return informers.every(({ hasSynced }) => hasSynced);
    },
    async synced(signal) {
      const linkedController = createLinkedAbortController(endController.signal, ...(signal ? [signal] : []));
      // Removes the listeners from a signal that outlives this call.
      await Promise.all(informers.map((informer) => informer.synced(linkedController.signal))).finally(() => linkedController.abort());
    },
    get objects() {
      return Object.fromEntries(informers.map(({ resource, cache }) => [resource.plural, cache.size]));
    },
    async run(signal) {
      await Promise.all(informers.map((informer) => informer.run(signal)));
      endController.abort(new Error('the feed has ended'));
    },
  };
}

function createZoneInformer<T>(
  { port, clock = systemClock, random = Math.random, onEvent }: DnsFeedOptions,
  resource: Resource,
  selection: Selection,
  project: (object: ApiObject) => T,
  zoneObjects: ZoneObjects<T>,
): Informer<unknown> {
  const informer = createInformer({ port, resource, selection, project, clock, random, ...(onEvent && { onEvent }) });
  informer.listen(({ type, object }, key) => {
    if (type === 'deleted') zoneObjects.delete(key);
    else zoneObjects.set(object);
  });
  return informer;
}

/** Reduces a Service to the fields that DNS needs. */
export function projectDnsService({ metadata, spec, status }: ApiObject): DnsService {
  const { type, clusterIP, clusterIPs, externalName, externalIPs, ports } = (spec ?? {}) as NonNullable<DnsService['spec']>;
  const { loadBalancer } = (status ?? {}) as NonNullable<DnsService['status']>;
  return {
    metadata: projectDnsMetadata(metadata),
    spec: {
      ...(type && { type }),
      ...(clusterIP && { clusterIP }),
      ...(clusterIPs?.length && { clusterIPs }),
      ...(externalName && { externalName }),
      ...(externalIPs?.length && { externalIPs }),
      ...(ports?.length && { ports: ports.map((port) => projectPort(port ?? {})) }),
    },
    ...(loadBalancer?.ingress?.length && { status: { loadBalancer: { ingress: loadBalancer.ingress } } }),
  };
}

type Port = NonNullable<NonNullable<NonNullable<Service['spec']>['ports']>[number]>;

const projectPort = ({ name, port, protocol }: Port): Port => ({
  ...(name && { name }),
  ...(port !== undefined && { port }),
  ...(protocol && { protocol }),
});

/** Reduces a slice to the fields that DNS needs. Labels are kept because they name the Service. */
export function projectDnsSlice(object: ApiObject): EndpointSliceInput {
  const { addressType, endpoints, ports } = object as EndpointSliceInput;
  const { labels } = object.metadata;
  return {
    metadata: { ...projectDnsMetadata(object.metadata), ...(labels && { labels }) },
    addressType,
    // The zone reads null in a list as an empty object.
    endpoints: (endpoints ?? []).map((endpoint) => projectEndpoint(endpoint ?? {})),
    ports: ports ?? [],
  };
}

export const projectDnsEndpoints = (object: ApiObject): EndpointsInput => ({
  metadata: projectDnsMetadata(object.metadata),
  subsets: ((object as EndpointsInput).subsets ?? []).map((subset) => ({ addresses: subset?.addresses ?? [], ports: subset?.ports ?? [] })),
});

const projectEndpoint = ({ addresses, conditions, hostname, targetRef, nodeName }: EndpointInput): EndpointInput => ({
  addresses: addresses ?? [],
  ...(conditions && { conditions }),
  ...(hostname && { hostname }),
  ...(targetRef && { targetRef: { kind: targetRef.kind, namespace: targetRef.namespace, name: targetRef.name } }),
  ...(nodeName && { nodeName }),
});

export function projectDnsPod({ metadata, spec, status }: ApiObject): Pod {
  const { hostNetwork } = (spec ?? {}) as NonNullable<Pod['spec']>;
  const { phase, podIP, podIPs } = (status ?? {}) as NonNullable<Pod['status']>;
  return {
    metadata: projectDnsMetadata(metadata),
    spec: { ...(hostNetwork && { hostNetwork }) },
    status: { ...(phase && { phase }), ...(podIP && { podIP }), ...(podIPs?.length && { podIPs }) },
  };
}

export const projectDnsNamespace = ({ metadata }: ApiObject): DnsNamespace => ({ metadata: projectDnsMetadata(metadata) });

/** The metadata that identifies an object and its version. */
const projectDnsMetadata = ({ name, namespace, uid, resourceVersion, deletionTimestamp }: ApiObject['metadata']): ObjectMeta => ({
  ...(name && { name }),
  ...(namespace && { namespace }),
  ...(uid && { uid }),
  ...(resourceVersion && { resourceVersion }),
  ...(deletionTimestamp && { deletionTimestamp }),
});
