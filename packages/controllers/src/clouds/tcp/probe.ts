import { get } from 'node:http';
import type { Clock } from 'kube-endpoints/port';

/** What a prober asks. */
export interface Probed {
  readonly name: string;
  readonly address: string;
}

/** Asks nodes again and again whether they have endpoints of their own, as kube-proxy tells on the health check node port. */
export interface Prober {
  /** Other nodes, or another port; those it knows nothing of yet are asked soon. */
  set(nodes: readonly Probed[], port: number | undefined): void;
  /** Undefined: not known yet. */
  healthy(name: string): boolean | undefined;
  stop(): void;
}

export interface ProberOptions {
  readonly clock: Clock;
  readonly probeMs: number;
  readonly probeTimeoutMs: number;
  /** The health of a node is known, and was not or was another. */
  readonly changed: (name: string, healthy: boolean) => void;
}

export function createProber({ clock, probeMs, probeTimeoutMs, changed }: ProberOptions): Prober {
  let asked: Asked = { nodes: [], port: undefined };
  let health = new Map<string, boolean>();
  let round: Round | undefined;
  const begin = (): void => {
    round?.end();
    round = startRound({ clock, ...asked, probeTimeoutMs, probeMs, answered, again: begin });
  };
  const answered = (name: string, healthy: boolean): void => {
    if (health.get(name) === healthy) return;
    health.set(name, healthy);
    changed(name, healthy);
  };
  return {
    set(nodes, port) {
      if (isSame(asked, { nodes, port })) return;
      const before = new Map(port === asked.port ? asked.nodes.map(({ name, address }) => [name, address]) : []);
      const known = nodes.flatMap(({ name, address }) => (before.get(name) === address ? [[name, health.get(name)] as const] : []));
      health = new Map(known.flatMap(([name, healthy]) => (healthy === undefined ? [] : [[name, healthy]])));
      asked = { nodes: [...nodes], port };
      if (port === undefined) round?.end();
      else begin();
    },
    healthy: (name) => (asked.port === undefined ? true : health.get(name)),
    stop: () => round?.end(),
  };
}

interface Asked {
  readonly nodes: readonly Probed[];
  readonly port: number | undefined;
}

interface Round {
  end(): void;
}

interface RoundOptions extends Asked {
  readonly clock: Clock;
  readonly probeMs: number;
  readonly probeTimeoutMs: number;
  readonly answered: (name: string, healthy: boolean) => void;
  readonly again: () => void;
}

/** How many nodes are asked at a time. */
const atOnce = 16;

/** Asks every node once, and begins again a while after the last of them has answered. */
function startRound({ clock, nodes, port, probeMs, probeTimeoutMs, answered, again }: RoundOptions): Round {
  const pending = new Set<() => void>();
  let timer: { cancel(): void } | undefined;
  let over = false;
  let next = 0;
  const askNext = (): void => {
    const node = nodes[next];
    if (node && port !== undefined) {
      next += 1;
      const cancel = probe({ clock, url: urlOf(node, port), milliseconds: probeTimeoutMs }, (healthy) => {
        pending.delete(cancel);
        if (over) return;
        answered(node.name, healthy);
        askNext();
      });
      pending.add(cancel);
    } else if (pending.size === 0) {
      timer ??= clock.schedule(again, probeMs);
    }
  };
  for (let i = 0; i < atOnce; i++) askNext();
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

/** Calls back once, later. Gives what ends it before. */
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

const isSame = (a: Asked, b: Asked): boolean =>
  a.port === b.port && a.nodes.length === b.nodes.length && a.nodes.every((node, i) => isSameNode(node, b.nodes[i] as Probed));
