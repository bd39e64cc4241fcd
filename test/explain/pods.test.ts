import { describe, expect, it } from 'vitest';
import { explainEndpoints } from '../../src/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const codes = (service = makeService(), pods = [makePod()], version = '1.37') =>
  explainEndpoints(service, pods, { version }).map(({ reasons }) => reasons.map(({ code }) => code));

describe('explainEndpoints', () => {
  it('returns all fields of an included pod', () => {
    expect(explainEndpoints(makeService(), [makePod()])).toEqual([
      {
        namespace: 'shop',
        name: 'a',
        selected: true,
        included: true,
        ready: true,
        ip: '10.0.0.1',
        ports: ['http:8080/TCP'],
        reasons: [{ code: 'PodReady', message: 'The pod is ready.', path: 'pod.status.conditions[Ready].status' }],
      },
    ]);
  });

  it('returns all fields of a pod that is left out', () => {
    expect(explainEndpoints(makeService(), [makePod('a', { metadata: { labels: {} } })])).toEqual([
      {
        namespace: 'shop',
        name: 'a',
        selected: false,
        included: false,
        ready: false,
        ports: [],
        reasons: [
          {
            code: 'PodLabelsDoNotMatch',
            message: 'The selector requires app=web; the pod has no label app.',
            path: 'pod.metadata.labels.app',
          },
        ],
      },
    ]);
  });

  it('sorts by namespace and name', () => {
    const pods = [makePod('b'), makePod('z', { metadata: { namespace: 'other' } }), makePod('a'), {}];
    expect(explainEndpoints(makeService(), pods).map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
      '/',
      'other/z',
      'shop/a',
      'shop/b',
    ]);
    expect(pods[0]?.metadata?.name).toBe('b');
  });

  it('lists ports by number and name, sorted, across all subsets', () => {
    const service = makeService({
      ports: [
        { name: 'web', port: 80, protocol: 'TCP', targetPort: 'web' },
        { name: 'admin', port: 81, protocol: 'TCP', targetPort: 9000 },
        { port: 82, targetPort: 7 },
      ],
    });
    const named = makePod('a', { spec: { containers: [{ ports: [{ name: 'web', containerPort: 8080, protocol: 'TCP' }] }] } });
    const [first, second] = explainEndpoints(service, [named, makePod('b', { ip: '10.0.0.2' })]);
    expect(first?.ports).toEqual(['7', 'admin:9000/TCP', 'web:8080/TCP']);
    expect(second?.ports).toEqual(['7', 'admin:9000/TCP']);
    expect(second?.reasons.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'PodReady pod.status.conditions[Ready].status',
      'PortNotFound service.spec.ports[0].targetPort',
    ]);
  });

  it('returns only the mismatches of an unselected pod', () => {
    const pod = makePod('a', { metadata: { namespace: 'other', labels: {} }, status: { podIP: '', podIPs: [], phase: 'Failed' } });
    expect(codes(makeService({ selector: { app: 'web', tier: 'x' } }), [pod])).toEqual([
      ['PodInOtherNamespace', 'PodLabelsDoNotMatch', 'PodLabelsDoNotMatch'],
    ]);
  });

  it('returns every rule that leaves a pod out, in the order of the release', () => {
    const pod = makePod('a', {
      ready: false,
      metadata: { deletionTimestamp: '2026-01-31T12:00:00Z' },
      spec: { restartPolicy: 'Never' },
      status: { podIP: '', podIPs: [], phase: 'Failed' },
    });
    const service = makeService({
      ports: [
        { port: 80, targetPort: 'web', protocol: 'TCP' },
        { port: 81, targetPort: 9 },
      ],
    });
    expect(codes(service, [pod])).toEqual([['PodTerminal', 'PodHasNoIP', 'PodTerminating', 'PortNotFound']]);
    expect(codes(service, [pod], '1.21')).toEqual([['PodHasNoIP', 'PodTerminating', 'PodFinished', 'PortNotFound']]);
    const withIP = { ...pod, status: { ...pod.status, podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] } };
    expect(codes(makeService({ ipFamilies: ['IPv6'], ports: [] }), [withIP])).toEqual([
      ['PodTerminal', 'PodTerminating', 'PodHasNoIPOfFamily', 'ServiceHasNoPorts'],
    ]);
  });

  it('includes no pods of an unmanaged Service', () => {
    const [pod] = explainEndpoints(makeService({ type: 'ExternalName' }), [makePod()]);
    expect(pod).toMatchObject({ selected: true, included: false, ready: false, ports: [] });
    expect(codes(makeService({ type: 'ExternalName' }), [makePod()], '1.26')).toEqual([['PodReady']]);
    expect(explainEndpoints(makeService({ selector: null }), [makePod()])[0]).toMatchObject({ selected: false, included: false });
    expect(explainEndpoints(makeService({ selector: {} }), [makePod()])[0]).toMatchObject({ selected: true, included: true });
  });

  it('returns PodReady for a ready pod of a Service that publishes unready pods', () => {
    expect(codes(makeService({ publishNotReadyAddresses: true }))).toEqual([['PodReady']]);
  });

  it('names the field if the annotation is unreadable', () => {
    const service = makeService(
      { publishNotReadyAddresses: true },
      { annotations: { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'perhaps' } },
    );
    const [pod] = explainEndpoints(service, [makePod('a', { ready: false })], { version: '1.20' });
    expect(pod?.reasons[0]?.path).toBe('service.spec.publishNotReadyAddresses');
  });

  it('reports a pod as unready if it is unready under any of its ports', () => {
    const service = makeService({
      ports: [
        { port: 80, targetPort: 'web', protocol: 'TCP' },
        { port: 81, targetPort: 'adm', protocol: 'TCP' },
      ],
    });
    const podWithPort = (name: string, port: string, ready: boolean) =>
      makePod(name, {
        ready,
        metadata: { uid: 'same' },
        spec: { containers: [{ ports: [{ name: port, containerPort: 80, protocol: 'TCP' }] }] },
      });
    const explained = explainEndpoints(service, [podWithPort('a', 'web', true), podWithPort('b', 'adm', false)]);
    expect(explained.map(({ ready }) => ready)).toEqual([false, false]);
  });

  it('refuses an unknown version', () => {
    expect(() => explainEndpoints(makeService(), [], { version: '1.2' })).toThrow(RangeError);
  });
});
