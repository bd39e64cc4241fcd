import { get } from 'node:http';
import type { Clock } from 'kube-endpoints/port';

/** A node to probe. */
export interface Probed {
  readonly name: string;
  readonly address: string;
}

/** Probes nodes periodically for local endpoints, which kube-proxy reports on the health check node port. */
export interface Prober {
  /** Sets the nodes and the port. If they changed, starts a new round; results of unchanged nodes are kept. */
  set(nodes: readonly Probed[], port: number | undefined): void;
  /** Undefined if not yet known; true if there is no port to probe. */
  healthy(name: string): boolean | undefined;
  stop(): void;
}

export interface ProberOptions {
  readonly clock: Clock;
  readonly probeMs: number;
  readonly probeTimeoutMs: number;
  /** Called when the health of a node is first known, and when it changes. */
  readonly changed: (name: string, healthy: boolean) => void;
}

export function createProber({ clock, probeMs, probeTimeoutMs, changed }: ProberOptions): Prober {
  let targets: ProbeTargets = { nodes: [], port: undefined };
  let health = new Map<string, boolean>();
  let round: Round | undefined;
  const begin = (): void => {
    round?.end();
    round = startRound({ clock, ...targets, probeTimeoutMs, probeMs, answered, again: begin });
  };
  const answered = (name: string, healthy: boolean): void => {
    if (health.get(name) === healthy) return;
    health.set(name, healthy);
    changed(name, healthy);
  };
  return {
    set(nodes, port) {
      if (isSame(targets, { nodes, port })) return;
      const before = new Map(port === targets.port ? targets.nodes.map(({ name, address }) => [name, address]) : []);
      const known = nodes.flatMap(({ name, address }) => (before.get(name) === address ? [[name, health.get(name)] as const] : []));
      health = new Map(known.flatMap(([name, healthy]) => (healthy === undefined ? [] : [[name, healthy]])));
      targets = { nodes: [...nodes], port };
      if (port === undefined) round?.end();
      else begin();
    },
    healthy: (name) => (targets.port === undefined ? true : health.get(name)),
    stop: () => round?.end(),
  };
}

interface ProbeTargets {
  readonly nodes: readonly Probed[];
  readonly port: number | undefined;
}

interface Round {
  end(): void;
}

interface RoundOptions extends ProbeTargets {
  readonly clock: Clock;
  readonly probeMs: number;
  readonly probeTimeoutMs: number;
  readonly answered: (name: string, healthy: boolean) => void;
  readonly again: () => void;
}

/** Number of nodes probed concurrently. */
const maxParallelProbes = 16;

/** Probes each node once, and schedules the next round after the last answer. */
function startRound({ clock, nodes, port, probeMs, probeTimeoutMs, answered, again }: RoundOptions): Round {
  const pending = new Set<() => void>();
  let timer: { cancel(): void } | undefined;
  let over = false;
  let next = 0;
  const probeNext = (): void => {
    const node = nodes[next];
    if (node && port !== undefined) {
      next += 1;
      const cancel = probe({ clock, url: urlOf(node, port), milliseconds: probeTimeoutMs }, (healthy) => {
        pending.delete(cancel);
        if (over) return;
        answered(node.name, healthy);
        probeNext();
      });
      pending.add(cancel);
    } else if (pending.size === 0) {
      timer ??= clock.schedule(again, probeMs);
    }
  };
  for (let i = 0; i < maxParallelProbes; i++) probeNext();
  return {
    end() {
      over = true;
      timer?.cancel();
      for (const cancel of pending) cancel();
    },
  };
}

interface Probe {
  readonly clock: Clock;
  readonly url: string;
  readonly milliseconds: number;
}

/** Calls `done` once, asynchronously. Returns a function that cancels the probe. */
function probe({ clock, url, milliseconds }: Probe, done: (healthy: boolean) => void): () => void {
  let healthy = false;
  const request = get(url, { agent: false }, (response) => {
    healthy = response.statusCode === 200;
    request.destroy();
  });
  const timer = clock.schedule(() => request.destroy(), milliseconds);
  request.on('error', () => {});
  request.once('close', () => {
    timer.cancel();
    done(healthy);
  });
  return () => request.destroy();
}

const urlOf = ({ address }: Probed, port: number): string => `http://${address.includes(':') ? `[${address}]` : address}:${port}/healthz`;

const isSameNode = (a: Probed, b: Probed): boolean => a.name === b.name && a.address === b.address;

const isSame = (a: ProbeTargets, b: ProbeTargets): boolean =>
  a.port === b.port && a.nodes.length === b.nodes.length && a.nodes.every((node, i) => isSameNode(node, b.nodes[i] as Probed));
