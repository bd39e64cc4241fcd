import type { ProxyService } from 'kube-endpoints/proxy';
import type { Clock, Timer } from '../engine/clock.ts';
import { createRouter, type NetworkContext, type RecordRoutes, type Route } from './router.ts';
import { computeReadyRoutes } from './service-routes.ts';

/** How external load balancers serve Services of type LoadBalancer. */
export interface LoadBalancerSettings {
  /** `nodes` forwards to the node ports of all nodes; `pods` to the ready pods of the EndpointSlices. */
  readonly targets: 'nodes' | 'pods';
  /** Whether it checks the health of pods, too. Default: a pod gets traffic as long as it is a target. Nodes are always checked. */
  readonly healthChecks?: boolean;
  /** The time between two health checks of a target, in milliseconds. */
  readonly healthCheckIntervalMs: number;
  /** The number of failures after which a target gets no traffic. */
  readonly unhealthyThreshold: number;
  /** The number of successes after which a new target, or an unhealthy one, gets traffic. */
  readonly healthyThreshold: number;
  /**
   * Whether the controller of the load balancer sets the conditions of readiness gates, such as `target-health.elbv2.k8s.aws/web`, when the targets
   * of a pod are healthy. Pods that only wait for that are targets, too. Default: such pods never become ready.
   */
  readonly readinessGate?: boolean;
  /** With the targets `pods`: milliseconds after the removal of a target until its open connections are cut. Default: they are not. */
  readonly deregistrationDelayMs?: number;
  /** With the targets `pods`: milliseconds for which it collects changes before it reads them, from the first one on. */
  readonly windowMs: number;
}

/** The health checks that aws-load-balancer-controller (2.13) sets for the Network Load Balancer of a Service. */
export const loadBalancerDefaults: LoadBalancerSettings = {
  targets: 'nodes',
  healthCheckIntervalMs: 10_000,
  unhealthyThreshold: 3,
  healthyThreshold: 3,
  windowMs: 0,
};

/** Runs load balancers of pods: their targets follow EndpointSlices after the delay "balancerSync". */
export function createPodBalancers(context: NetworkContext, { windowMs }: LoadBalancerSettings, record: RecordRoutes): void {
  createRouter(context, {
    actor: 'load-balancers',
    delay: 'balancerSync',
    minIntervalMs: 0,
    windowMs,
    isWatched: () => true,
    apply: (key, state) => {
      if (state && isBalanced(state.service as ProxyService)) record(`load-balancer/${nameOf(key)}`, key, computeReadyRoutes(state));
    },
  });
}

/** A node's routes for connections from outside. */
export type OnExternal = (service: string, node: string, routes: readonly Route[]) => void;

/**
 * Runs load balancers of nodes, whose traffic the kube-proxies of the nodes forward. With externalTrafficPolicy Local, a node without local
 * endpoints fails its health checks, and so does a lost node; until it has failed enough of them, its share of the connections fails. Such a node is
 * listed among the addresses as "node/NAME".
 * @param isLocal whether a Service has externalTrafficPolicy Local; undefined if it has no load balancer
 */
export function createNodeBalancers(
  { clock, clockOf }: NetworkContext,
  settings: LoadBalancerSettings,
  isLocal: (service: string) => boolean | undefined,
  record: RecordRoutes,
): OnExternal {
  const services = new Map<string, Map<string, Target>>();
  const publish = (service: string): void => {
    const targets = [...(services.get(service) ?? [])].filter(([, { isHealthy }]) => isHealthy);
    record(`load-balancer/${nameOf(service)}`, service, mergeTargets(targets));
  };
  const watched = new Set<string>();
  /** Applies the loss of a node to the targets of all Services. */
  const watchNode = (node: string): void => {
    if (watched.has(node)) return;
    watched.add(node);
    clockOf?.(node).onChange(() => {
      for (const service of services.keys()) update(service, node);
    });
  };
  const update = (service: string, node: string): void => {
    const target = services.get(service)?.get(node);
    const local = isLocal(service);
    if (!target || local === undefined) return;
    target.isLost = clockOf?.(node).isLost ?? false;
    checkTarget(clock, settings, target, !target.isLost && (!local || hasAddresses(target.routes)), (isHealthy) => {
      target.isHealthy = isHealthy;
      publish(service);
    });
    publish(service);
  };
  return (service, node, routes) => {
    const local = isLocal(service);
    if (local === undefined) return;
    watchNode(node);
    const nodes = services.get(service) ?? new Map<string, Target>();
    services.set(service, nodes);
    const works = !local || hasAddresses(routes);
    const target: Target = nodes.get(node) ?? { routes, isHealthy: works, works, isLost: false };
    nodes.set(node, target);
    target.routes = routes;
    update(service, node);
  };
}

const hasAddresses = (routes: readonly Route[]): boolean => routes.some(({ addresses }) => addresses.length > 0);

interface Target extends CheckedTarget {
  routes: readonly Route[];
  /** Whether the load balancer forwards connections to the node. */
  isHealthy: boolean;
  /** Whether the node is lost. */
  isLost: boolean;
}

/** What a load balancer checks. */
export interface CheckedTarget {
  /** Whether health checks succeed; undefined before the first one. */
  works?: boolean | undefined;
  /** The last one of the checks that run. */
  check?: Timer;
}

/** Notes whether health checks of a target succeed from now on, and calls back once enough checks in a row have had a new result. */
export function checkTarget(
  clock: Clock,
  { healthCheckIntervalMs, healthyThreshold, unhealthyThreshold }: LoadBalancerSettings,
  target: CheckedTarget,
  works: boolean,
  onResult: (works: boolean) => void,
): void {
  if (target.works === works) return;
  target.works = works;
  target.check?.cancel();
  const checks = works ? healthyThreshold : unhealthyThreshold;
  target.check = clock.at(clock.now() + checks * healthCheckIntervalMs, () => onResult(works));
}

/** Merges the routes of nodes per port. */
function mergeTargets(targets: readonly (readonly [node: string, target: Target])[]): Route[] {
  const ports = new Map<string, { readonly lists: Set<readonly string[]>; readonly empty: string[] }>();
  for (const [node, { routes, isLost }] of targets)
    for (const { port, addresses } of routes) {
      const merged = ports.get(port) ?? { lists: new Set(), empty: [] };
      ports.set(port, merged);
      if (addresses.length > 0 && !isLost) merged.lists.add(addresses);
      else merged.empty.push(`node/${node}`);
    }
  return [...ports].map(([port, { lists, empty }]) => ({ port, addresses: mergeLists([...lists, empty]) }));
}

function mergeLists(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists.filter((list) => list.length > 0);
  return others.length === 0 ? first : [...new Set([first, ...others].flat())].sort();
}

export const isBalanced = ({ spec }: ProxyService): boolean => spec?.type === 'LoadBalancer';

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);
