import { expect, test } from 'vitest';
import { validateExternalTraffic, validateInternalTraffic, validateTrafficDistribution } from '../../../src/resources/services/traffic.ts';
import { found } from '../support.ts';

type Check = typeof validateExternalTraffic;
const count = (check: Check, spec: object): number => found((causes) => check(spec as Record<string, unknown>, causes)).length;

test.each([
  [{ type: 'ClusterIP' }, 0],
  [{ type: 'ClusterIP', externalTrafficPolicy: 'Local' }, 1],
  [{ type: 'NodePort' }, 1],
  [{ type: 'NodePort', externalTrafficPolicy: 'Odd', healthCheckNodePort: 5 }, 2],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Local' }, 1],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 70_000 }, 1],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 7000 }, 0],
])('from outside: %j', (spec, findings) => expect(count(validateExternalTraffic, spec)).toBe(findings));

test('from inside, and by zones', () => {
  expect(count(validateInternalTraffic, { type: 'ClusterIP' })).toBe(1);
  expect(count(validateInternalTraffic, { type: 'ExternalName' })).toBe(0);
  expect(count(validateInternalTraffic, { internalTrafficPolicy: 'Odd' })).toBe(1);
  expect(count(validateTrafficDistribution, { trafficDistribution: 'Odd' })).toBe(1);
  expect(count(validateTrafficDistribution, { trafficDistribution: 'PreferSameNode' })).toBe(0);
});
