import { describe, expect, it } from 'vitest';
import { createLoadBalancerPlanner } from '../../src/load-balancer/index.ts';
import { createFailingAnswer, play } from './script.ts';
import { finalizer, makeExcludedNode, makeNode, makeService, makeUnreadyNode } from './services.ts';

const key = 'shop/web';
const nodes = [makeNode('n1')];
const metadataWithFinalizer = { finalizers: [finalizer] };
const calls = (log: readonly string[]): string[] => log.filter((each) => /^(get|ensure|update|delete)\b/.test(each));

describe('serviceChanged', () => {
  const planner = createLoadBalancerPlanner();

  it('requests a sync for a new Service that needs a load balancer or a clean-up', () => {
    expect(planner.serviceChanged(undefined, makeService())).toEqual({ due: true, events: [] });
    expect(planner.serviceChanged(undefined, makeService({ type: 'NodePort' }, metadataWithFinalizer)).due).toBe(true);
    expect(planner.serviceChanged(undefined, makeService({ type: 'NodePort' })).due).toBe(false);
    expect(planner.serviceChanged(undefined, makeService({ loadBalancerClass: 'a' }, metadataWithFinalizer)).due).toBe(false);
  });

  it('requests a sync for a relevant change, and for every update of a Service that needs a clean-up', () => {
    expect(planner.serviceChanged(makeService(), makeService()).due).toBe(false);
    expect(planner.serviceChanged(makeService(), makeService({ loadBalancerIP: '203.0.113.9' })).due).toBe(true);
    const needingCleanup = makeService({ type: 'NodePort' }, metadataWithFinalizer);
    expect(planner.serviceChanged(needingCleanup, needingCleanup).due).toBe(true);
  });

  it('emits an Event about the change in releases that do so', () => {
    const service = makeService({ type: 'ClusterIP' });
    const { events } = createLoadBalancerPlanner({ version: '1.31' }).serviceChanged(makeService(), service);
    expect(events).toEqual([{ do: 'event', service, type: 'Normal', reason: 'Type', message: 'LoadBalancer -> ClusterIP' }]);
    expect(planner.serviceChanged(makeService(), service).events).toEqual([]);
  });
});

describe('nodeChanged', () => {
  it('requests a node sync for added and removed nodes, and for relevant changes', () => {
    const planner = createLoadBalancerPlanner();
    expect([planner.nodeChanged(undefined, nodes[0]), planner.nodeChanged(nodes[0], undefined)]).toEqual([true, true]);
    expect(planner.nodeChanged(undefined, undefined)).toBe(false);
    expect(planner.nodeChanged(makeNode('n1'), makeExcludedNode('n1'))).toBe(true);
    expect(planner.nodeChanged(makeNode('n1'), makeUnreadyNode('n1'))).toBe(false);
  });

  it('never requests a node sync in releases that sync by period alone', () => {
    const planner = createLoadBalancerPlanner({ version: '1.18' });
    expect([planner.nodeChanged(undefined, nodes[0]), planner.nodeChanged(makeNode('n1'), makeUnreadyNode('n1'))]).toEqual([false, false]);
  });

  it('matches the period and the retry strategy of node syncs in each release', () => {
    const planners = ['1.17', '1.19', '1.25', '1.26', '1.36'].map((version) => createLoadBalancerPlanner({ version }));
    expect(planners.map(({ nodeSyncPeriod }) => nodeSyncPeriod)).toEqual([100_000, 100_000, 100_000, undefined, undefined]);
    expect(planners.map(({ failuresToQueue }) => failuresToQueue)).toEqual([false, false, false, true, true]);
  });
});

describe('sync', () => {
  it('remembers only Services that may have a load balancer', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    play(planner.sync('shop/other', makeService({ type: 'NodePort' }), nodes), { get: () => undefined });
    expect([...planner.keys]).toEqual([key]);
    play(planner.sync(key, makeService({ type: 'NodePort' }, metadataWithFinalizer), nodes));
    expect([...planner.keys]).toEqual([]);
  });

  it('remembers a Service whose sync failed, whether it was to be ensured or cleaned up', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes), { ensure: createFailingAnswer(new Error('down')) });
    play(planner.sync(key, makeService({ type: 'NodePort' }, metadataWithFinalizer), nodes), {
      get: createFailingAnswer(new Error('down')),
    });
    expect([...planner.keys]).toEqual([key]);
  });

  it('deletes the load balancer of a Service whose deletion was missed, and retries that', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    expect(play(planner.sync(key, undefined, nodes), { delete: createFailingAnswer(new Error('down')) }).error).toMatchObject({
      message: 'down',
    });
    expect(calls(play(planner.sync(key, undefined, nodes)).log)).toEqual(['delete']);
    expect(play(planner.sync(key, undefined, nodes))).toEqual({ log: [], result: undefined });
  });

  it('first deletes the load balancer of an earlier Service with the same name and a different UID', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    const next = makeService({}, { uid: 'u2' });
    expect(calls(play(planner.sync(key, next, nodes), { delete: createFailingAnswer(new Error('down')) }).log)).toEqual(['delete']);
    expect(calls(play(planner.sync(key, next, nodes)).log)).toEqual(['delete', 'ensure n1']);
    expect(calls(play(planner.sync(key, next, nodes)).log)).toEqual(['ensure n1']);
  });

  it('deletes nothing for a forgotten Service', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    planner.forget(key);
    expect(play(planner.sync(key, undefined, nodes)).log).toEqual([]);
  });

  it('does not change its arguments', () => {
    const service = freezeDeeply(
      makeService({ type: 'ClusterIP' }, { finalizers: [finalizer, 'a'] }, { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } }),
    );
    const planner = createLoadBalancerPlanner();
    expect(play(planner.sync(key, service, freezeDeeply([makeNode('b'), makeNode('a')]))).error).toBeUndefined();
    expect(play(planner.sync(key, freezeDeeply(makeService()), freezeDeeply([makeNode('b'), makeNode('a')]))).error).toBeUndefined();
  });
});

describe('servicesToUpdate and syncNodes', () => {
  it('update a load balancer whose nodes changed since its sync', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    expect(planner.servicesToUpdate(nodes)).toEqual([]);
    const nodesAfterAddition = [...nodes, makeNode('n0')];
    expect(planner.servicesToUpdate(nodesAfterAddition)).toEqual([key]);
    expect(calls(play(planner.syncNodes(key, nodesAfterAddition)).log)).toEqual(['update n0 n1']);
    expect(planner.servicesToUpdate(nodesAfterAddition)).toEqual([]);
  });

  it('pick up nodes that are added during a sync', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), [...nodes, makeNode('n2')]));
    const steps = planner.sync(key, makeService(), nodes);
    steps.next();
    const nodesAfterAddition = [...nodes, makeNode('n2')];
    expect(planner.servicesToUpdate(nodesAfterAddition)).toEqual([key]);
    play(steps);
    expect(calls(play(planner.syncNodes(key, nodesAfterAddition)).log)).toEqual(['update n1 n2']);
    expect(planner.servicesToUpdate(nodesAfterAddition)).toEqual([]);
  });

  it('ignore a sync that was abandoned', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    const steps = planner.sync(key, makeService(), nodes);
    steps.next();
    steps.return(undefined);
    expect(planner.servicesToUpdate(nodes)).toEqual([]);
  });
});

it('createLoadBalancerPlanner refuses an unknown version', () => {
  expect(() => createLoadBalancerPlanner({ version: '1.8' })).toThrow(RangeError);
});

function freezeDeeply<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) freezeDeeply(each);
  return Object.freeze(value);
}
