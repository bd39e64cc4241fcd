import { expect, test } from 'vitest';
import { warningsOfService } from '../../../src/resources/services/warnings.ts';

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
])('%j', (spec, warnings) => expect(warningsOfService({ spec })).toEqual(warnings));

test('an annotation that has another name', () => {
  const annotations = { 'service.kubernetes.io/topology-aware-hints': 'Auto' };
  expect(warningsOfService({ metadata: { annotations } })).toHaveLength(1);
});
