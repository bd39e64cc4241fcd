import { candidatesOf, resolverOf, type TracePod } from 'kube-endpoints/trace';
import type { Pod } from 'kube-endpoints/types';
import { keyOf } from '../scope.ts';

/** What the resolver of a pod makes of a name. */
export interface Search {
  /** The pod that asks, or the namespace that a pod would be in. */
  readonly from: string;
  readonly searches: readonly string[];
  readonly ndots: number;
  /** Absolute, in the order in which they are tried. */
  readonly names: readonly string[];
  readonly hints: readonly string[];
}

interface Asking {
  readonly pod: Pod | undefined;
  readonly namespace: string;
  /** "cluster.local" */
  readonly zone: string;
}

/** The search path of a pod, or of any pod of a namespace that does not say how it looks names up. */
export function searchOf(name: string, { pod, namespace, zone }: Asking): Search {
  // the rules of the input have made sure of what it says of DNS
  const { searches, ndots, asks, policy } = resolverOf(pod as TracePod | undefined, namespace, zone);
  const who = pod ? `pod ${keyOf(pod)}` : `namespace ${namespace}`;
  const others = asks === 'node' ? 'the resolver of its node' : `its own servers (${asks === 'cluster' ? '' : asks.join(', ')})`;
  return {
    from: who,
    searches,
    ndots,
    names: candidatesOf(name, { searches, ndots }),
    hints: asks === 'cluster' ? [] : [`With dnsPolicy ${policy}, ${who} asks ${others}: this is what the cluster's DNS would answer it.`],
  };
}
