import type { Optional, Pod } from 'kube-endpoints/types';
import type { Entry } from '../view/entry.ts';
import { type IPNumber, readIP } from './ranges.ts';

/** The pods that the host gave, found as rules need them. Nothing is looked through before it is asked for. */
export interface PodIndex {
  readonly given: boolean;
  /** The pod that an address is of, by its reference. */
  of(entry: Pick<Entry, 'targetRef'>): Pod | undefined;
  /** A pod of another namespace that has an IP for itself, where no pod of the own namespace has it. */
  foreignAt(ip: IPNumber): Pod | undefined;
}

export function createPodIndex(pods: readonly Pod[] | undefined, namespace: string): PodIndex {
  let byName: Map<string, Pod> | undefined;
  let byIP: Map<number | bigint, Pod> | undefined;
  return {
    given: pods !== undefined,
    of({ targetRef }) {
      if (!pods || !isPodReference(targetRef)) return undefined;
      byName ??= new Map(pods.map((pod) => [`${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`, pod]));
      const pod = byName.get(`${targetRef?.namespace || namespace}/${targetRef?.name ?? ''}`);
      const uid = pod?.metadata?.uid;
      return uid && targetRef?.uid && uid !== targetRef.uid ? undefined : pod;
    },
    foreignAt(ip) {
      if (!pods) return undefined;
      byIP ??= indexByIP(pods, namespace);
      const pod = byIP.get(ip.v6 ?? ip.v4);
      return pod && (pod.metadata?.namespace ?? '') !== namespace ? pod : undefined;
    },
  };
}

export const isPodReference = (reference: Optional<{ readonly kind?: Optional<string> }>): boolean =>
  reference?.kind === 'Pod' || (!!reference && !reference.kind);

/** A pod of the own namespace goes before those of others. */
function indexByIP(pods: readonly Pod[], namespace: string): Map<number | bigint, Pod> {
  const index = new Map<number | bigint, Pod>();
  for (const pod of pods) {
    if (!hasAddressForItself(pod)) continue;
    const isOwn = (pod.metadata?.namespace ?? '') === namespace;
    for (const text of [pod.status?.podIP, ...(pod.status?.podIPs ?? []).map(({ ip }) => ip)]) {
      const ip = text ? readIP(text) : undefined;
      const key = ip && (ip.v6 ?? ip.v4);
      if (key !== undefined && (isOwn || !index.has(key))) index.set(key, pod);
    }
  }
  return index;
}

/** One on the node's network shares its address with whatever else is there, and one that has ended has lost it. */
function hasAddressForItself({ spec, status }: Pod): boolean {
  const isOnNode = (spec as { readonly hostNetwork?: unknown } | undefined)?.hostNetwork === true;
  return !isOnNode && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
