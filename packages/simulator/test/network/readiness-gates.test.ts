import { notFound } from '@kube-endpoints/apiserver/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import type { Call } from '../../src/controller/controller.ts';
import { createNetwork } from '../../src/network/network.ts';
import { createWorld, service, slice, type World } from './world.ts';

const gate = 'target-health.elbv2.k8s.aws/web';

interface PodState {
  readonly gates?: readonly string[];
  /** The types of conditions that are True. */
  readonly conditions?: readonly string[];
  readonly deletionTimestamp?: string;
}

/** The pod at 10.0.0.2. */
const pod = ({ gates = [gate], conditions = ['ContainersReady'], deletionTimestamp }: PodState = {}): ApiObject => ({
  kind: 'Pod',
  metadata: { namespace: 'shop', name: 'b', uid: 'uid-b', ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
  spec: { readinessGates: gates.map((conditionType) => ({ conditionType })) },
  status: { podIPs: [{ ip: '10.0.0.2' }], conditions: conditions.map((type) => ({ type, status: 'True' })) },
});

const waiting = slice('s1', [{ ip: '10.0.0.1' }, { ip: '10.0.0.2', ready: false, pod: 'uid-b' }]);

/** A load balancer with the target 10.0.0.1. Watches and requests take as long as they may: 100 ms, 50 ms, changes of targets and registrations 10 s. */
function createGated(answer: (call: Call) => ApiObject = () => pod()): World & { readonly calls: string[] } {
  const world = createWorld([service({ type: 'LoadBalancer' }), slice('s1', [{ ip: '10.0.0.1' }])]);
  const calls: string[] = [];
  const loadBalancer = {
    targets: 'pods',
    healthChecks: true,
    readinessGate: true,
    healthCheckIntervalMs: 10_000,
    healthyThreshold: 2,
  } as const;
  createNetwork(
    {
      ...world,
      answer: (actor, call) => {
        calls.push(`${world.clock.now()} ${actor} ${JSON.stringify(call)}`);
        return answer(call);
      },
    },
    [],
    { loadBalancer },
  );
  return { ...world, calls };
}

const call =
  '{"do":"patch","kind":"Pod","namespace":"shop","name":"b","type":"strategic","patch":{"metadata":{"uid":"uid-b"},"status":{"conditions":[{"type":"target-health.elbv2.k8s.aws/web","status":"True"}]}},"subresource":"status"}';

test('a pod that only waits for its gate becomes a target, and gets the condition when the target is healthy', () => {
  const world = createGated();
  world.write(pod());
  world.write(waiting);
  world.clock.runUntil(100_000);
  expect(world.targets()).toStrictEqual(['0 10.0.0.1 healthy', '10100 10.0.0.2 initial', '40100 10.0.0.2 healthy']);
  expect(world.calls).toStrictEqual([`40150 load-balancers ${call}`]);
});

test('a pod becomes a target when its containers are ready, although its EndpointSlice does not change', () => {
  const world = createGated();
  world.write(pod({ conditions: [] }));
  world.write(waiting);
  world.clock.at(20_000, () => world.write(pod()));
  world.clock.at(70_000, () => world.write(pod({ conditions: [] })));
  world.clock.runUntil(100_000);
  expect(world.targets()).toStrictEqual([
    ...['0 10.0.0.1 healthy', '30100 10.0.0.2 initial', '60100 10.0.0.2 healthy', '80100 10.0.0.2 draining'],
  ]);
});

test.each<[string, PodState]>([
  ['has no gate of a load balancer', { gates: ['example.com/other'] }],
  ['is terminating', { deletionTimestamp: '2030-01-01T00:00:00Z' }],
])('a pod that is not ready and %s is no target', (_, state) => {
  const world = createGated();
  world.write(pod(state));
  world.write(waiting);
  world.clock.runUntil(100_000);
  expect(world.targets()).toStrictEqual(['0 10.0.0.1 healthy']);
  expect(world.calls).toStrictEqual([]);
});

test.each<[string, string]>([
  ['GKE', 'cloud.google.com/load-balancer-neg-ready'],
  ['another cloud', 'target-health.elb.k8s.cce/web'],
])('opens the gate of %s', (_, conditionType) => {
  const world = createGated();
  world.write(pod({ gates: [conditionType, 'example.com/other'] }));
  world.write(waiting);
  world.clock.runUntil(100_000);
  expect(world.calls).toStrictEqual([`40150 load-balancers ${call.replace(gate, conditionType)}`]);
});

test('a condition that is set is not written again', () => {
  const world = createGated();
  world.write(pod({ conditions: ['ContainersReady', gate] }));
  world.write(waiting);
  world.clock.runUntil(100_000);
  expect(world.calls).toStrictEqual([]);
});

test('a pod that was deleted before its condition is written ends nothing', () => {
  const world = createGated(() => {
    throw notFound({ group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }, 'b');
  });
  world.write(pod());
  world.write(waiting);
  world.clock.runUntil(100_000);
  expect(world.calls).toHaveLength(1);
});
