import { createRouter } from '@kube-endpoints/simulator/internal';
import { createProxier, formatNftablesTransaction, isWatched, type ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { rulesSlackMs } from './delays.ts';
import type { Feed } from './feed.ts';
import { loadRules, type NodeNetwork } from './network.ts';
import { minSyncPeriodMs } from './prediction.ts';
import type { RealClock } from './real-clock.ts';

export interface ProxyOptions {
  readonly clock: RealClock;
  readonly feed: Feed;
  readonly node: NodeNetwork;
  /** Rules were loaded. */
  onLoaded(): void;
  onError(error: unknown): void;
}

/**
 * Runs a node's proxy: rules of `kube-endpoints/proxy`, loaded into its namespace at the end of each sync of kube-proxy, whose times are the
 * simulator's.
 */
export function startProxy({ clock, feed, node, onLoaded, onError }: ProxyOptions): void {
  const proxier = createProxier({ node: { name: node.name, addresses: [node.address] } });
  const slices = new Set<string>();
  let loading = Promise.resolve();
  const load = async (): Promise<void> => {
    const start = Date.now();
    await loadRules(node.name, formatNftablesTransaction(proxier.sync()));
    clock.noteLateness('a load of rules', Date.now() - start, rulesSlackMs);
    onLoaded();
  };
  createRouter(
    { clock, watches: feed.hub },
    {
      actor: `kube-proxy/${node.name}`,
      delay: 'proxySync',
      minIntervalMs: minSyncPeriodMs,
      isWatched,
      apply(key, state) {
        if (state) proxier.services.set(state.service as ProxyService);
        else proxier.services.delete(key);
        const current = new Set(state?.slices.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
        for (const slice of slices) if (!current.has(slice)) proxier.endpointSlices.delete(slice);
        slices.clear();
        for (const slice of current) slices.add(slice);
        for (const slice of state?.slices ?? []) proxier.endpointSlices.set(slice as EndpointSliceInput);
        loading = loading.then(load).catch(onError);
      },
    },
  );
}
