import { describe, expect, it } from 'vitest';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import { type BalancedService, needsUpdate, updateReasons } from '../../src/load-balancer/index.ts';
import { createChangeEvent, type UpdateReasonCode } from '../../src/load-balancer/update.ts';
import { makeService } from './services.ts';

type Spec = NonNullable<BalancedService['spec']>;

const port = { name: 'http', protocol: 'TCP', port: 80, targetPort: 8080, nodePort: 30_080 };
const codes = (from: BalancedService, to: BalancedService, version?: string): UpdateReasonCode[] =>
  updateReasons(from, to, { version }).map(({ code }) => code);

describe('updateReasons', () => {
  const cases: readonly [UpdateReasonCode, Spec, Spec][] = [
    ['LoadBalancerSourceRanges', {}, { loadBalancerSourceRanges: ['10.0.0.0/8'] }],
    ['LoadBalancerSourceRanges', { loadBalancerSourceRanges: ['a', 'b'] }, { loadBalancerSourceRanges: ['b', 'a'] }],
    ['LoadBalancerSourceRanges', {}, { loadBalancerSourceRanges: [] }],
    ['Ports', { ports: [port] }, { ports: [port, { ...port, name: 'more', port: 81 }] }],
    ['Ports', { ports: [port] }, { ports: [{ ...port, name: 'web' }] }],
    ['Ports', { ports: [port] }, { ports: [{ ...port, protocol: 'UDP' }] }],
    ['Ports', { ports: [port] }, { ports: [{ ...port, port: 81 }] }],
    ['Ports', { ports: [port] }, { ports: [{ ...port, nodePort: 30_081 }] }],
    ['Ports', { ports: [port] }, { ports: [{ ...port, targetPort: '8080' }] }],
    ['Ports', { ports: [port] }, { ports: [{ ...port, appProtocol: 'http' }] }],
    ['SessionAffinity', { sessionAffinity: 'None' }, { sessionAffinity: 'ClientIP' }],
    ['SessionAffinityConfig', {}, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }],
    ['SessionAffinityConfig', { sessionAffinityConfig: {} }, { sessionAffinityConfig: { clientIP: {} } }],
    ['LoadBalancerIP', {}, { loadBalancerIP: '203.0.113.9' }],
    ['ExternalIPs', { externalIPs: ['a'] }, { externalIPs: ['a', 'b'] }],
    ['ExternalIPs', { externalIPs: ['a', 'b'] }, { externalIPs: ['b', 'a'] }],
    ['ExternalTrafficPolicy', { externalTrafficPolicy: 'Cluster' }, { externalTrafficPolicy: 'Local' }],
    ['HealthCheckNodePort', {}, { healthCheckNodePort: 32_000 }],
    ['IPFamilies', { ipFamilies: ['IPv4'] }, { ipFamilies: ['IPv4', 'IPv6'] }],
  ];

  it.each(cases)('reports %s if %j becomes %j', (code, from, to) => {
    const [old, service] = [makeService(from), makeService(to)];
    expect(codes(old, service)).toEqual([code]);
    expect(needsUpdate(old, service)).toBe(true);
    expect(needsUpdate(service, service)).toBe(false);
  });

  it('returns the field with its old and new value', () => {
    const reasons = updateReasons(makeService({ loadBalancerIP: '203.0.113.9' }), makeService({ healthCheckNodePort: 32_000 }));
    expect(reasons).toEqual([
      { code: 'LoadBalancerIP', path: 'service.spec.loadBalancerIP', from: '203.0.113.9' },
      { code: 'HealthCheckNodePort', path: 'service.spec.healthCheckNodePort', to: 32_000 },
    ]);
  });

  it("returns all reasons in the order of upstream's checks", () => {
    const old = makeService({ type: 'NodePort', ipFamilies: ['IPv4'] }, { annotations: { a: '1' } });
    const service = makeService({ loadBalancerIP: '203.0.113.9', ports: [] }, { uid: 'u2' });
    expect(codes(old, service)).toEqual(['Type', 'Ports', 'LoadBalancerIP', 'Annotations', 'UID', 'IPFamilies']);
  });

  it.each<[string, Spec, Spec]>([
    ['other fields', { selector: { a: '1' }, publishNotReadyAddresses: true }, { allocateLoadBalancerNodePorts: false }],
    ['absent, null and zero', { loadBalancerIP: '', healthCheckNodePort: 0, externalIPs: [] }, { loadBalancerIP: null, externalIPs: null }],
    ['other IP families, but as many as before', { ipFamilies: ['IPv4', 'IPv6'] }, { ipFamilies: ['IPv6', 'IPv4'] }],
    ['a target port that is absent or 0', { ports: [{ ...port, targetPort: 0 }] }, { ports: [{ ...port, targetPort: null }] }],
  ])('reports no change for %s', (_, from, to) => {
    expect(codes(makeService(from), makeService(to))).toEqual([]);
  });

  it('compares annotations by key and value, and distinguishes absent from empty annotations', () => {
    const annotatedService = (annotations: Record<string, string> | null): BalancedService => makeService({}, { annotations });
    expect(codes(annotatedService({ a: '1' }), annotatedService({ a: '1' }))).toEqual([]);
    for (const other of [{ a: '2' }, { b: '1' }, { a: '1', b: '1' }, {}, null]) {
      expect(codes(annotatedService({ a: '1' }), annotatedService(other))).toEqual(['Annotations']);
    }
    expect(codes(annotatedService(null), annotatedService({}))).toEqual(['Annotations']);
    expect(codes(annotatedService({ a: '1' }), annotatedService(JSON.parse('{"__proto__":"1"}')))).toEqual(['Annotations']);
  });

  it('reports nothing if neither the old nor the new Service wants a load balancer', () => {
    expect(needsUpdate(makeService({ type: 'NodePort' }), makeService({ type: 'ClusterIP', ports: [] }))).toBe(false);
    const [serviceOfClassA, serviceOfClassB] = [
      makeService({ loadBalancerClass: 'a' }),
      makeService({ loadBalancerClass: 'b', ports: [] }),
    ];
    expect([needsUpdate(serviceOfClassA, serviceOfClassB), needsUpdate(serviceOfClassA, serviceOfClassB, { version: '1.20' })]).toEqual([
      false,
      true,
    ]);
    expect(needsUpdate(serviceOfClassA, makeService({ type: 'NodePort' }))).toBe(false);
  });

  it('reports an added or removed class from 1.21 on', () => {
    const [withoutClass, withClass] = [makeService(), makeService({ loadBalancerClass: 'example.com/other' })];
    expect(updateReasons(withoutClass, withClass)).toEqual([
      { code: 'LoadBalancerClass', path: 'service.spec.loadBalancerClass', to: 'example.com/other' },
    ]);
    expect([codes(withClass, withoutClass), codes(withoutClass, withClass, '1.20')]).toEqual([['LoadBalancerClass'], []]);
    expect(codes(withoutClass, makeService({ type: 'NodePort' }))).toEqual(['Type']);
  });

  it.each<[string, string, Spec, Spec]>([
    ['1.26', '1.25.3', { ports: [port] }, { ports: [{ ...port, appProtocol: 'http' }] }],
    ['1.28', '1.27', { ipFamilies: ['IPv4'] }, { ipFamilies: ['IPv4', 'IPv6'] }],
    ['1.17', '1.9', { ports: [port] }, { ports: [{ ...port, targetPort: 9090 }] }],
    ['1.17', '1.9.11', {}, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }],
  ])('%s reports a change that %s ignores: %j becomes %j', (newer, older, from, to) => {
    const [old, service] = [makeService(from), makeService(to)];
    expect([needsUpdate(old, service, { version: newer }), needsUpdate(old, service, { version: older })]).toEqual([true, false]);
  });

  it('1.9 reports the ports of a Service with several protocols as changed, even if they are equal', () => {
    const mixedProtocolService = makeService({ ports: [port, { ...port, protocol: 'UDP' }] });
    expect([codes(mixedProtocolService, mixedProtocolService, '1.9'), codes(mixedProtocolService, mixedProtocolService, '1.17')]).toEqual([
      ['Ports'],
      [],
    ]);
  });

  it("returns the reasons for 1.9 in the order of that release's checks", () => {
    const old = makeService({ type: 'ClusterIP' }, { uid: 'u0' });
    const service = makeService({
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      ports: [],
      sessionAffinity: 'ClientIP',
      loadBalancerIP: '203.0.113.9',
      externalIPs: ['198.51.100.1'],
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 32_000,
    });
    expect(codes(old, { ...service, metadata: { ...service.metadata, annotations: { a: '1' } } }, '1.9')).toEqual([
      'Type',
      'LoadBalancerSourceRanges',
      'Ports',
      'SessionAffinity',
      'LoadBalancerIP',
      'ExternalIPs',
      'Annotations',
      'UID',
      'ExternalTrafficPolicy',
      'HealthCheckNodePort',
    ]);
  });

  it('refuses unsupported releases', () => {
    for (const version of ['1.8', '1.9.12', '1.9.x', '1.38']) {
      expect(() => needsUpdate(makeService(), makeService(), { version })).toThrow(RangeError);
    }
  });
});

describe('createChangeEvent', () => {
  const eventOf = (from: Spec, to: Spec, version = '1.31'): string | undefined => {
    const event = createChangeEvent(makeService(from), makeService(to), loadBalancerSettings({ version }));
    return event && `${event.reason} ${event.message}`;
  };

  it.each<[string, Spec, Spec]>([
    ['Type ClusterIP -> LoadBalancer', { type: 'ClusterIP' }, {}],
    ['Type LoadBalancer -> LoadBalancer', {}, { loadBalancerClass: 'a' }],
    ['LoadBalancerSourceRanges [] -> [a b]', {}, { loadBalancerSourceRanges: ['a', 'b'] }],
    ['LoadbalancerIP  -> 203.0.113.9', {}, { loadBalancerIP: '203.0.113.9' }],
    ['ExternalIP Count: 1 -> 2', { externalIPs: ['a'] }, { externalIPs: ['a', 'b'] }],
    ['ExternalIP Added: c', { externalIPs: ['a', 'b'] }, { externalIPs: ['a', 'c'] }],
    ['ExternalTrafficPolicy  -> Local', {}, { externalTrafficPolicy: 'Local' }],
    ['HealthCheckNodePort 0 -> 32000', {}, { healthCheckNodePort: 32_000 }],
    ['IPFamilies Count: 0 -> 2', {}, { ipFamilies: ['IPv4', 'IPv6'] }],
  ])('reports %s', (text, from, to) => {
    expect(eventOf(from, to)).toBe(text);
    expect(eventOf(from, to, '1.32')).toBeUndefined();
  });

  it('reports nothing if the first change has no Event', () => {
    expect(eventOf({ loadBalancerIP: 'a' }, { ports: [], loadBalancerIP: 'b' })).toBeUndefined();
    expect(eventOf({}, {})).toBeUndefined();
  });
});

it('errors of needsUpdate and updateReasons name the accepted versions, or the invalid argument', () => {
  const service = makeService({});
  expect(() => needsUpdate(service, service, { version: '1.8' })).toThrow(/^Kubernetes version "1\.8" is not known: give "1\.9" to /);
  expect(() => updateReasons(service, service, { version: '1.8' })).toThrow(RangeError);
  const absentService = undefined as unknown as BalancedService;
  expect(() => needsUpdate(absentService, service)).toThrow('old must be a Service, got undefined');
  expect(() => updateReasons(service, absentService)).toThrow(new TypeError('service must be a Service, got undefined'));
});
