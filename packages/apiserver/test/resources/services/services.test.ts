import { expect, test } from 'vitest';
import { dropTypeDependentFields, services, warningsOfService } from '../../../src/resources/services/services.ts';
import { selectableValues } from '../support.ts';

const cells = (spec: object, status: object = {}): unknown[] =>
  services.cells({ metadata: { name: 'a' }, spec, status }, new Date()).slice(1);

test.each([
  [
    { type: 'ClusterIP', clusterIPs: ['10.0.0.1'], ports: [{ port: 80, protocol: 'TCP' }] },
    {},
    ['ClusterIP', '10.0.0.1', '<none>', '80/TCP'],
  ],
  [
    { type: 'NodePort', ports: [{ port: 80, nodePort: 30_000, protocol: 'TCP' }], externalIPs: ['1.2.3.4'] },
    {},
    ['NodePort', '<none>', '1.2.3.4', '80:30000/TCP'],
  ],
  [{ type: 'LoadBalancer' }, {}, ['LoadBalancer', '<none>', '<pending>', '<none>']],
  [
    { type: 'LoadBalancer', externalIPs: ['9.9.9.9'] },
    { loadBalancer: { ingress: [{ hostname: 'z' }, { ip: '1.2.3.4' }] } },
    ['LoadBalancer', '<none>', '1.2.3.4,z,9.9.9.9', '<none>'],
  ],
  [{ type: 'ExternalName', externalName: 'a.b' }, {}, ['ExternalName', '<none>', 'a.b', '<none>']],
  [{ type: 'Odd' }, {}, ['Odd', '<none>', '<unknown>', '<none>']],
])('the table shows %j with status %j', (spec, status, expected) => expect(cells(spec, status).slice(0, 4)).toEqual(expected));

test('the table shows the selector, and type and clusterIP are selectable', () => {
  const spec = { selector: { b: '2', a: '1' }, type: 'ClusterIP', clusterIP: 'None' };
  expect([cells(spec).at(-1), cells({}).at(-1)]).toEqual(['a=1,b=2', '<none>']);
  expect(selectableValues(services, { spec })).toMatchObject({ 'spec.type': 'ClusterIP', 'spec.clusterIP': 'None' });
});

test.each([
  ['ExternalName', {}],
  ['ClusterIP', { internalTrafficPolicy: 'Cluster' }],
])('a Service of type %s is stored with the traffic policy fields %j', (type, storedFields) => {
  const draft = { spec: { type, internalTrafficPolicy: 'Cluster' } };
  services.strategy.canonicalize?.(draft);
  expect(draft.spec).toEqual({ type, ...storedFields });
});

const loadBalancerSpec = {
  type: 'LoadBalancer',
  loadBalancerClass: 'a',
  allocateLoadBalancerNodePorts: true,
  externalTrafficPolicy: 'Cluster',
};

test('an update to another type drops the fields of the old type', () => {
  const draft = { spec: { ...loadBalancerSpec, type: 'ClusterIP' }, status: { loadBalancer: {} } };
  dropTypeDependentFields(draft, { spec: loadBalancerSpec });
  expect(draft).toEqual({ spec: { type: 'ClusterIP' } });
});

test('an update keeps changed fields and all fields of an unchanged type', () => {
  const update = { spec: { ...loadBalancerSpec, type: 'ClusterIP', loadBalancerClass: 'b' } };
  dropTypeDependentFields(update, { spec: loadBalancerSpec });
  expect(update.spec).toEqual({ type: 'ClusterIP', loadBalancerClass: 'b' });
  const unchanged = { spec: { ...loadBalancerSpec }, status: {} };
  dropTypeDependentFields(unchanged, { spec: loadBalancerSpec });
  expect(unchanged).toEqual({ spec: loadBalancerSpec, status: {} });
});

test.each([
  [{ type: 'ClusterIP', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] }, []],
  [
    { type: 'ClusterIP', clusterIP: 'None', externalIPs: ['1.2.3.4'], loadBalancerIP: '1.2.3.4', sessionAffinity: 'ClientIP' },
    [
      'spec.loadBalancerIP is ignored for headless services',
      'spec.externalIPs is ignored for headless services',
      'spec.SessionAffinity is ignored for headless services',
    ],
  ],
  [{ type: 'ExternalName', externalIPs: ['1.2.3.4'] }, ['spec.externalIPs is ignored when spec.type is "ExternalName"']],
  [
    { type: 'NodePort', externalIPs: ['FD00::1'], externalName: 'a' },
    [
      'spec.externalIPs[0]: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
  ],
])('warningsOfService returns the warnings of %j', (spec, warnings) => expect(warningsOfService({ spec })).toEqual(warnings));

test('the annotation topology-aware-hints causes a warning', () => {
  const annotations = { 'service.kubernetes.io/topology-aware-hints': 'Auto' };
  expect(warningsOfService({ metadata: { annotations } })).toHaveLength(1);
});
