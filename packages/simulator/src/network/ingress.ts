import { createRouter, type NetworkContext, type RecordRoutes } from './router.ts';
import { computeReadyRoutes } from './service-routes.ts';

/** An ingress proxy that connects to pods itself. */
export interface IngressSettings {
  /** The proxy's name. Its routes have the actor "ingress/NAME". */
  readonly name: string;
  /** The keys "namespace/name" of the Services that it serves. */
  readonly services: readonly string[];
  /** The minimum time between two configurations, in milliseconds. Default: 0. */
  readonly minIntervalMs?: number;
}

/** Runs an ingress proxy: it follows slices, and connects to ready endpoints only. A configuration takes the delay "ingressSync". */
export function createIngress(context: NetworkContext, { name, services, minIntervalMs = 0 }: IngressSettings, record: RecordRoutes): void {
  const served = new Set(services);
  const actor = `ingress/${name}`;
  createRouter(context, {
    actor,
    delay: 'ingressSync',
    minIntervalMs,
    isWatched: () => true,
    apply: (key, state) => {
      if (served.has(key)) record(actor, key, state ? computeReadyRoutes(state) : []);
    },
  });
}
