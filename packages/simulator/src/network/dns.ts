import type { ProxyService } from 'kube-endpoints/proxy';
import type { Clock } from '../engine/clock.ts';
import { createRouter, type NetworkContext, type RecordRoutes, type Route } from './router.ts';
import { computeReadyRoutes } from './service-routes.ts';

export interface DnsOptions {
  /** The names of the nodes whose pods resolve names. The pods of a node share one cache. */
  readonly nodes: readonly string[];
  readonly record: RecordRoutes;
}

/**
 * Runs CoreDNS and the resolvers of its clients, for headless Services. CoreDNS answers from its watch without a further delay. A resolver
 * always has clients that ask, so that it asks CoreDNS again as soon as its cached answer expires: after the delay "resolverCache".
 */
export function createDns(context: NetworkContext, { nodes, record }: DnsOptions): void {
  const resolvers = nodes.map((node) => {
    const actor = `dns/${node}`;
    return createResolver(context.clockOf?.(node) ?? context.clock, actor, (service, routes) => record(actor, service, routes));
  });
  const headless = new Set<string>();
  createRouter(context, {
    actor: 'coredns',
    delay: undefined,
    minIntervalMs: 0,
    isWatched: () => true,
    apply: (key, state) => {
      if (state ? (state.service as ProxyService).spec?.clusterIP !== 'None' : !headless.has(key)) return;
      headless.add(key);
      const routes = state ? computeReadyRoutes(state) : [];
      for (const resolve of resolvers) resolve(key, routes);
    },
  });
}

type Resolve = (service: string, routes: readonly Route[]) => void;

/** The first answer about a Service is not delayed, because no older one is cached. */
function createResolver(clock: Clock, actor: string, show: Resolve): Resolve {
  const answers = new Map<string, { routes: readonly Route[]; cause: number | undefined; isCached: boolean }>();
  return (service, routes) => {
    const known = answers.get(service);
    const answer = known ?? { routes, cause: clock.cause, isCached: false };
    Object.assign(answer, { routes, cause: clock.cause });
    if (!known) {
      answers.set(service, answer);
      return show(service, routes);
    }
    if (answer.isCached) return;
    answer.isCached = true;
    clock.after({ name: 'resolverCache', actor }, () => {
      answer.isCached = false;
      clock.because(answer.cause, () => show(service, answer.routes));
    });
  };
}
