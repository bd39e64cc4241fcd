import { describe, expect, it } from 'vitest';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import { type BalancedService, CloudError, createLoadBalancerPlanner, type LoadBalancerPlanner } from '../../src/load-balancer/index.ts';
import { updateHosts } from '../../src/load-balancer/node-sync.ts';
import { chooseNodes } from '../../src/load-balancer/nodes.ts';
import { createFailingAnswer, type PlayResult, play, status } from './script.ts';
import { makeExcludedNode, makeNode, makeService } from './services.ts';

const nodes = [makeNode('n1')];
const key = 'shop/web';
const fail = createFailingAnswer(new Error('cloud is down'));
const conflict = Object.assign(new Error('it changed'), { reason: 'Conflict' });
const serverError = Object.assign(new Error('no etcd leader'), { reason: 'InternalError' });

const createPlanner = (version: string): LoadBalancerPlanner => createLoadBalancerPlanner({ version });

const syncIn = (planner: LoadBalancerPlanner, service: BalancedService | undefined, script = {}): PlayResult<void> =>
  play(planner.sync(key, service, nodes), script);

const warningsIn = ({ log }: PlayResult<unknown>): string[] => log.filter((line) => line.startsWith('Warning'));

describe('up to 1.14', () => {
  it('every new Service and every deleted Service is enqueued', () => {
    const dueIn = (version: string): boolean[] => [
      createPlanner(version).serviceChanged(undefined, makeService({ type: 'ClusterIP' })).due,
      createPlanner(version).serviceChanged(makeService(), undefined).due,
    ];
    expect(['1.9', '1.14', '1.15', '1.16', '1.37'].map(dueIn)).toEqual([
      [true, true],
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
  });

  it('the cloud is asked about a Service of another type, and nothing else happens', () => {
    const { log } = syncIn(createPlanner('1.9'), makeService({ type: 'ClusterIP' }), { get: () => undefined });
    expect(log).toEqual(['get']);
  });

  it('no finalizer is added, and the status is replaced', () => {
    const { log } = syncIn(createPlanner('1.14'), makeService());
    expect(log).toEqual([
      'Normal EnsuringLoadBalancer: Ensuring load balancer',
      'ensure n1',
      'Normal EnsuredLoadBalancer: Ensured load balancer',
      'updateStatus',
    ]);
  });

  it('the load balancer of a deleted Service is deleted only if the controller has synced the Service', () => {
    const planner = createPlanner('1.9');
    syncIn(planner, makeService());
    expect(syncIn(planner, undefined).log).toContain('delete');
    expect(syncIn(createPlanner('1.9'), undefined).log).toEqual([]);
  });

  it('a Service recreated with the same name is forgotten if its first sync fails', () => {
    const keysIn = (version: string): string[] => {
      const planner = createPlanner(version);
      syncIn(planner, makeService({}, { uid: 'u1' }));
      syncIn(planner, makeService({}, { uid: 'u2' }), { ensure: fail });
      return [...planner.keys];
    };
    expect(['1.14', '1.15'].map(keysIn)).toEqual([[], [key]]);
  });

  it('implemented elsewhere is a failure; from 1.16 on it is not', () => {
    const elsewhere = createFailingAnswer(new CloudError('Elsewhere', 'implemented by alternate to cloud provider'));
    const failsIn = (version: string): boolean => syncIn(createPlanner(version), makeService(), { ensure: elsewhere }).error !== undefined;
    expect(['1.9', '1.15', '1.16'].map(failsIn)).toEqual([true, true, false]);
  });
});

describe('the Event of a failure', () => {
  const service = makeService({}, { namespace: 'shop', name: 'web' });
  const oldEnsure = 'failed to ensure load balancer for service shop/web: cloud is down';
  const oldGet = 'error getting LB for service shop/web: cloud is down';

  it.each<[string, string]>([
    ['1.9', `CreatingLoadBalancerFailed: Error creating load balancer (will retry): ${oldEnsure}`],
    ['1.14', `CreatingLoadBalancerFailed: Error creating load balancer (will retry): ${oldEnsure}`],
    ['1.15', 'SyncLoadBalancerFailed: Error syncing load balancer: failed to ensure load balancer: cloud is down'],
  ])('of a creation in %s is %s', (version, event) => {
    expect(warningsIn(syncIn(createPlanner(version), service, { ensure: fail }))).toEqual([`Warning ${event}`]);
  });

  it.each<[string, string]>([
    ['1.9', `CreatingLoadBalancerFailed: Error creating load balancer (will retry): ${oldGet}`],
    ['1.10', `CleanupLoadBalancerFailed: Error cleaning up load balancer (will retry): ${oldGet}`],
    ['1.15', 'SyncLoadBalancerFailed: Error syncing load balancer: failed to check if load balancer exists before cleanup: cloud is down'],
  ])('of a cleanup in %s is %s', (version, event) => {
    const clusterIP = { ...service, spec: { ...service.spec, type: 'ClusterIP' } };
    expect(warningsIn(syncIn(createPlanner(version), clusterIP, { get: fail }))).toEqual([`Warning ${event}`]);
  });

  it.each<[string, string]>([
    ['1.14', 'DeletingLoadBalancerFailed: Error deleting load balancer (will retry): cloud is down'],
    ['1.15', 'DeleteLoadBalancerFailed: Error deleting load balancer: cloud is down'],
  ])('of a deletion in %s is %s', (version, event) => {
    const planner = createPlanner(version);
    syncIn(planner, service);
    expect(warningsIn(syncIn(planner, undefined, { delete: fail }))).toEqual([`Warning ${event}`]);
  });

  it.each<[string, string]>([
    ['1.9', 'LoadBalancerUpdateFailed: Error updating load balancer with new hosts [n1 n2]: cloud is down'],
    ['1.10', 'LoadBalancerUpdateFailed: Error updating load balancer with new hosts map[n1:{} n2:{}]: cloud is down'],
    ['1.15', 'UpdateLoadBalancerFailed: Error updating load balancer with new hosts map[n1:{} n2:{}]: cloud is down'],
  ])('of a node update in %s is %s', (version, event) => {
    const steps = updateHosts(service, [makeNode('n1'), makeNode('n2')], loadBalancerSettings({ version }));
    expect(warningsIn(play(steps, { update: fail }))).toEqual([`Warning ${event}`]);
  });
});

describe('a status that cannot be written', () => {
  const service = makeService({}, { namespace: 'shop', name: 'web' });
  const conflictText = "not persisting update to service 'shop/web' that has been changed since we received it: it changed";
  const givenUpText = 'Error creating load balancer (will not retry): failed to persist updated status to apiserver, even after retries.';

  it.each<[string, unknown, string[], boolean]>([
    ['1.9', conflict, [`Warning CreatingLoadBalancerFailed: ${givenUpText} Giving up: ${conflictText}`], false],
    ['1.9', serverError, [`Warning CreatingLoadBalancerFailed: ${givenUpText} Giving up: no etcd leader`], false],
    ['1.11.3', conflict, [], false],
    ['1.11.4', conflict, [`Warning CreatingLoadBalancerFailed: Error creating load balancer (will retry): ${conflictText}`], true],
    ['1.14', serverError, [], false],
  ])('in %s because of %s causes the Events %j; the sync fails: %s', (version, error, events, fails) => {
    const result = syncIn(createPlanner(version), service, { updateStatus: createFailingAnswer(error) });
    expect([warningsIn(result), result.error !== undefined]).toEqual([events, fails]);
  });
});

describe('the delay of a retry in 1.9', () => {
  const delaysOf = (planner: LoadBalancerPlanner, count: number): (number | undefined)[] =>
    Array.from({ length: count }, () => (syncIn(planner, makeService(), { ensure: fail }).error as { retryAfter?: number }).retryAfter);

  it('doubles from 5 s to 300 s, and starts again after a success', () => {
    const planner = createPlanner('1.9');
    expect(delaysOf(planner, 8)).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    syncIn(planner, makeService({}, {}, { loadBalancer: status }));
    expect(delaysOf(planner, 1)).toEqual([5000]);
    planner.forget(key);
    expect(delaysOf(planner, 1)).toEqual([5000]);
  });

  it('is left to the queue from 1.10 on', () => {
    expect(delaysOf(createPlanner('1.10'), 1)).toEqual([undefined]);
  });
});

describe('the exclude label, in a cluster with the feature gate ServiceNodeExclusion', () => {
  const alphaLabel = 'alpha.service-controller.kubernetes.io/exclude-balancer';

  it.each<[string, readonly string[]]>([
    ['1.9', ['new', 'none']],
    ['1.15', ['new', 'none']],
    ['1.16', ['none']],
    ['1.18', ['none']],
    ['1.19', ['alpha', 'none']],
  ])('in %s leaves only the nodes %j', (version, names) => {
    const labelledNodes = [makeNode('alpha', { metadata: { labels: { [alphaLabel]: '' } } }), makeExcludedNode('new'), makeNode('none')];
    const chosenNodes = chooseNodes(labelledNodes, undefined, { ...loadBalancerSettings({ version }), excludeLabelRespected: true });
    expect(chosenNodes.map(({ metadata }) => metadata?.name)).toEqual(names);
  });
});
