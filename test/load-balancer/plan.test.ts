import { describe, expect, it } from 'vitest';
import { createLoadBalancerPlanner } from '../../src/load-balancer/index.ts';
import { fails, play } from './script.ts';
import { excluded, finalizer, makeNode, makeService, unready } from './services.ts';

const key = 'shop/web';
const nodes = [makeNode('n1')];
const held = { finalizers: [finalizer] };
const calls = (said: readonly string[]): string[] => said.filter((each) => /^(get|ensure|update|delete)\b/.test(each));

describe('serviceChanged', () => {
  const planner = createLoadBalancerPlanner();

  it('makes a sync due of what is new and wants one, or owes a clean-up', () => {
    expect(planner.serviceChanged(undefined, makeService())).toEqual({ due: true, events: [] });
    expect(planner.serviceChanged(undefined, makeService({ type: 'NodePort' }, held)).due).toBe(true);
    expect(planner.serviceChanged(undefined, makeService({ type: 'NodePort' })).due).toBe(false);
    expect(planner.serviceChanged(undefined, makeService({ loadBalancerClass: 'a' }, held)).due).toBe(false);
  });

  it('makes one due of a change that concerns it, and of a clean-up whenever it is seen', () => {
    expect(planner.serviceChanged(makeService(), makeService()).due).toBe(false);
    expect(planner.serviceChanged(makeService(), makeService({ loadBalancerIP: '203.0.113.9' })).due).toBe(true);
    const owing = makeService({ type: 'NodePort' }, held);
    expect(planner.serviceChanged(owing, owing).due).toBe(true);
  });

  it('tells of the change in releases that do', () => {
    const service = makeService({ type: 'ClusterIP' });
    const { events } = createLoadBalancerPlanner({ version: '1.31' }).serviceChanged(makeService(), service);
    expect(events).toEqual([{ do: 'event', service, type: 'Normal', reason: 'Type', message: 'LoadBalancer -> ClusterIP' }]);
    expect(planner.serviceChanged(makeService(), service).events).toEqual([]);
  });
});

describe('nodeChanged', () => {
  it('is due for nodes that come and go, and changes that matter', () => {
    const planner = createLoadBalancerPlanner();
    expect([planner.nodeChanged(undefined, nodes[0]), planner.nodeChanged(nodes[0], undefined)]).toEqual([true, true]);
    expect(planner.nodeChanged(undefined, undefined)).toBe(false);
    expect(planner.nodeChanged(makeNode('n1'), excluded('n1'))).toBe(true);
    expect(planner.nodeChanged(makeNode('n1'), unready('n1'))).toBe(false);
  });

  it('never is where time alone counts', () => {
    const planner = createLoadBalancerPlanner({ version: '1.18' });
    expect([planner.nodeChanged(undefined, nodes[0]), planner.nodeChanged(makeNode('n1'), unready('n1'))]).toEqual([false, false]);
  });

  it('goes with the way looks are made', () => {
    const ways = ['1.17', '1.19', '1.25', '1.26', '1.36'].map((version) => createLoadBalancerPlanner({ version }));
    expect(ways.map(({ nodeSyncPeriod }) => nodeSyncPeriod)).toEqual([100_000, 100_000, 100_000, undefined, undefined]);
    expect(ways.map(({ failuresToQueue }) => failuresToQueue)).toEqual([false, false, false, true, true]);
  });
});

describe('sync', () => {
  it('remembers the Services that may have a load balancer, and no others', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    play(planner.sync('shop/other', makeService({ type: 'NodePort' }), nodes), { get: () => undefined });
    expect([...planner.keys]).toEqual([key]);
    play(planner.sync(key, makeService({ type: 'NodePort' }, held), nodes));
    expect([...planner.keys]).toEqual([]);
  });

  it('keeps one whose sync failed, whatever it was to be', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes), { ensure: fails(new Error('down')) });
    play(planner.sync(key, makeService({ type: 'NodePort' }, held), nodes), { get: fails(new Error('down')) });
    expect([...planner.keys]).toEqual([key]);
  });

  it('deletes the load balancer of a Service that went unseen, and tries that again', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    expect(play(planner.sync(key, undefined, nodes), { delete: fails(new Error('down')) }).error).toMatchObject({ message: 'down' });
    expect(calls(play(planner.sync(key, undefined, nodes)).said)).toEqual(['delete']);
    expect(play(planner.sync(key, undefined, nodes))).toEqual({ said: [], result: undefined });
  });

  it('deletes that of a Service of the same name and another UID first', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    const next = makeService({}, { uid: 'u2' });
    expect(calls(play(planner.sync(key, next, nodes), { delete: fails(new Error('down')) }).said)).toEqual(['delete']);
    expect(calls(play(planner.sync(key, next, nodes)).said)).toEqual(['delete', 'ensure n1']);
    expect(calls(play(planner.sync(key, next, nodes)).said)).toEqual(['ensure n1']);
  });

  it('does not delete for one that it has to forget', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    planner.forget(key);
    expect(play(planner.sync(key, undefined, nodes)).said).toEqual([]);
  });

  it('leaves what it is given alone', () => {
    const service = deepFrozen(
      makeService({ type: 'ClusterIP' }, { finalizers: [finalizer, 'a'] }, { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } }),
    );
    const planner = createLoadBalancerPlanner();
    expect(play(planner.sync(key, service, deepFrozen([makeNode('b'), makeNode('a')]))).error).toBeUndefined();
    expect(play(planner.sync(key, deepFrozen(makeService()), deepFrozen([makeNode('b'), makeNode('a')]))).error).toBeUndefined();
  });
});

describe('servicesToUpdate and syncNodes', () => {
  it('bring a load balancer to nodes that changed since its sync', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    expect(planner.servicesToUpdate(nodes)).toEqual([]);
    const more = [...nodes, makeNode('n0')];
    expect(planner.servicesToUpdate(more)).toEqual([key]);
    expect(calls(play(planner.syncNodes(key, more)).said)).toEqual(['update n0 n1']);
    expect(planner.servicesToUpdate(more)).toEqual([]);
  });

  it('miss no nodes that come while a sync goes on', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), [...nodes, makeNode('n2')]));
    const steps = planner.sync(key, makeService(), nodes);
    steps.next();
    const now = [...nodes, makeNode('n2')];
    expect(planner.servicesToUpdate(now)).toEqual([key]);
    play(steps);
    expect(calls(play(planner.syncNodes(key, now)).said)).toEqual(['update n1 n2']);
    expect(planner.servicesToUpdate(now)).toEqual([]);
  });

  it('are done with a sync that is given up', () => {
    const planner = createLoadBalancerPlanner();
    play(planner.sync(key, makeService(), nodes));
    const steps = planner.sync(key, makeService(), nodes);
    steps.next();
    steps.return(undefined);
    expect(planner.servicesToUpdate(nodes)).toEqual([]);
  });
});

it('refuses an unknown version', () => {
  expect(() => createLoadBalancerPlanner({ version: '1.9' })).toThrow(RangeError);
});

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) deepFrozen(each);
  return Object.freeze(value);
}
