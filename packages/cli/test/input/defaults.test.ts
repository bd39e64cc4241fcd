import { describe, expect, test } from 'vitest';
import { applyDefaults, areDualStack, familyOfPods, needsClusterIP } from '../../src/input/defaults.ts';

const nextSpareAddress = (family: string): string => (family === 'IPv6' ? '2001:db8::7' : '192.0.2.7');
const cluster = { namespace: 'blue', family: 'IPv4', dualStack: false, nextSpareAddress } as const;
const metadata = { name: 'x', namespace: 'blue' };
const specWithIPs = (...clusterIPs: string[]) => ({
  type: 'ClusterIP',
  clusterIP: clusterIPs[0],
  clusterIPs,
  ipFamilies: clusterIPs.map((ip) => (ip.includes(':') ? 'IPv6' : 'IPv4')),
});

describe('defaults of the API server for manifests', () => {
  test.each([
    ['no target port', { port: 80 }, { port: 80, protocol: 'TCP', targetPort: 80 }],
    ['a target port of 0', { port: 80, targetPort: 0 }, { port: 80, protocol: 'TCP', targetPort: 80 }],
    ['an empty target port', { port: 80, targetPort: '' }, { port: 80, protocol: 'TCP', targetPort: 80 }],
    ['a named target port', { port: 80, targetPort: 'http' }, { port: 80, protocol: 'TCP', targetPort: 'http' }],
    ['a protocol', { port: 53, protocol: 'UDP', targetPort: 5353 }, { port: 53, protocol: 'UDP', targetPort: 5353 }],
  ])('fill in a Service port with %s', (_, port, expected) => {
    const service = applyDefaults('Service', { metadata, spec: { clusterIP: 'None', ports: [port] } }, cluster);
    expect(service).toEqual({
      metadata,
      spec: { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'], ports: [expected] },
    });
  });

  test.each([
    ['no spec', undefined, specWithIPs('192.0.2.7')],
    ['an IPv6 family', { ipFamilies: ['IPv6'] }, specWithIPs('2001:db8::7')],
    ['type ExternalName', { type: 'ExternalName' }, { type: 'ExternalName' }],
    ['a cluster IP', { type: 'NodePort', clusterIP: '10.0.0.1' }, { ...specWithIPs('10.0.0.1'), type: 'NodePort' }],
    ['cluster IPs alone', { clusterIPs: ['10.0.0.1'] }, specWithIPs('10.0.0.1')],
    [
      'both families and one of the addresses',
      { ipFamilyPolicy: 'RequireDualStack', clusterIP: '10.0.0.1' },
      { ...specWithIPs('10.0.0.1', '2001:db8::7'), ipFamilyPolicy: 'RequireDualStack' },
    ],
  ])('fill in a Service with %s', (_, spec, expected) => {
    expect(applyDefaults('Service', { metadata, ...(spec && { spec }) }, cluster)).toEqual({ metadata, spec: expected });
  });

  test.each<[string, object, boolean, string[]]>([
    ['of its cluster IP', { clusterIP: 'fd00::a' }, false, ['IPv6']],
    ['of the cluster if it is headless', { clusterIP: 'None' }, true, ['IPv4']],
    ['that it lists', { ipFamilies: ['IPv6', 'IPv4'] }, false, ['IPv6', 'IPv4']],
    ['of the cluster for an empty list', { ipFamilies: [] }, false, ['IPv4']],
    ['of both kinds if it requires dual-stack', { ipFamilyPolicy: 'RequireDualStack' }, false, ['IPv4', 'IPv6']],
    [
      'of both kinds if it requires dual-stack and lists the first',
      { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] },
      false,
      ['IPv6', 'IPv4'],
    ],
    ['of both kinds if it prefers dual-stack in a dual-stack cluster', { ipFamilyPolicy: 'PreferDualStack' }, true, ['IPv4', 'IPv6']],
    ['of one kind if it prefers dual-stack in a single-stack cluster', { ipFamilyPolicy: 'PreferDualStack' }, false, ['IPv4']],
    ['of one kind for SingleStack', { ipFamilyPolicy: 'SingleStack' }, true, ['IPv4']],
  ])('give a Service the IP families %s', (_, spec, dualStack, ipFamilies) => {
    expect(applyDefaults('Service', { metadata, spec }, { ...cluster, dualStack })).toMatchObject({ spec: { ipFamilies } });
  });

  test('fill in port names and protocols of EndpointSlices with ports', () => {
    const slice = applyDefaults('EndpointSlice', { metadata, ports: [{ port: 80 }, { name: 'a', protocol: 'UDP' }] }, cluster);
    const ports = [
      { name: '', port: 80, protocol: 'TCP' },
      { name: 'a', protocol: 'UDP' },
    ];
    expect(slice).toEqual({ metadata, ports });
    expect(applyDefaults('EndpointSlice', { metadata, ports: null }, cluster)).toEqual({ metadata, ports: null });
  });

  test('give Nodes and Namespaces no namespace', () => {
    expect(applyDefaults('Node', { metadata: { name: 'n1' } }, cluster)).toEqual({ metadata: { name: 'n1' } });
    expect(applyDefaults('Namespace', { metadata: { name: 'blue' } }, cluster)).toEqual({ metadata: { name: 'blue' } });
  });

  test('give a Service a cluster IP in the family of the cluster', () => {
    const { spec } = applyDefaults('Service', { metadata, spec: {} }, { ...cluster, family: 'IPv6' });
    expect(spec).toMatchObject({ clusterIP: '2001:db8::7' });
  });

  test.each([
    ['podIPs from podIP', { podIP: '10.0.0.1' }, { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] }],
    ['podIP from podIPs', { podIPs: [{ ip: '::1' }, { ip: '10.0.0.1' }] }, { podIP: '::1', podIPs: [{ ip: '::1' }, { ip: '10.0.0.1' }] }],
    ['nothing without podIP and podIPs', { phase: 'Pending', podIPs: [] }, { phase: 'Pending', podIPs: [] }],
  ])('fill in the IPs of a Pod: %s', (_, status, expected) => {
    expect(applyDefaults('Pod', { metadata, status }, cluster)).toEqual({ metadata, status: expected });
  });

  test('fill in port protocols of Pods, and the restart policy of the pod only', () => {
    const containers = [{ ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }] }, {}];
    expect(applyDefaults('Pod', { metadata, spec: { containers, initContainers: [{ restartPolicy: 'Always' }] } }, cluster)).toEqual({
      metadata,
      spec: {
        restartPolicy: 'Always',
        containers: [
          {
            ports: [
              { containerPort: 80, protocol: 'TCP' },
              { containerPort: 53, protocol: 'UDP' },
            ],
          },
          {},
        ],
        initContainers: [{ restartPolicy: 'Always' }],
      },
    });
    expect(applyDefaults('Pod', { metadata, spec: { restartPolicy: 'Never' } }, cluster)).toMatchObject({
      spec: { restartPolicy: 'Never' },
    });
  });

  test('fill in port protocols of Endpoints', () => {
    const endpoints = applyDefaults('Endpoints', { metadata, subsets: [{ ports: [{ port: 80 }] }, {}] }, cluster);
    expect(endpoints).toEqual({ metadata, subsets: [{ ports: [{ port: 80, protocol: 'TCP' }] }, {}] });
  });

  test('fill in the namespace of an object without one', () => {
    expect(applyDefaults('Pod', { metadata: { name: 'x' } }, cluster)).toEqual({ metadata });
    expect(applyDefaults('Pod', { metadata: { name: 'x', namespace: '' } }, cluster)).toEqual({ metadata });
    expect(applyDefaults('Pod', { metadata: { name: 'x', namespace: 'red' } }, cluster)).toEqual({
      metadata: { name: 'x', namespace: 'red' },
    });
  });
});

test('an object with a uid already has the defaults of the API server and is unchanged', () => {
  const stored = { metadata: { ...metadata, uid: 'u' }, spec: { ports: [{ port: 80 }] }, status: { podIP: '10.0.0.1' } };
  for (const kind of ['Service', 'Pod', 'Endpoints'] as const) expect(applyDefaults(kind, stored, cluster)).toEqual(stored);
});

test.each([
  [{ metadata }, true],
  [{ metadata, spec: { type: 'NodePort', clusterIP: '' } }, true],
  [{ metadata, spec: { clusterIP: 'None' } }, false],
  [{ metadata, spec: { clusterIPs: ['10.0.0.1'] } }, false],
  [{ metadata, spec: { type: 'ExternalName' } }, false],
  [{ metadata: { ...metadata, uid: 'u' }, spec: {} }, false],
])('for the Service %j, needsClusterIP returns %s', (service, expected) => {
  expect(needsClusterIP(service)).toBe(expected);
});

test('applyDefaults does not modify its input', () => {
  const service = { metadata: Object.freeze({ name: 'x' }), spec: Object.freeze({ ports: Object.freeze([Object.freeze({ port: 80 })]) }) };
  expect(() => applyDefaults('Service', Object.freeze(service), cluster)).not.toThrow();
});

test('the IP family of the cluster is that of the first pod with an IP', () => {
  expect(familyOfPods([])).toBe('IPv4');
  expect(familyOfPods([{}, { status: {} }, { status: { podIPs: [{ ip: 'fd00::1' }] } }, { status: { podIP: '10.0.0.1' } }])).toBe('IPv6');
  expect(familyOfPods([{ status: { podIP: '10.0.0.1' } }, { status: { podIP: 'fd00::1' } }])).toBe('IPv4');
});

test.each([
  [[], false],
  [[{ status: { podIPs: [{ ip: 'fd00::1' }] } }, { status: { podIPs: [{ ip: '10.0.0.1' }] } }], false],
  [[{ status: null }, { status: { podIPs: [{ ip: 'fd00::1' }, { ip: '10.0.0.1' }] } }], true],
  [[{ status: { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] } }], false],
])('for the pods %j, areDualStack returns %s', (pods, dualStack) => {
  expect(areDualStack(pods)).toBe(dualStack);
});
