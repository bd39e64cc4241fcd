import { expect, test } from 'vitest';
import { validateSpec } from '../../../../src/resources/pods/validate/spec.ts';
import { example, fieldsOf, reportedCauses, specOf } from '../../support.ts';

const check = (fields: object): string[] => {
  const { object } = example('pods/plain');
  return fieldsOf(reportedCauses((causes) => validateSpec({ ...object, spec: { ...specOf(object), ...fields } }, causes)));
};

test.each([
  [{}, []],
  [{ terminationGracePeriodSeconds: undefined }, ['terminationGracePeriodSeconds']],
  [{ restartPolicy: 'Odd', dnsPolicy: '' }, ['restartPolicy', 'dnsPolicy']],
  [{ dnsPolicy: 'None' }, ['dnsConfig']],
  [{ dnsPolicy: 'None', dnsConfig: {} }, ['dnsConfig.nameservers']],
  [
    { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', 'x'], searches: ['.', 'a_b.', 'A'], options: [{}] } },
    ['dnsConfig.nameservers', 'dnsConfig.nameservers[3]', 'dnsConfig.searches[2]', 'dnsConfig.options[0]'],
  ],
  [{ dnsConfig: { searches: Array.from({ length: 33 }, () => 'x'.repeat(63)) } }, ['dnsConfig.searches', 'dnsConfig.searches']],
  [{ nodeSelector: { 'a b': '' } }, ['nodeSelector']],
  [
    { readinessGates: [{ conditionType: 'a b' }], schedulingGates: [{ name: 'a' }, { name: 'a' }] },
    ['readinessGates[0].conditionType', 'schedulingGates[1]'],
  ],
  [{ hostUsers: false, hostPID: true, hostIPC: true }, ['HostPID', 'HostIPC']],
  [{ hostnameOverride: 'A', setHostnameAsFQDN: true }, ['hostnameOverride', 'hostnameOverride']],
  [{ hostname: 'a.b', nodeName: 'A', activeDeadlineSeconds: 0 }, ['nodeName', 'hostname', 'activeDeadlineSeconds']],
  [{ hostAliases: [{ ip: 'x', hostnames: ['A'] }] }, ['hostAliases[0].ip', 'hostAliases[0].hostnames[0]']],
  [
    { preemptionPolicy: 'Odd', runtimeClassName: 'A', overhead: { odd: '1' } },
    ['runtimeClassName', 'preemptionPolicy', 'overhead.limits[odd]', 'overhead.limits[odd]'],
  ],
  [{ os: {} }, ['os.name']],
  [{ os: { name: 'odd' } }, ['os']],
  [{ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }, ['securityContext.windowsOptions']],
])('validateSpec checks %j', (fields, invalidFields) => expect(check(fields)).toEqual(invalidFields.map((field) => `spec.${field}`)));

test('host ports equal container ports with hostNetwork', () => {
  const containers = [
    {
      ...(specOf(example('pods/plain').object)['containers'] as object[])[0],
      ports: [{ containerPort: 80, hostPort: 81, protocol: 'TCP' }],
    },
  ];
  expect(check({ hostNetwork: true, containers })).toEqual(['spec.containers[0].ports[0].hostPort']);
});
