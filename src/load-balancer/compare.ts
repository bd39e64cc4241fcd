import { nameOf } from '../apimachinery/index.ts';
import { findCauses, namesOfGates } from '../versions/causes.ts';
import type { ReleaseOptions } from '../versions/index.ts';
import { type LoadBalancerGateName, type LoadBalancerSettings, loadBalancerGates, loadBalancerSettings } from './gates.ts';
import { chooseNodes } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import { wantsLoadBalancerForSettings } from './wants.ts';

/** What two releases of the service controller do differently for a Service. */
export interface LoadBalancerChange {
  /** Whether the controller provides a load balancer, whether it adds its finalizer, or which nodes it passes to the cloud. */
  readonly what: 'provided' | 'finalizer' | 'nodes';
  /** For nodes, their names; otherwise "yes" or nothing. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The gates that cause the change. */
  readonly gates: readonly LoadBalancerGateName[];
}

/**
 * Compares what the service controllers of two releases do for a Service of type LoadBalancer; no change for other types.
 * @param nodes all nodes; undefined if unknown
 * @throws RangeError for an unknown version, or an invalid feature gate
 */
export function compareLoadBalancers(
  service: BalancedService,
  nodes: readonly BalancedNode[] | undefined,
  from: ReleaseOptions,
  to: ReleaseOptions,
): LoadBalancerChange[] {
  const compute = (settings: LoadBalancerSettings): Plan => {
    const isProvided = wantsLoadBalancerForSettings(service, settings);
    return {
      provided: isProvided ? ['yes'] : [],
      finalizer: isProvided && settings.finalizerAdded ? ['yes'] : [],
      nodes: isProvided && nodes ? chooseNodes(nodes, service.spec?.externalTrafficPolicy, settings).map(nameOf) : [],
    };
  };
  const [older, newer] = [loadBalancerSettings(from), loadBalancerSettings(to)];
  const [before, after] = [compute(older), compute(newer)];
  return findCauses({ older, newer, before, after, gates: namesOfGates(loadBalancerGates), compute, findAspects }).map(
    ({ what, gates }) => ({ what, before: before[what], after: after[what], gates }),
  );
}

type Plan = Readonly<Record<LoadBalancerChange['what'], readonly string[]>>;

const findAspects = (a: Plan, b: Plan): LoadBalancerChange['what'][] =>
  (['provided', 'finalizer', 'nodes'] as const).filter((what) => a[what].join() !== b[what].join());
