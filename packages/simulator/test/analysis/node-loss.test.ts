import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import type { Drop } from '../../src/analysis/drop.ts';
import { findDrops } from '../../src/analysis/drops.ts';
import { explainDrops } from '../../src/analysis/explain.ts';
import { type Run, runScenario, type Scenario, type ScenarioContext, startScenario } from '../../src/analysis/scenario.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { createBoundChoice } from '../../src/engine/delays.ts';
import { createDeployment, createNodes, createService, type ScheduledPod } from '../cluster/objects.ts';
import { createServingDraft } from './timeline.ts';

const since = 1000;

describe('a lost node in a timeline', () => {
  test('drops connections to its pods until the routes change, but not those of clients on it', () => {
    const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1', 'kube-proxy/n2']);
    const lost = draft.node(2000, 'lost', 'n1');
    const slice = draft.slice(60_000, lost);
    const last = draft.route(61_000, 'kube-proxy/n2', [], slice);
    const drops = findDrops(draft.entries, { since });
    expect(drops[1]).toStrictEqual({
      kind: 'nodeLost',
      service: 'shop/web',
      from: 1000,
      to: 60_000,
      isOngoing: false,
      pods: ['shop/a', 'shop/b'],
      nodes: ['n1'],
      endpoints: 2,
      actors: ['kube-proxy/n2'],
      share: 1,
      causes: [lost],
      endCauses: [last, slice, lost],
      slicesWritten: { from: 59_000, to: 59_000 },
    } satisfies Drop);
    expect(explainDrops(drops.slice(0, 2))).toStrictEqual([
      'at 1.0 s: running requests to 2 pods of shop/web are cut, because n1 stopped answering while they ran.',
      "1.0–60.0 s: 2 of 2 endpoints of shop/web still receive connections although their node is lost (up to 100% of a client's connections), because n1 stopped answering, which the node lifecycle controller notices after its grace period: the EndpointSlices without them were written at 59.0 s, and the proxy of n2 applied them until 60.0 s.",
    ]);
  });

  test('drops connections until it is restored', () => {
    const draft = createServingDraft(['a'], ['kube-proxy/n2']);
    draft.node(2000, 'lost', 'n1');
    draft.node(9000, 'restored', 'n1');
    const [, drop] = findDrops(draft.entries, { since });
    expect(drop).toMatchObject({ kind: 'nodeLost', from: 1000, to: 8000, isReopened: true });
    expect(explainDrops([drop as Drop])[0]).toContain('because n1 stopped answering until 8.0 s.');
  });
});

const nodeOfFirstPod = (cluster: Cluster): string => cluster.list<ScheduledPod>('Pod')[0]?.spec.nodeName as string;

const run = (change: (cluster: Cluster) => void, extra: Partial<Scenario> = {}): Run => {
  const actions = [{ at: 0, run: ({ cluster }: ScenarioContext) => change(cluster) }];
  const scenario = { objects: [...createNodes(3), createService('web'), createDeployment('web')], actions, ...extra };
  return runScenario(
    scenario,
    startScenario(scenario),
    createBoundChoice(() => false),
  );
};

const kindsOf = (drops: readonly Drop[]): string[] => [...new Set(drops.map(({ kind }) => kind))];

describe('in a cluster', () => {
  test('clients are routed to the pods of a lost node until its grace period is over and the routes have changed', () => {
    const lost: string[] = [];
    const { drops, timeline, unfinished } = run((cluster) => {
      lost.push(nodeOfFirstPod(cluster));
      cluster.loseNode(lost[0] as string);
    });
    expect(kindsOf(drops)).toStrictEqual(['cut', 'nodeLost']);
    const drop = drops.find(({ kind }) => kind === 'nodeLost') as Drop;
    expect(drop).toMatchObject({ nodes: lost, isOngoing: false, from: 0 });
    expect(drop.to).toBeGreaterThan(40_000);
    expect(drop.to).toBeLessThan(70_000);
    const written = drop.slicesWritten as { readonly to: number };
    expect(drop.to - written.to).toBeLessThan(3000);
    expect(explainDrops([drop])[0]).toContain(`${lost[0]} stopped answering, which the node lifecycle controller notices`);
    expect(drop.causes.map((id) => timeline[id]?.type)).toStrictEqual(['node']);
    expect(unfinished).toStrictEqual([]);
  });

  test('a restored node serves again, and its drop ends', () => {
    const { drops, unfinished } = run((cluster) => {
      const name = nodeOfFirstPod(cluster);
      cluster.loseNode(name);
      cluster.clock.at(cluster.clock.now() + 20_000, () => cluster.restoreNode(name));
    });
    expect(drops.find(({ kind }) => kind === 'nodeLost')).toMatchObject({ from: 0, to: 20_000, isReopened: true });
    expect(unfinished).toStrictEqual([]);
  });

  test('health checks of a load balancer find a lost node', () => {
    const service = createService('web') as ApiObject & { spec: object };
    const objects = [...createNodes(3), { ...service, spec: { ...service.spec, type: 'LoadBalancer' } }, createDeployment('web')];
    const { drops } = run((cluster) => cluster.loseNode('n2'), { objects });
    const drop = drops.find(({ kind, pods }) => kind === 'nodeLost' && pods.length === 0) ?? drops.find(({ kind }) => kind === 'nodeLost');
    expect(drop?.actors).toContain('load-balancer/web');
  });

  test('a pod of a node that shuts down gets connections until its containers have ended, but none after the node is off', () => {
    const lifecycle = { preStop: { sleep: { seconds: 15 } } };
    const objects = [...createNodes(3), createService('web'), createDeployment('web', { container: { lifecycle } })];
    const { drops, unfinished } = run((cluster) => cluster.shutDownNode(nodeOfFirstPod(cluster)), { objects });
    expect(kindsOf(drops)).toStrictEqual(['closed']);
    expect(drops[0]?.from).toBeGreaterThanOrEqual(15_000);
    expect(drops[0]?.to).toBeLessThan(20_000);
    expect(unfinished).toStrictEqual([]);
  });
});
