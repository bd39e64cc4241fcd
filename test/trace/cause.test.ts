import { describe, expect, it } from 'vitest';
import type { TraceObjects } from '../../src/trace/index.ts';
import { crashingStatus, makeCluster, makePod, makeService, runTrace, shop } from './shop.ts';

const causeOf = (target: string, objects: TraceObjects, question = {}) => runTrace(target, objects, question).cause;
const crashing = makeCluster(
  [makeService('web')],
  [makePod('web-1', 1, { status: crashingStatus }), makePod('web-2', 2, { status: crashingStatus })],
);
const onNode3 = makeCluster([makeService('web', { internalTrafficPolicy: 'Local' })], [makePod('web-3', 3), makePod('client-1', 1)]);

describe('the cause of a trace', () => {
  it('is absent if traffic reaches all endpoints, or leads outside', () => {
    expect(causeOf('web', shop)).toBeUndefined();
    expect(causeOf('example.com', shop)).toBeUndefined();
  });

  it('is the root cause in the pods if there are no usable endpoints', () => {
    expect(causeOf('web', crashing)).toStrictEqual({
      code: 'ContainerWaiting',
      message: '2 pods (web-1, web-2): the container app is not running: waiting: CrashLoopBackOff.',
      evidence: [{ object: 'Pod shop/web-1', path: 'status.containerStatuses[0].state.waiting', value: '{"reason":"CrashLoopBackOff"}' }],
      fix: {
        text: 'Check the Events of the pod: kubectl describe pod. If the container ran before, check why it ended: kubectl logs --previous.',
        command: 'kubectl -n shop describe pod web-1',
      },
      stage: 'readiness',
    });
  });

  it('is the field of the Service that keeps traffic from a node', () => {
    expect(causeOf('web', onNode3, { from: 'client-1' })).toStrictEqual({
      code: 'NoEndpointOnNode',
      message: 'Node n1 has no usable endpoint, and the traffic policy allows no other node.',
      evidence: [{ object: 'Service shop/web', path: 'spec.internalTrafficPolicy', value: '"Local"' }],
      fix: {
        text: 'Run a ready pod on each node that sends traffic, or set service.spec.internalTrafficPolicy to Cluster.',
        command: `kubectl -n shop patch service web -p '{"spec":{"internalTrafficPolicy":"Cluster"}}'`,
      },
      stage: 'policy',
    });
  });

  it.each([
    ['a name that does not exist', 'wbe', shop, {}, 'ServiceNotFound', 'Use web.shop.'],
    ['a port that the Service does not have', 'web:81', shop, {}, 'ServicePortNotFound', 'Use web:80.'],
    [
      'outdated slices',
      'web',
      { ...shop, slices: [] },
      {},
      'SlicesMissEndpoints',
      'Check that kube-controller-manager is running and not delayed.',
    ],
    [
      'a client with the DNS of its node',
      'web',
      withClient({ dnsPolicy: 'Default' }),
      { from: 'client' },
      'NodeDnsUsed',
      expect.stringContaining('Set dnsPolicy'),
    ],
  ] as const)('is %s', (_, target, objects, question, code, fix) => {
    const cause = causeOf(target, objects, question);
    expect([cause?.code, cause?.fix?.text]).toStrictEqual([code, fix]);
  });

  it('ignores problems of other ports', () => {
    const ports = [
      { name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' },
      { name: 'metrics', port: 90, targetPort: 'nothing', protocol: 'TCP' },
    ];
    const cluster = makeCluster([makeService('web', { ports })], [makePod('web-1', 1), makePod('web-2', 2, { status: crashingStatus })]);
    expect(causeOf('web:http', cluster)?.code).toBe('ContainerWaiting');
    expect(causeOf('web:metrics', cluster)?.code).toBe('PortFoundInNoPod');
  });

  function withClient(spec: object): TraceObjects {
    return makeCluster([makeService('web')], [makePod('web-1', 1), makePod('client', 9, { spec: spec as never })]);
  }
});
