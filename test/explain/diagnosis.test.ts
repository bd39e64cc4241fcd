import { describe, expect, it } from 'vitest';
import { diagnosisReasons } from '../../src/explain/diagnosis-reasons.ts';
import { createServiceDiagnoser, type DiagnosisObjects, diagnoseService, explainService, reasons } from '../../src/explain/index.ts';
import { explainReadiness } from '../../src/readiness/index.ts';
import type { Pod, Service } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { endpointFixtures } from './diagnosis-endpoint-fixtures.ts';
import { diagnosisFixtures } from './diagnosis-fixtures.ts';
import { makeReadyNode, makeWrittenSlice } from './diagnosis-parts.ts';

const fixtures = [...diagnosisFixtures, ...endpointFixtures];

const explain = (service: Service, pods: readonly Pod[] = []) =>
  explainService(service, pods, { version: '1.37', readiness: (pod) => explainReadiness(pod).causes });

const diagnose = (objects: DiagnosisObjects, service = makeService()) => diagnoseService(service, explain(service, objects.pods), objects);

const codesOf = (objects: DiagnosisObjects, service?: Service) => diagnose(objects, service).map(({ code }) => code);

describe('diagnoseService', () => {
  it.each(fixtures)('finds $name', ({ service, objects, expected: { command, ...expected } }) => {
    expect(diagnose(objects, service)[0]).toStrictEqual({ ...expected, fix: { text: reasons[expected.code].remedy, command } });
  });

  it('reports that a Service has no slice only if the slices are complete', () => {
    expect(codesOf({ pods: [makePod()], slices: [] })).toStrictEqual([]);
    expect(
      diagnose({ pods: [makePod()], slices: [], areSlicesComplete: true }).map(({ code, severity }) => [code, severity]),
    ).toStrictEqual([['SlicesOutOfDate', 'error']]);
  });

  it('has a fixture for every cause in other objects', () => {
    const codes = new Set<string>(fixtures.map(({ expected }) => expected.code));
    expect(Object.keys(diagnosisReasons).filter((code) => !codes.has(code))).toStrictEqual([]);
  });

  it('leaves no placeholder in a message', () => {
    for (const { service, objects } of fixtures) for (const { message } of diagnose(objects, service)) expect(message).not.toMatch(/[{}]/);
  });

  it('finds nothing for a Service that works', () => {
    const objects = { pods: [makePod()], nodes: [makeReadyNode('n1')], services: [makeService()], slices: [makeWrittenSlice()] };
    expect(diagnose(objects)).toStrictEqual([]);
  });

  it('throws a RangeError for an unknown release', () => {
    expect(() => diagnoseService(makeService(), explain(makeService()), {}, { version: '1.99' })).toThrow(RangeError);
  });

  it('diagnoses many Services of one cluster like each alone', () => {
    for (const { service, objects } of fixtures) {
      const explanation = explain(service, objects.pods);
      const diagnoseOne = createServiceDiagnoser(objects, { version: '1.37' });
      diagnoseOne(makeService({}, { name: 'other' }), explain(makeService({}, { name: 'other' }), objects.pods));
      expect(diagnoseOne(service, explanation)).toStrictEqual(diagnoseService(service, explanation, objects));
    }
  });
});

const waiting = (reason: string): Pod['status'] => ({
  conditions: [{ type: 'Ready', status: 'False' }],
  containerStatuses: [{ name: 'app', ready: false, started: false, state: { waiting: { reason } } }],
});
const makeWaitingPod = (name: string, reason: string): Pod =>
  makePod(name, { spec: { containers: [{ name: 'app' }], nodeName: 'n1' }, status: waiting(reason) });

describe('causes in pods', () => {
  it('are one item for pods that wait for the same reason, that of most pods first', () => {
    const pods = [
      makeWaitingPod('a', 'CrashLoopBackOff'),
      makeWaitingPod('b', 'ErrImagePull'),
      makeWaitingPod('c', 'ErrImagePull'),
      makeWaitingPod('d', 'ErrImagePull'),
      makeWaitingPod('e', 'ErrImagePull'),
    ];
    expect(diagnose({ pods }).map(({ message, objects }) => ({ message, objects }))).toStrictEqual([
      {
        message: '4 pods (b, c, d and 1 more): the container app is not running: waiting: ErrImagePull.',
        objects: ['pod/shop/b', 'pod/shop/c', 'pod/shop/d', 'pod/shop/e'],
      },
      { message: 'Pod a: the container app is not running: waiting: CrashLoopBackOff.', objects: ['pod/shop/a'] },
    ]);
  });

  it('are warnings if another pod is ready', () => {
    const causes = diagnose({ pods: [makePod(), makeWaitingPod('b', 'ErrImagePull')] });
    expect(causes.map(({ code, severity }) => [code, severity])).toStrictEqual([['ContainerWaiting', 'warning']]);
  });

  it('are not pods that end, unless all pods end', () => {
    const ending = makePod('b', { metadata: { deletionTimestamp: '2026-05-01T00:00:00Z' } });
    expect(codesOf({ pods: [makePod(), ending] })).toStrictEqual([]);
    expect(codesOf({ pods: [ending] })).toStrictEqual(['PodTerminating']);
    expect(codesOf({ pods: [ending, makeWaitingPod('c', 'ErrImagePull')] })).toStrictEqual(['ContainerWaiting']);
  });

  it('are in the node if it is not ready, whatever the pod reports', () => {
    const nodes = [makeReadyNode('n1', 'False')];
    expect(codesOf({ pods: [makeWaitingPod('a', 'ErrImagePull')], nodes })).toStrictEqual(['NodeNotReady']);
    expect(codesOf({ pods: [makeWaitingPod('a', 'ErrImagePull')] })).toStrictEqual(['ContainerWaiting']);
  });

  it('have the latest warning about the pod as evidence', () => {
    const event = (message: string, lastTimestamp: string, name = 'a', type = 'Warning') => ({
      type,
      message,
      lastTimestamp,
      involvedObject: { kind: 'Pod', namespace: 'shop', name },
    });
    const events = [
      event('second', '2026-05-01T02:00:00Z'),
      event('first', '2026-05-01T01:00:00Z'),
      event('other pod', '2026-05-01T03:00:00Z', 'b'),
      event('normal', '2026-05-01T03:00:00Z', 'a', 'Normal'),
    ];
    expect(diagnose({ pods: [makeWaitingPod('a', 'ErrImagePull')], events })[0]?.evidence).toStrictEqual([
      { object: 'Pod shop/a', path: 'status.containerStatuses[0].state.waiting', value: '{"reason":"ErrImagePull"}' },
      { object: 'Event about Pod shop/a', path: 'message', value: '"second"' },
    ]);
  });
});

describe('the order of causes', () => {
  it('starts with errors', () => {
    const service = makeService({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }], selector: {} });
    const causes = diagnose({ pods: [makePod()] }, service);
    expect(causes.map(({ code, severity }) => [code, severity])).toStrictEqual([
      ['PortFoundInNoPod', 'error'],
      ['SelectorIsEmpty', 'warning'],
    ]);
  });

  it('has an undeclared target port before the policy that denies it', () => {
    const service = makeService({ ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] });
    const pods = [makePod('a', { spec: { containers: [{ name: 'app', ports: [{ containerPort: 8080 }] }] } })];
    expect(codesOf({ pods, denyingPolicies: () => ['NetworkPolicy shop/a'] }, service)).toStrictEqual([
      'TargetPortUndeclared',
      'PoliciesDenyAll',
    ]);
  });

  it('has a workload that is scaled to zero instead of its last pods', () => {
    const template = { metadata: { labels: { app: 'web' } } };
    const workloads = [{ kind: 'Deployment', metadata: { namespace: 'shop', name: 'web' }, spec: { replicas: 0, template } }];
    const pods = [makePod('a', { metadata: { deletionTimestamp: '2026-05-01T00:00:00Z' } })];
    expect(codesOf({ pods, workloads })).toStrictEqual(['WorkloadScaledToZero']);
  });
});
