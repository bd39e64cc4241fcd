import { describe, expect, it } from 'vitest';
import { loadBalancerReasons, readinessReasons } from '../../src/explain/cause-reasons.ts';
import { explainService, reasons } from '../../src/explain/index.ts';
import { explainEndpoints } from '../../src/index.ts';
import { explainLoadBalancer, type LoadBalancerCauseCode } from '../../src/load-balancer/index.ts';
import type { ReadinessCauseCode } from '../../src/readiness/index.ts';
import type { Cause } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { loadBalancerNode, loadBalancerService, syncFailedEvent } from './load-balancer-reason-fixtures.ts';

describe('reasons for the causes that other modules find', () => {
  it('about readiness concern pods and have unique messages', () => {
    const rows = Object.entries(readinessReasons);
    expect(rows.map(([code]) => reasons[code as ReadinessCauseCode]?.about)).toStrictEqual(rows.map(() => 'pod'));
    expect(new Set(rows.map(([, { message }]) => message)).size).toBe(rows.length);
  });

  it('about load balancers concern Services, are no errors and have unique messages', () => {
    const rows = Object.entries(loadBalancerReasons);
    for (const [code, { severity }] of rows) {
      expect(reasons[code as LoadBalancerCauseCode]?.about).toBe('service');
      expect(['warning', 'info']).toContain(severity);
    }
    expect(new Set(rows.map(([, { message }]) => message)).size).toBe(rows.length);
  });
});

const unknownContainer: Cause<ReadinessCauseCode> = {
  code: 'ContainerUnknown',
  path: 'pod.spec.containers[0]',
  values: { container: 'app' },
};
const readiness = () => [unknownContainer];
const codesOf = (pod = makePod(), service = makeService()) =>
  explainEndpoints(service, [pod], { readiness }).flatMap(({ reasons }) => reasons.map(({ code }) => code));

describe('readiness causes in explanations', () => {
  it('become reasons with the messages of the table', () => {
    const [explained] = explainEndpoints(makeService(), [makePod('a', { ready: false })], { readiness, version: '1.28' });
    expect(explained?.reasons[1]).toStrictEqual({
      code: 'ContainerUnknown',
      message: 'The kubelet reports no status of the container app.',
      path: 'pod.spec.containers[0]',
    });
  });

  it('are listed only after the reason PodNotReady', () => {
    expect(codesOf(makePod('a', { ready: false }))).toEqual(['PodNotReady', 'ContainerUnknown']);
    expect(codesOf()).toEqual(['PodReady']);
    expect(codesOf(makePod('a', { ready: false }), makeService({ publishNotReadyAddresses: true }))).toEqual(['PodPublishedNotReady']);
    expect(codesOf(makePod('a', { ready: false, metadata: { labels: {} } }))).toEqual(['PodLabelsDoNotMatch']);
  });

  it('are part of explainService, too', () => {
    const { pods } = explainService(makeService(), [makePod('a', { ready: false })], { readiness });
    expect(pods[0]?.reasons.map(({ code }) => code)).toEqual(['PodNotReady', 'ContainerUnknown']);
  });

  it('are omitted for a ready pod that shares its address with an unready pod', () => {
    const pods = [makePod('a', { ready: false, metadata: { uid: 'same' } }), makePod('b', { metadata: { uid: 'same' } })];
    const explained = explainEndpoints(makeService(), pods, { readiness });
    expect(explained.map(({ reasons }) => reasons.length)).toEqual([2, 1]);
  });
});

const loadBalancerCause: Cause<LoadBalancerCauseCode> = {
  code: 'LoadBalancerOfOtherClass',
  path: 'service.spec.loadBalancerClass',
  values: { class: 'a/b' },
};

describe('causes of a pending load balancer in explanations', () => {
  it('become problems with the messages of the table', () => {
    const { problems } = explainService(makeService(), [makePod()], { loadBalancing: () => [loadBalancerCause], version: '1.28' });
    expect(problems.at(-1)).toStrictEqual({
      severity: 'warning',
      code: 'LoadBalancerOfOtherClass',
      message: 'The Service waits for the controller of its load balancer class a/b; the service controller ignores this class.',
      path: 'service.spec.loadBalancerClass',
    });
  });

  it('are sorted among the other problems of the Service by severity', () => {
    const { problems } = explainService(makeService({ selector: { app: 'none' } }), [makePod()], {
      loadBalancing: () => [loadBalancerCause],
    });
    expect(problems.map(({ code }) => code)).toEqual(['SelectorMatchesNothing', 'LoadBalancerOfOtherClass']);
  });

  it('are requested for the explained Service, also without a selector', () => {
    const service = makeService({ selector: undefined });
    const { problems } = explainService(service, [], {
      loadBalancing: (explainedService) => (explainedService === service ? [loadBalancerCause] : []),
    });
    expect(problems.map(({ code }) => code)).toEqual(['LoadBalancerOfOtherClass', 'ServiceHasNoSelector']);
  });

  it('are omitted unless requested', () => {
    expect(explainService(loadBalancerService(), [makePod()]).problems).toEqual([]);
  });

  it('are omitted for a Service with a working load balancer', () => {
    const service = loadBalancerService({}, { status: { loadBalancer: { ingress: [{ ip: '10.9.0.1' }] } } });
    const events = [syncFailedEvent('no'), { type: 'Normal', reason: 'EnsuredLoadBalancer', lastTimestamp: '2026-01-31T12:01:00Z' }];
    const loadBalancing = () => explainLoadBalancer({ service, nodes: [loadBalancerNode('a')], events });
    expect(explainService(service, [makePod()], { loadBalancing }).problems).toEqual([]);
  });
});
