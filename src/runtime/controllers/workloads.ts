import { type ApiObject, apiVersionOf, type Resource, resources } from '../../port/index.ts';
import type { EndpointAddressInput, Endpoints, EndpointsInput, Pod, TargetRef } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';

/**
 * Objects that Services select in the place of pods: those of an operator, or pods with rules of one's own for who takes part under
 * which address.
 */
export interface Workloads {
  /** What is listed and watched. */
  readonly resource: Resource;
  /**
   * The pod that an object is to be taken for: its labels, IPs, node, ports and conditions. Undefined where it takes no part, and where
   * this throws. Namespace, name, uid and resourceVersion are always the object's; its labels and deletionTimestamp hold where none are
   * given. To be a pure function of the object.
   */
  toPod(object: ApiObject): Pod | undefined;
  /** Whether pods take part as well. By default they do not. */
  readonly withPods?: boolean;
  /** What the targetRef of an endpoint says of the object. By default the resource's. */
  readonly targetRef?: { readonly apiVersion?: string; readonly kind: string };
}

/** Workloads as the rest of the room sees them: as pods. */
export interface Disguise {
  readonly resource: Resource;
  /** Starts the names of such pods; empty where the workloads are pods. */
  readonly prefix: string;
  toPod(object: ApiObject): Pod | undefined;
  /** What the address or endpoint of a pod refers to. */
  targetRef(pod: Pod): TargetRef;
  /** Endpoints as the core is to see them, and as they are to be written. */
  inward(endpoints: EndpointsInput): EndpointsInput;
  outward(endpoints: Endpoints): Endpoints;
}

/**
 * The core knows pods alone, and by their names. So a workload is a pod whose name no pod can have, everywhere between the caches and
 * what is computed, in which only the workload is named.
 */
export function disguiseOf({ resource, toPod, targetRef }: Workloads, profile: Profile): Disguise {
  const arePods = resource.plural === resources.pods.plural && resource.group === resources.pods.group;
  const prefix = arePods ? '' : `${resource.plural}.${resource.group}:`;
  const { kind, apiVersion } = targetRef ?? (arePods ? { kind: 'Pod' } : { apiVersion: apiVersionOf(resource), kind: resource.kind });
  return {
    resource,
    prefix,
    toPod(object) {
      const pod = attempt(() => toPod(object));
      return pod && asPod(pod, object, prefix);
    },
    // To a pod belongs a node, and the core names it even where it is not known; the API takes no name that is empty.
    inward: (endpoints) => withAddresses(endpoints, (address) => ({ ...address, nodeName: address.nodeName ?? '' })),
    outward: (endpoints) => withAddresses(endpoints, ({ nodeName, ...address }) => (nodeName ? { ...address, nodeName } : address)),
    targetRef(pod) {
      const { namespace = '', name = '', uid = '', resourceVersion } = pod.metadata ?? {};
      const isWorkload = name?.startsWith(prefix);
      return {
        kind: isWorkload ? kind : 'Pod',
        namespace: namespace ?? '',
        name: (isWorkload ? name?.slice(prefix.length) : name) ?? '',
        uid: uid ?? '',
        ...(isWorkload && apiVersion !== undefined && { apiVersion }),
        ...(!profile.targetResourceVersionOmitted && resourceVersion && { resourceVersion }),
      };
    },
  };
}

/** A copy with other addresses. */
function withAddresses<T extends EndpointsInput>(endpoints: T, change: (address: EndpointAddressInput) => EndpointAddressInput): T {
  if (!endpoints.subsets) return endpoints;
  const subsets = endpoints.subsets.map(({ addresses, notReadyAddresses, ...subset }) => ({
    ...(addresses && { addresses: addresses.map(change) }),
    ...(notReadyAddresses && { notReadyAddresses: notReadyAddresses.map(change) }),
    ...subset,
  }));
  return { ...endpoints, subsets };
}

function asPod(pod: Pod, { metadata }: ApiObject, prefix: string): Pod {
  const { namespace, name = '', uid, resourceVersion } = metadata;
  return {
    ...pod,
    metadata: {
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.deletionTimestamp !== undefined && { deletionTimestamp: metadata.deletionTimestamp }),
      ...pod.metadata,
      name: `${prefix}${name}`,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
