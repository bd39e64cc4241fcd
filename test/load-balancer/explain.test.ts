import { describe, expect, it } from 'vitest';
import type { BalancerEvent } from '../../src/load-balancer/explain.ts';
import { type ExplainLoadBalancerOptions, explainLoadBalancer } from '../../src/load-balancer/index.ts';
import { finalizer, makeExcludedNode, makeNode, makeService, makeUnreadyNode } from './services.ts';

const metadataWithFinalizer = { finalizers: [finalizer] };
const status = { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } };
const pendingCause = { code: 'LoadBalancerPending', path: 'service.status.loadBalancer.ingress', values: {} };
const failingCause = (message: string, reason = 'SyncLoadBalancerFailed') => ({
  code: 'LoadBalancerFailing',
  path: 'events',
  values: { message, reason },
});
const codes = (options: ExplainLoadBalancerOptions): string[] => explainLoadBalancer(options).map(({ code }) => code);
const event = (reason: string, lastTimestamp: string, message = '', more: BalancerEvent = {}): BalancerEvent => ({
  type: /Failed$/.test(reason) ? 'Warning' : 'Normal',
  reason,
  message,
  lastTimestamp,
  ...more,
});

describe('explainLoadBalancer', () => {
  it('reports nothing for a Service whose load balancer exists, or that needs no load balancer', () => {
    expect(explainLoadBalancer({ service: makeService({}, metadataWithFinalizer, status), nodes: [makeNode('n1')], events: [] })).toEqual(
      [],
    );
    expect(explainLoadBalancer({ service: makeService({ type: 'ClusterIP' }), nodes: [] })).toEqual([]);
    expect(explainLoadBalancer({ service: {} })).toEqual([]);
  });

  it('reports that a Service with a loadBalancerClass is handled elsewhere, or that its clean-up is overdue', () => {
    const spec = { loadBalancerClass: 'example.com/other' };
    expect(explainLoadBalancer({ service: makeService(spec), nodes: [] })).toEqual([
      { code: 'LoadBalancerOfOtherClass', path: 'service.spec.loadBalancerClass', values: { class: 'example.com/other' } },
    ]);
    expect(codes({ service: makeService(spec, {}, status) })).toEqual([]);
    expect(codes({ service: makeService(spec, metadataWithFinalizer, status) })).toEqual(['LoadBalancerCleanupPending']);
    expect(codes({ service: makeService(spec), version: '1.20' })).toEqual(['LoadBalancerNotPickedUp']);
  });

  it('distinguishes a Service that no controller picked up from one that waits for the cloud', () => {
    expect(explainLoadBalancer({ service: makeService() })).toEqual([
      { code: 'LoadBalancerNotPickedUp', path: 'service.metadata.finalizers', values: { finalizer } },
    ]);
    expect(explainLoadBalancer({ service: makeService({}, metadataWithFinalizer) })).toEqual([pendingCause]);
  });

  it('does not expect a finalizer up to 1.15, and knows the Events of failures up to 1.14', () => {
    expect(explainLoadBalancer({ service: makeService(), version: '1.15' })).toEqual([pendingCause]);
    expect(codes({ service: makeService(), version: '1.16' })).toEqual(['LoadBalancerNotPickedUp']);
    const reasons = ['CreatingLoadBalancerFailed', 'CleanupLoadBalancerFailed', 'DeletingLoadBalancerFailed', 'LoadBalancerUpdateFailed'];
    for (const reason of reasons) {
      const events = [event(reason, '2026-01-01T00:00:00Z', 'down')];
      expect(explainLoadBalancer({ service: makeService(), events, version: '1.9' })).toEqual([failingCause('down', reason)]);
    }
    const changedService = makeService({ type: 'ClusterIP' }, metadataWithFinalizer);
    expect([codes({ service: changedService, version: '1.14' }), codes({ service: changedService, version: '1.15' })]).toEqual([
      [],
      ['LoadBalancerCleanupPending'],
    ]);
  });

  it('reports the last failure, with the message of its Event', () => {
    const events = [
      event('SyncLoadBalancerFailed', '2026-01-01T00:00:09Z', 'Error syncing load balancer: no quota.'),
      event('SyncLoadBalancerFailed', '2026-01-01T00:00:03Z', 'older'),
      event('EnsuringLoadBalancer', '2026-01-01T00:00:12Z'),
    ];
    expect(explainLoadBalancer({ service: makeService({}, metadataWithFinalizer), events })).toEqual([
      failingCause('Error syncing load balancer: no quota'),
    ]);
    const newer = event('UpdateLoadBalancerFailed', '2026-01-01T00:00:15Z', 'down');
    expect(explainLoadBalancer({ service: makeService({}, metadataWithFinalizer, status), events: [...events, newer] })).toEqual([
      failingCause('down', 'UpdateLoadBalancerFailed'),
    ]);
  });

  it('ignores a failure that is older than a success', () => {
    const events = [
      event('EnsuredLoadBalancer', '2026-01-01T00:00:10Z'),
      event('SyncLoadBalancerFailed', '2026-01-01T00:00:09Z', 'no quota'),
    ];
    expect(explainLoadBalancer({ service: makeService({}, metadataWithFinalizer, status), events })).toEqual([]);
    expect(explainLoadBalancer({ service: makeService({}, metadataWithFinalizer), events })).toEqual([pendingCause]);
  });

  it('ignores Events of other objects, and of an earlier Service with the same name', () => {
    const eventsAbout = (involvedObject: BalancerEvent['involvedObject']) => [
      event('SyncLoadBalancerFailed', '2026-01-01T00:00:09Z', 'no quota', { involvedObject }),
    ];
    const service = makeService({}, metadataWithFinalizer);
    const involved = { kind: 'Service', namespace: 'shop', name: 'web', uid: 'u1' };
    expect(codes({ service, events: eventsAbout(involved) })).toEqual(['LoadBalancerFailing']);
    for (const other of [{ kind: 'Endpoints' }, { namespace: 'test' }, { name: 'www' }, { uid: 'u0' }]) {
      expect(codes({ service, events: eventsAbout({ ...involved, ...other }) })).toEqual(['LoadBalancerPending']);
    }
  });

  it('reads the timestamps of all kinds of Events', () => {
    const reasons = (first: BalancerEvent, second: BalancerEvent) =>
      codes({ service: makeService({}, metadataWithFinalizer), events: [first, second] });
    const failed: BalancerEvent = { reason: 'SyncLoadBalancerFailed', eventTime: '2026-01-01T00:00:09.123456Z' };
    const success: BalancerEvent = { reason: 'EnsuredLoadBalancer', metadata: { creationTimestamp: new Date('2026-01-01T00:00:10Z') } };
    expect([reasons(failed, success), reasons(success, failed)]).toEqual([['LoadBalancerPending'], ['LoadBalancerPending']]);
    expect(reasons({ reason: 'EnsuredLoadBalancer' }, failed)).toEqual(['LoadBalancerFailing']);
  });

  it('explains why no node is behind the load balancer', () => {
    const nodes = [makeExcludedNode('n2'), makeNode('n1', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })];
    const why = ': n1 is being deleted, n2 is excluded by its label';
    expect(explainLoadBalancer({ service: makeService({}, metadataWithFinalizer, status), nodes })).toEqual([
      { code: 'LoadBalancerWithoutNodes', path: 'nodes', values: { count: '2', why } },
    ]);
    expect(codes({ service: makeService({}, metadataWithFinalizer), nodes: [] })).toEqual([
      'LoadBalancerPending',
      'LoadBalancerWithoutNodes',
    ]);
    const service = makeService({}, metadataWithFinalizer, status);
    expect(codes({ service, nodes: [...nodes, makeUnreadyNode('n3')] })).toEqual([]);
    expect(codes({ service, nodes: [makeUnreadyNode('n3')], version: '1.26' })).toEqual(['LoadBalancerWithoutNodes']);
    expect(codes({ service })).toEqual([]);
  });

  it('names at most five excluded nodes', () => {
    const nodes = Array.from({ length: 7 }, (_, index) => makeUnreadyNode(`n${index}`));
    const [{ values } = { values: {} }] = explainLoadBalancer({
      service: makeService({}, metadataWithFinalizer, status),
      nodes,
      version: '1.26',
    });
    expect(values).toEqual({
      count: '7',
      why: ': n0 is not ready, n1 is not ready, n2 is not ready, n3 is not ready, n4 is not ready, and 2 more',
    });
  });

  it('dates an Event series by its last observation', () => {
    const series = { lastTimestamp: null, eventTime: '2026-01-01T00:00:01Z', series: { lastObservedTime: '2026-01-01T00:00:20.000000Z' } };
    const events = [event('SyncLoadBalancerFailed', '', 'no quota', series), event('EnsuredLoadBalancer', '2026-01-01T00:00:10Z')];
    expect(explainLoadBalancer({ service: makeService({}, metadataWithFinalizer, status), events })).toEqual([failingCause('no quota')]);
  });

  it('names the ports without a node port', () => {
    const ports = [
      { name: 'http', port: 80 },
      { name: 'https', port: 443, nodePort: 30_443 },
      { port: 9090, nodePort: 0 },
    ];
    const spec = { allocateLoadBalancerNodePorts: false, ports };
    expect(explainLoadBalancer({ service: makeService(spec, metadataWithFinalizer) })).toEqual([
      pendingCause,
      { code: 'LoadBalancerWithoutNodePorts', path: 'service.spec.allocateLoadBalancerNodePorts', values: { ports: 'http, 9090' } },
    ]);
    expect(codes({ service: makeService({ ports }, metadataWithFinalizer) })).toEqual(['LoadBalancerPending']);
    expect(codes({ service: makeService(spec, metadataWithFinalizer, status) })).toEqual([]);
  });

  it('reports a deletion that waits for its clean-up, and an overdue clean-up', () => {
    const events = [event('SyncLoadBalancerFailed', '2026-01-01T00:00:09Z', 'down')];
    const service = makeService({}, { ...metadataWithFinalizer, deletionTimestamp: new Date('2026-01-01T00:00:00Z') }, status);
    const deletionCause = {
      code: 'LoadBalancerBeingDeleted',
      path: 'service.metadata.deletionTimestamp',
      values: { time: '2026-01-01T00:00:00.000Z' },
    };
    expect(explainLoadBalancer({ service, events })).toEqual([deletionCause, failingCause('down')]);
    expect(codes({ service: { ...service, spec: { type: 'ClusterIP' } } })).toEqual(['LoadBalancerBeingDeleted']);
    expect(codes({ service: makeService({}, { finalizers: ['a'], deletionTimestamp: '2026-01-01T00:00:00Z' }) })).toEqual([]);
    const cleanupPending = { code: 'LoadBalancerCleanupPending', path: 'service.metadata.finalizers', values: { finalizer } };
    expect(explainLoadBalancer({ service: makeService({ type: 'ClusterIP' }, metadataWithFinalizer, status), events })).toEqual([
      cleanupPending,
      failingCause('down'),
    ]);
  });
});
