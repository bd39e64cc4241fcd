import { createOverrides, type OverrideRule } from '@kube-endpoints/overrides';
import { type Cluster, createCluster, type createRandomChoice } from '@kube-endpoints/simulator/internal';
import { createRulesWebhook } from '../../src/analysis/simulation/rules.ts';
import { createApplications } from '../../src/network/application.ts';
import { type BalancerMode, startBalancer } from './balancer.ts';
import { addressOf, batch, changeImage, createSet, isUpdated, objects, service } from './world.ts';

export interface StoryOptions {
  readonly mode: BalancerMode;
  /** How the containers are replaced; by default in place. */
  readonly replace?: 'inPlace' | 'deletion';
  /** Rules that are in force from the drain on until it ends. */
  readonly rules?: (addresses: readonly string[]) => readonly OverrideRule[];
  /** When the feed reconnects, in seconds since the replacement. */
  readonly reconnect?: { readonly afterSeconds: readonly number[]; readonly stream: 'same' | 'new' };
  readonly choose: ReturnType<typeof createRandomChoice>;
  readonly windowMs?: number;
}

/** What happened, with times in milliseconds since the epoch. */
export interface Story {
  readonly cluster: Cluster;
  readonly drainedAt: number;
  readonly replacedAt: number;
  readonly undrainedAt: number;
  /** The addresses of the batch at the drain, by the names of its pods. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** The time between the drain and the replacement, in milliseconds. */
const waitMs = 30_000;

/** A deployer drains the hosts of a batch, waits, replaces their containers at once, and ends the drain when all are ready. */
export function runStory(options: StoryOptions): Story {
  const { mode, replace = 'inPlace', rules, reconnect, choose, windowMs = 2000 } = options;
  const webhook = createRulesWebhook(() => cluster, createOverrides);
  const cluster: Cluster = createCluster({
    objects,
    choose,
    ranges: { applicationExit: { min: 1000, max: 15_000 } },
    startApplication: (clock) => createApplications(clock),
    admit: webhook.admit,
  });
  const { clock } = cluster;
  const balancer = startBalancer(cluster, { service, mode, windowMs });
  const pass = (milliseconds: number): void => cluster.runUntil(clock.now() + milliseconds);
  pass(60_000);

  const drainedAt = clock.now();
  const addresses = new Map(batch.map((name) => [name, addressOf(cluster, name)]));
  if (rules) webhook.setRules(rules([...addresses.values()]));
  balancer.drain([...addresses.values()]);
  for (const seconds of reconnect?.afterSeconds ?? [])
    clock.at(drainedAt + waitMs + seconds * 1000, () => balancer.reconnect(reconnect?.stream ?? 'same'));
  pass(waitMs);

  const replacedAt = clock.now();
  cluster.apply(createSet('web:2'));
  for (const name of batch) {
    if (replace === 'inPlace') changeImage(cluster, name, 'web:2');
    else cluster.delete('Pod', 'default', name);
  }
  while (!batch.every((name) => isUpdated(cluster, name, 'web:2'))) {
    if (clock.now() > replacedAt + 600_000) throw new Error('the pods do not become ready');
    pass(1000);
  }

  const undrainedAt = clock.now();
  if (rules) webhook.setRules([]);
  balancer.undrain(batch.map((name) => addressOf(cluster, name)));
  pass(10_000);
  return { cluster, drainedAt, replacedAt, undrainedAt, addresses };
}
