import { get } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from 'kube-endpoints/port';
import type { TargetNode } from './targets.ts';

/** Probes nodes periodically for local endpoints, which kube-proxy reports on the health check node port. */
export interface Prober {
  /** Sets the nodes and the port. If they changed, starts a new round; results of unchanged nodes are kept. */
  set(nodes: readonly TargetNode[], port: number | undefined): void;
  /** Returns the last result for a node; undefined if there is none yet; true if there is no port to probe. */
  healthOf(name: string): boolean | undefined;
  stop(): void;
}

export interface ProberOptions {
  readonly clock: Clock;
  readonly probeMs: number;
  readonly probeTimeoutMs: number;
  /** Called when the health of a node is first known, and when it changes. */
  readonly onChange: (name: string, healthy: boolean) => void;
}

export function createProber({ clock, probeMs, probeTimeoutMs, onChange }: ProberOptions): Prober {
  let targets: ProbeTargets = { nodes: [], port: undefined };
  let health = new Map<string, boolean>();
  let endRound: (() => void) | undefined;
  const beginRound = (): void => {
    endRound?.();
    endRound = startRound({ clock, ...targets, probeTimeoutMs, probeMs, onResult, startNextRound: beginRound });
  };
  const onResult = (name: string, healthy: boolean): void => {
    if (health.get(name) === healthy) return;
    health.set(name, healthy);
    onChange(name, healthy);
  };
  return {
    set(nodes, port) {
      if (isDeepStrictEqual(targets, { nodes, port })) return;
      const previousAddresses = new Map(port === targets.port ? targets.nodes.map(({ name, address }) => [name, address]) : []);
      const previousHealth = nodes.flatMap(({ name, address }) =>
        previousAddresses.get(name) === address ? [[name, health.get(name)] as const] : [],
      );
      health = new Map(previousHealth.flatMap(([name, healthy]) => (healthy === undefined ? [] : [[name, healthy]])));
      targets = { nodes: [...nodes], port };
      if (port === undefined) endRound?.();
      else beginRound();
    },
    healthOf: (name) => (targets.port === undefined ? true : health.get(name)),
    stop: () => endRound?.(),
  };
}

interface ProbeTargets {
  readonly nodes: readonly TargetNode[];
  readonly port: number | undefined;
}

interface RoundOptions extends ProbeTargets {
  readonly clock: Clock;
  readonly probeMs: number;
  readonly probeTimeoutMs: number;
  readonly onResult: (name: string, healthy: boolean) => void;
  readonly startNextRound: () => void;
}

/** Number of nodes probed concurrently. */
const maxParallelProbes = 16;

/** Probes each node once, and schedules the next round after the last answer. Returns a function that ends the round. */
function startRound({ clock, nodes, port, probeMs, probeTimeoutMs, onResult, startNextRound }: RoundOptions): () => void {
  const probeCancellers = new Set<() => void>();
  let timer: { cancel(): void } | undefined;
  let hasEnded = false;
  let nextIndex = 0;
  const probeNext = (): void => {
    const node = nodes[nextIndex];
    if (node && port !== undefined) {
      nextIndex += 1;
      const cancel = probe(urlOf(node, port), clock, probeTimeoutMs, (healthy) => {
        probeCancellers.delete(cancel);
        if (hasEnded) return;
        onResult(node.name, healthy);
        probeNext();
      });
      probeCancellers.add(cancel);
    } else if (probeCancellers.size === 0) {
      timer ??= clock.schedule(startNextRound, probeMs);
    }
  };
  for (let i = 0; i < maxParallelProbes; i++) probeNext();
  return () => {
    hasEnded = true;
    timer?.cancel();
    for (const cancel of probeCancellers) cancel();
  };
}

/** Calls `onResult` once, asynchronously. Returns a function that cancels the probe. */
function probe(url: string, clock: Clock, timeoutMs: number, onResult: (healthy: boolean) => void): () => void {
  let healthy = false;
  const request = get(url, { agent: false }, (response) => {
    healthy = response.statusCode === 200;
    request.destroy();
  });
  const timer = clock.schedule(() => request.destroy(), timeoutMs);
  request.on('error', () => {});
  request.once('close', () => {
    timer.cancel();
    onResult(healthy);
  });
  return () => request.destroy();
}

const urlOf = ({ address }: TargetNode, port: number): string =>
  `http://${address.includes(':') ? `[${address}]` : address}:${port}/healthz`;
