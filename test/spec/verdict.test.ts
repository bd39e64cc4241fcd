import { describe, expect, it } from 'vitest';
import { createPodEvaluator } from '../../src/spec/verdict.ts';
import type { Pod, Service } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makeAddress, makePod, makeService } from './objects.ts';

const evaluate = (pod: Pod, service: Service = makeService(), version = '1.37') =>
  createPodEvaluator(service, profileFor(version)).evaluate(pod);
const namedPortSpec = { ports: [{ port: 80, protocol: 'TCP', targetPort: 'http' }] };

describe('evaluate', () => {
  it.each<[string, Pod, Service | undefined, string]>([
    ['PodInOtherNamespace', makePod('a', { metadata: { namespace: 'other', labels: {} }, status: { podIP: '' } }), undefined, '1.37'],
    ['PodLabelsDoNotMatch', makePod('a', { metadata: { labels: {} }, status: { phase: 'Failed' } }), undefined, '1.37'],
    ['PodTerminal', makePod('a', { status: { phase: 'Failed', podIP: '', podIPs: [] } }), undefined, '1.37'],
    [
      'PodHasNoIP',
      makePod('a', { status: { podIP: '', podIPs: [] }, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      undefined,
      '1.37',
    ],
    [
      'PodTerminating',
      makePod('a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      makeService({ ipFamilies: ['IPv6'] }),
      '1.37',
    ],
    ['PodFinished', makePod('a', { ready: false, status: { phase: 'Failed' }, spec: { restartPolicy: 'Never' } }), undefined, '1.21'],
    ['PodHasNoIPOfFamily', makePod(), makeService({ ipFamilies: ['IPv6'], ports: [] }), '1.37'],
    ['ServiceHasNoPorts', makePod(), makeService({ ports: [] }), '1.37'],
    ['ServiceHasNoPorts', makePod(), makeService({ ports: null, clusterIP: '' }), '1.37'],
    ['PortNotFound', makePod(), makeService(namedPortSpec), '1.37'],
  ])('returns %s as the first verdict that applies', (code, pod, service, version) => {
    expect(evaluate(pod, service, version)).toBe(code);
  });

  it('returns an address with the indexes of its ports', () => {
    const evaluator = createPodEvaluator(makeService(), profileFor());
    const offer = evaluator.evaluate(makePod());
    expect(offer).toEqual({ address: makeAddress(), rank: expect.any(Number), ready: true, ports: [1] });
    expect(evaluator.ports.list[1]).toEqual({ name: 'http', port: 8080, protocol: 'TCP' });
    expect(evaluator.evaluate(makePod('b', { ready: false }))).toMatchObject({ ready: false, ports: [1] });
  });

  it('returns an address without ports for a headless Service without ports', () => {
    const evaluator = createPodEvaluator(makeService({ ports: [], clusterIP: 'None' }), profileFor());
    expect(evaluator.evaluate(makePod())).toMatchObject({ ports: [evaluator.ports.noPorts] });
  });

  it('returns unready pods as ready if the Service publishes them', () => {
    expect(evaluate(makePod('a', { ready: false }), makeService({ publishNotReadyAddresses: true }))).toMatchObject({ ready: true });
  });

  it('skips ports that the pod does not resolve', () => {
    const service = makeService({
      ports: [
        { port: 80, protocol: 'TCP', targetPort: 'http' },
        { port: 81, protocol: 'TCP', targetPort: 'admin' },
        { port: 82, targetPort: 9 },
      ],
    });
    const evaluator = createPodEvaluator(service, profileFor());
    const pod = makePod('a', { spec: { containers: [{ ports: [{ name: 'admin', containerPort: 7, protocol: 'TCP' }] }] } });
    const offer = evaluator.evaluate(pod);
    expect(typeof offer === 'string' ? offer : offer.ports.map((index) => evaluator.ports.list[index])).toEqual([
      { port: 7, protocol: 'TCP' },
      { port: 9 },
    ]);
    expect(evaluator.evaluate(makePod('b'))).toMatchObject({ ports: [2] });
  });

  it('merges ports with the same name and number, unless they have an appProtocol', () => {
    const port = { name: 'x', port: 80, protocol: 'TCP', targetPort: 8080 };
    const withoutAppProtocol = createPodEvaluator(makeService({ ports: [port, { ...port, port: 81 }] }), profileFor());
    expect(withoutAppProtocol.evaluate(makePod())).toMatchObject({ ports: [1, 1] });
    const withAppProtocol = createPodEvaluator(
      makeService({
        ports: [
          { ...port, appProtocol: 'h2' },
          { ...port, appProtocol: 'h2' },
        ],
      }),
      profileFor(),
    );
    expect(withAppProtocol.evaluate(makePod())).toMatchObject({ ports: [1, 2] });
    const withAppProtocolBefore119 = createPodEvaluator(
      makeService({
        ports: [
          { ...port, appProtocol: 'h2' },
          { ...port, appProtocol: 'h2' },
        ],
      }),
      profileFor('1.18'),
    );
    expect(withAppProtocolBefore119.evaluate(makePod())).toMatchObject({ ports: [1, 1] });
  });

  it('adds a port for each number that a name resolves to', () => {
    const evaluator = createPodEvaluator(makeService(namedPortSpec), profileFor());
    const podWithPort = (containerPort: number) =>
      makePod('a', { spec: { containers: [{ ports: [{ name: 'http', containerPort, protocol: 'TCP' }] }] } });
    expect([8080, 9090, 8080].map((number) => evaluator.evaluate(podWithPort(number)))).toMatchObject([
      { ports: [1] },
      { ports: [2] },
      { ports: [1] },
    ]);
  });
});

describe('createPodEvaluator', () => {
  it('reads the fields of the Service', () => {
    const service = makeService({ publishNotReadyAddresses: true, ipFamilies: ['IPv6'] });
    expect(createPodEvaluator(service, profileFor())).toMatchObject({
      service,
      publishNotReady: true,
      family: 'IPv6',
      servicePorts: service.spec?.ports,
    });
    expect(createPodEvaluator({}, profileFor())).toMatchObject({ publishNotReady: false, family: undefined, servicePorts: [] });
  });

  it('isSelected accepts a pod without metadata', () => {
    const { isSelected, evaluate: evaluatePod } = createPodEvaluator({ spec: { selector: { app: 'web' } } }, profileFor());
    expect([isSelected({}), evaluatePod({})]).toEqual([false, 'PodLabelsDoNotMatch']);
  });

  it('isSelected compares namespace and labels', () => {
    const { isSelected } = createPodEvaluator(makeService(), profileFor());
    expect(
      [makePod(), makePod('a', { metadata: { namespace: 'x' } }), makePod('a', { metadata: { labels: { app: 'db' } } }), {}].map(
        isSelected,
      ),
    ).toEqual([true, false, false, false]);
  });

  it('ipOf returns the IP in the address family of the Service', () => {
    const pod = makePod('a', { status: { podIP: '010.0.0.1', podIPs: [{ ip: '010.0.0.1' }, { ip: 'fd00:0::1' }] } });
    expect(createPodEvaluator(makeService(), profileFor()).ipOf(pod)).toBe('10.0.0.1');
    expect(createPodEvaluator(makeService({ ipFamilies: ['IPv6'] }), profileFor('1.30')).ipOf(pod)).toBe('fd00:0::1');
    expect(createPodEvaluator(makeService(), profileFor()).ipOf({})).toBeUndefined();
  });
});
