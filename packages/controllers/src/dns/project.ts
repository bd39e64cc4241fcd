import type { DnsNamespace, DnsService } from 'kube-endpoints/dns';
import type { ApiObject } from 'kube-endpoints/port';
import type { EndpointInput, EndpointSliceInput, ObjectMeta, Pod, Service } from 'kube-endpoints/types';

/** A Service as far as its names look at it. */
export function projectDnsService({ metadata, spec, status }: ApiObject): DnsService {
  const { type, clusterIP, clusterIPs, externalName, externalIPs, ports } = (spec ?? {}) as NonNullable<DnsService['spec']>;
  const { loadBalancer } = (status ?? {}) as NonNullable<DnsService['status']>;
  return {
    metadata: namesOf(metadata),
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

/** A slice as far as names look at it: the labels say whose it is. */
export function projectDnsSlice(object: ApiObject): EndpointSliceInput {
  const { addressType, endpoints, ports } = object as EndpointSliceInput;
  const { labels } = object.metadata;
  return {
    metadata: { ...namesOf(object.metadata), ...(labels && { labels }) },
    addressType,
    // What is null in a list is an empty one, as the zone reads it.
    endpoints: (endpoints ?? []).map((endpoint) => projectEndpoint(endpoint ?? {})),
    ports: ports ?? [],
  };
}

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
    metadata: namesOf(metadata),
    spec: { ...(hostNetwork && { hostNetwork }) },
    status: { ...(phase && { phase }), ...(podIP && { podIP }), ...(podIPs?.length && { podIPs }) },
  };
}

export const projectDnsNamespace = ({ metadata }: ApiObject): DnsNamespace => ({ metadata: namesOf(metadata) });

/** What tells an object, and which version of it. */
const namesOf = ({ name, namespace, uid, resourceVersion, deletionTimestamp }: ApiObject['metadata']): ObjectMeta => ({
  ...(name && { name }),
  ...(namespace && { namespace }),
  ...(uid && { uid }),
  ...(resourceVersion && { resourceVersion }),
  ...(deletionTimestamp && { deletionTimestamp }),
});
