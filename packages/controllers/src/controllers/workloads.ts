import { apiVersionOf } from 'kube-endpoints/internal';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { EndpointAddressInput, Endpoints, EndpointsInput, Pod, TargetRef } from 'kube-endpoints/types';
import type { Profile } from 'kube-endpoints/versions';
import { createUnread, type Unread } from './unread.ts';

/**
 * Objects that Services select in the place of pods: those of an operator, or pods with rules of one's own for who takes part under
 * which address.
 */
export interface Workloads {
  /** What is listed and watched. */
  readonly resource: Resource;
  /**
   * The pod that an object is to be taken for: its labels, IPs, node, ports and conditions. Undefined where it takes no part. Namespace,
   * name, uid and resourceVersion are always the object's; its labels and deletionTimestamp hold where none are given. To be a pure
   * function of the object, and not an asynchronous one.
   *
   * Where this throws, or answers with something else, the error is told by the happening `informer`, and the object stays what it was
   * before; one that is new takes no part. One that cannot be read when the process begins keeps all Services of its namespace as they are:
   * their syncs fail with the error, and come again, until it can be read or is gone.
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
  /** @throws what keeps an object from being read */
  toPod(object: ApiObject): Pod | undefined;
  /** Those that could not be read. */
  readonly unread: Unread;
  /** What the address or endpoint of a pod refers to. */
  targetRef(pod: Pod): TargetRef;
  /** Endpoints as the core is to see them, and as they are to be written. */
  inward(endpoints: EndpointsInput): EndpointsInput;
  outward(endpoints: Endpoints): Endpoints;
}

/**
 * The core knows pods alone, and by their names. So a workload is a pod whose name no pod can have, everywhere between the caches and
 * what is computed, in which only the workload is named.
 * @throws RangeError for what contradicts itself
 */
export function disguiseOf({ resource, toPod, withPods, targetRef }: Workloads, profile: Profile): Disguise {
  const arePods = isPods(resource);
  if (arePods && withPods) throw new RangeError('workloads.withPods is true though the workloads are pods: leave it out');
  const prefix = arePods ? '' : `${resource.plural}.${resource.group}:`;
  const { kind, apiVersion } = targetRef ?? (arePods ? { kind: 'Pod' } : { apiVersion: apiVersionOf(resource), kind: resource.kind });
  return {
    resource,
    prefix,
    toPod(object) {
      const pod = checked(toPod(object));
      return pod && asPod(pod, object, prefix);
    },
    unread: createUnread(),
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

const isPods = ({ plural, group }: Resource): boolean => plural === resources.pods.plural && group === resources.pods.group;

/** What a function of somebody else's answers with, whatever its type says. */
function checked(pod: Pod | null | undefined): Pod | undefined {
  if (pod === undefined || pod === null) return undefined;
  if (typeof pod !== 'object' || Array.isArray(pod)) throw new TypeError(`it gives ${JSON.stringify(pod)}: give a pod, or undefined`);
  if (!('then' in pod)) return pod;
  // nobody else waits for it, and a rejection without anybody to take it ends the process
  void Promise.resolve(pod).catch(() => undefined);
  throw new TypeError('it gives a promise: make it a function that is not asynchronous');
}
