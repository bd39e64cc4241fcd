import type { Timer } from '../engine/clock.ts';
import type { TargetFact, TargetState } from '../engine/timeline.ts';
import { type CheckedTarget, checkTarget, type LoadBalancerSettings } from './load-balancer.ts';
import type { NetworkContext, RecordRoutes, Route } from './router.ts';

/** The targets of one port of a Service. */
interface TargetGroup {
  /** Sorted. */
  readonly addresses: readonly string[];
  /** By address, with those that are draining. */
  readonly targets: Map<string, Target>;
}

interface Target extends CheckedTarget {
  readonly place: Omit<TargetFact, 'type' | 'state'>;
  state?: TargetState;
  /** The start of its health checks. */
  registration?: Timer | undefined;
  /** The end of its connections after its removal. */
  cut?: Timer;
}

interface Balancers {
  readonly context: NetworkContext;
  readonly settings: LoadBalancerSettings;
  readonly record: RecordRoutes;
  /** Receives the address of a pod whose targets are all healthy. */
  readonly onHealthy: ((address: string) => void) | undefined;
  /** In milliseconds since the epoch. */
  readonly start: number;
  /** By "namespace/name", then by the name of the port. */
  readonly services: Map<string, Map<string, TargetGroup>>;
}

/**
 * Creates a recorder of the routes of load balancers of pods: those to targets that have passed their health checks. If all targets of a Service's
 * port have failed theirs, all of them get traffic. Targets that exist at the start are healthy, because the cluster starts at rest. A removed target
 * is draining: its connections are cut after the deregistration delay, unless it returns. Routes of other components are recorded as they are.
 */
export function createTargetRecorder(
  context: NetworkContext,
  settings: LoadBalancerSettings,
  record: RecordRoutes,
  onHealthy?: Balancers['onHealthy'],
): RecordRoutes {
  if (!settings.healthChecks && settings.deregistrationDelayMs === undefined) return record;
  const services: Balancers['services'] = new Map();
  const balancers: Balancers = { context, settings, record, onHealthy, start: context.clock.now(), services };
  context.listeners?.onChange((addresses) => {
    for (const groups of services.values())
      for (const { targets } of groups.values())
        for (const address of addresses) {
          const target = targets.get(address);
          if (target && target.state !== 'draining' && !target.registration) check(balancers, target);
        }
  });
  return (actor, service, routes) => {
    if (!actor.startsWith('load-balancer/')) return record(actor, service, routes);
    const known = [...(services.get(service)?.keys() ?? [])];
    const ended = known.filter((port) => !routes.some((route) => route.port === port)).map((port): Route => ({ port, addresses: [] }));
    for (const route of [...ended, ...routes]) applyRoute(balancers, actor, service, route);
    publish(balancers, actor, service);
    for (const address of new Set(routes.flatMap(({ addresses }) => addresses))) reportHealth(balancers, address);
  };
}

/** Reports a pod whose targets are all healthy. */
function reportHealth({ services, onHealthy }: Balancers, address: string): void {
  const targets = [...services.values()].flatMap((groups) => [...groups.values()].flatMap((group) => group.targets.get(address) ?? []));
  if (targets.length > 0 && targets.every(({ state }) => state === 'healthy')) onHealthy?.(address);
}

function publish({ services, record }: Balancers, actor: string, service: string): void {
  const groups = [...(services.get(service) ?? [])];
  const routes = groups.map(([port, group]): Route => ({ port, addresses: findUsed(group) }));
  record(actor, service, routes);
}

/** The addresses that get traffic. */
function findUsed({ addresses, targets }: TargetGroup): readonly string[] {
  const ofState = (state: TargetState): readonly string[] => addresses.filter((address) => targets.get(address)?.state === state);
  const healthy = ofState('healthy');
  return healthy.length === 0 && ofState('unhealthy').length === addresses.length ? addresses : healthy;
}

function applyRoute(balancers: Balancers, actor: string, service: string, { port, addresses }: Route): void {
  const { services } = balancers;
  const groups = services.get(service) ?? new Map<string, TargetGroup>();
  const { targets } = groups.get(port) ?? { targets: new Map<string, Target>() };
  services.set(service, groups.set(port, { addresses, targets }));
  const registered = new Set(addresses);
  for (const [address, target] of targets)
    if (!registered.has(address) && target.state !== 'draining') deregister(balancers, target, () => targets.delete(address));
  for (const address of addresses) {
    const target = targets.get(address) ?? { place: { actor, service, port, address } };
    if (target.state === undefined || target.state === 'draining') register(balancers, target);
    targets.set(address, target);
  }
}

function register(balancers: Balancers, target: Target): void {
  const { context, settings, start } = balancers;
  const isHealthy = !settings.healthChecks || context.clock.now() === start;
  target.cut?.cancel();
  target.works = isHealthy || undefined;
  setState(balancers, target, isHealthy ? 'healthy' : 'initial');
  const begin = (): void => {
    target.registration = undefined;
    check(balancers, target);
  };
  if (isHealthy) begin();
  else target.registration = context.clock.after({ name: 'firstHealthCheck', actor: target.place.actor }, begin);
}

function deregister(balancers: Balancers, target: Target, forget: () => void): void {
  const { clock } = balancers.context;
  const { deregistrationDelayMs } = balancers.settings;
  target.registration?.cancel();
  target.check?.cancel();
  setState(balancers, target, 'draining');
  if (deregistrationDelayMs === undefined) {
    forget();
    return;
  }
  target.cut = clock.at(clock.now() + deregistrationDelayMs, () => {
    forget();
    setState(balancers, target, 'unused');
  });
}

function check(balancers: Balancers, target: Target): void {
  const { clock, listeners } = balancers.context;
  const { settings } = balancers;
  if (!settings.healthChecks) return;
  const { actor, service, port, address } = target.place;
  checkTarget(clock, settings, target, listeners?.accepts(address, service, port) ?? true, (works) =>
    setState(balancers, target, works ? 'healthy' : 'unhealthy', () => {
      publish(balancers, actor, service);
      reportHealth(balancers, address);
    }),
  );
}

function setState({ context }: Balancers, target: Target, state: TargetState, react?: () => void): void {
  if (target.state === state) return;
  target.state = state;
  context.clock.record({ type: 'target', ...target.place, state }, react);
}
