import { expect, test } from 'vitest';
import {
  validateExternalTraffic,
  validateInternalTraffic,
  validateServiceCreate,
  validateServiceStatus,
  validateServiceUpdate,
  validateTrafficDistribution,
} from '../../../src/resources/services/validate.ts';
import { example, fieldsOf, reportedCauses, specOf } from '../support.ts';

const { object } = example('services/plain');
const metadata = { name: 'a', namespace: 'b', resourceVersion: '1' };
const service = (spec: object, fields: object = {}): Record<string, unknown> => ({
  metadata,
  spec: { ...specOf(object), clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ...spec },
  ...fields,
});
const createErrors = (spec: object): string[] => fieldsOf(reportedCauses((causes) => validateServiceCreate(service(spec), causes)));

test.each([
  [{}, []],
  [{ ports: [] }, ['spec.ports']],
  [{ ports: [], clusterIPs: ['None'] }, []],
  [{ type: 'NodePort', clusterIPs: ['None'], externalTrafficPolicy: 'Local' }, ['spec.clusterIPs[0]']],
  [{ type: 'ExternalName' }, ['spec.clusterIPs', 'spec.externalName']],
  [{ type: 'Odd' }, ['spec.type']],
  [{ selector: { 'a b': '' } }, ['spec.selector']],
  [{ sessionAffinity: 'ClientIP' }, ['spec.sessionAffinityConfig']],
  [
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
    ['spec.sessionAffinityConfig.clientIP.timeoutSeconds'],
  ],
  [{ externalIPs: ['x', '127.0.0.1'], externalTrafficPolicy: 'Local' }, ['spec.externalIPs[0]', 'spec.externalIPs[1]']],
  [{ loadBalancerSourceRanges: ['x'] }, ['spec.LoadBalancerSourceRanges', 'spec.LoadBalancerSourceRanges[0]']],
  [{ allocateLoadBalancerNodePorts: true, loadBalancerClass: 'a' }, ['spec.allocateLoadBalancerNodePorts', 'spec.loadBalancerClass']],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Cluster' }, ['allocateLoadBalancerNodePorts']],
])('validateServiceCreate checks %j', (spec, fields) => expect(createErrors(spec)).toEqual(fields));

const updateErrors = (spec: object, old: object): string[] =>
  fieldsOf(reportedCauses((causes) => validateServiceUpdate(service(spec), service(old), causes)));
const loadBalancerSpec = {
  type: 'LoadBalancer',
  allocateLoadBalancerNodePorts: true,
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 1,
};

test('an update cannot change immutable fields, but may keep externalIPs that were invalid before', () => {
  expect(updateErrors({}, {})).toEqual([]);
  expect(updateErrors({ clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] }, {})).toEqual(['spec.clusterIPs[0]']);
  expect(updateErrors({ ...loadBalancerSpec, loadBalancerClass: 'a', healthCheckNodePort: 2 }, loadBalancerSpec)).toEqual([
    'spec.loadBalancerClass',
    'spec.healthCheckNodePort',
  ]);
  expect(updateErrors({ externalIPs: ['01.2.3.4'], externalTrafficPolicy: 'Local' }, { externalIPs: ['01.2.3.4'] })).toEqual([]);
});

test('load balancer status requires type LoadBalancer and valid ingress', () => {
  const status = (...ingress: object[]): object => ({ status: { loadBalancer: { ingress } } });
  const check = (spec: object, fields: object): string[] =>
    fieldsOf(reportedCauses((causes) => validateServiceStatus(service(spec, fields), service(spec), causes)));
  expect(check({}, status({ ip: '1.2.3.4', ipMode: 'VIP' }))).toEqual(['status.loadBalancer.ingress']);
  expect(check(loadBalancerSpec, status({ ip: '1.2.3.4', ipMode: 'VIP' }, { hostname: 'a' }))).toEqual([]);
  expect(
    check(loadBalancerSpec, status({ ip: 'x' }, { ipMode: 'VIP' }, { hostname: '1.2.3.4' }, { ip: '1.2.3.4', ipMode: 'Odd' })),
  ).toEqual([
    'status.loadBalancer.ingress[0].ip',
    'status.loadBalancer.ingress[0].ipMode',
    'status.loadBalancer.ingress[1].ipMode',
    'status.loadBalancer.ingress[2].hostname',
    'status.loadBalancer.ingress[3].ipMode',
  ]);
});

type Check = typeof validateExternalTraffic;
const countErrors = (check: Check, spec: object): number =>
  reportedCauses((causes) => check(spec as Record<string, unknown>, causes)).length;

test.each([
  [{ type: 'ClusterIP' }, 0],
  [{ type: 'ClusterIP', externalTrafficPolicy: 'Local' }, 1],
  [{ type: 'NodePort' }, 1],
  [{ type: 'NodePort', externalTrafficPolicy: 'Odd', healthCheckNodePort: 5 }, 2],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Local' }, 1],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 70_000 }, 1],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 7000 }, 0],
])('validateExternalTraffic of %j reports %d errors', (spec, errorCount) =>
  expect(countErrors(validateExternalTraffic, spec)).toBe(errorCount),
);

test('validateInternalTraffic and validateTrafficDistribution check their values', () => {
  expect(countErrors(validateInternalTraffic, { type: 'ClusterIP' })).toBe(1);
  expect(countErrors(validateInternalTraffic, { type: 'ExternalName' })).toBe(0);
  expect(countErrors(validateInternalTraffic, { internalTrafficPolicy: 'Odd' })).toBe(1);
  expect(countErrors(validateTrafficDistribution, { trafficDistribution: 'Odd' })).toBe(1);
  expect(countErrors(validateTrafficDistribution, { trafficDistribution: 'PreferSameNode' })).toBe(0);
});
