import { describe, expect, test } from 'vitest';
import { warningsOfPod, warningsOfScheduling } from '../../../../src/resources/pods/warnings/pod.ts';

const warnings = (spec: object, annotations: object = {}): readonly string[] =>
  warningsOfPod({ metadata: { name: 'web', annotations }, spec });

test('a plain pod causes no warnings', () => {
  expect(warnings({ containers: [{ name: 'main', image: 'web:1', ports: [{ containerPort: 80 }] }] })).toEqual([]);
});

test('duplicate and empty names cause warnings', () => {
  expect(warnings({ imagePullSecrets: [{}, {}], hostAliases: [{ ip: '192.0.2.1' }, { ip: '192.0.2.1' }] })).toEqual([
    'spec.hostAliases[1].ip: duplicate ip "192.0.2.1"',
    'spec.imagePullSecrets[1].name: duplicate name ""',
    'spec.imagePullSecrets[0].name: invalid empty name ""',
    'spec.imagePullSecrets[1].name: invalid empty name ""',
  ]);
});

test('deprecated and empty volumes cause warnings', () => {
  const volumes = [{ gitRepo: {} }, { storageos: {} }, { name: 'v', projected: { sources: [{}] } }, { emptyDir: {} }];
  expect(warnings({ volumes })).toEqual([
    'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    'spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+',
    'volume "v" (Projected) has no sources provided',
  ]);
});

test('fractional bytes, negative grace periods, non-canonical addresses and obsolete annotations cause warnings', () => {
  const resources = { limits: { memory: '100m', cpu: '100m' }, requests: { memory: '1', 'ephemeral-storage': '1500m' } };
  const seccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
  const spec = { terminationGracePeriodSeconds: -1, dnsConfig: { nameservers: ['::01'] }, containers: [{ resources }] };
  const criticalPodAnnotation = 'scheduler.alpha.kubernetes.io/critical-pod';
  expect(warnings(spec, { [seccompAnnotation]: 'runtime/default', [criticalPodAnnotation]: '' })).toEqual([
    `metadata.annotations[${criticalPodAnnotation}]: non-functional in v1.16+; use the "priorityClassName" field instead`,
    `metadata.annotations[${seccompAnnotation}]: non-functional in v1.27+; use the "seccompProfile" field instead`,
    'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
    'spec.containers[0].resources.requests[ephemeral-storage]: fractional byte value "1500m" is invalid, must be an integer',
    'spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    'spec.dnsConfig.nameservers[0]: IPv6 address "::01" should be in RFC 5952 canonical format ("::1")',
  ]);
  const fields = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } };
  expect(warnings(fields, { [seccompAnnotation]: 'runtime/default' })).toEqual([]);
});

describe('scheduling', () => {
  const warnings = (spec: object): readonly string[] => warningsOfScheduling(spec as Record<string, unknown>);

  test('obsolete labels and missing label selectors cause warnings', () => {
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const nodeAffinity = { [preferred]: [{ preference: { matchExpressions: [{ key: 'beta.kubernetes.io/arch' }] } }] };
    const podAffinity = { [required]: [{ labelSelector: {} }, {}], [preferred]: [{ podAffinityTerm: {} }] };
    const warning = 'labelSelector: a null labelSelector results in matching no pod';
    const nodeSelector = { 'node-role.kubernetes.io/master': '' };
    expect(warnings({ nodeSelector, affinity: { nodeAffinity, podAffinity }, topologySpreadConstraints: [{}] })).toEqual([
      'spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
      `spec.affinity.nodeAffinity.${preferred}[0].preference.matchExpressions[0].key: beta.kubernetes.io/arch is ` +
        'deprecated since v1.14; use "kubernetes.io/arch" instead',
      `spec.topologySpreadConstraints[0].${warning}`,
      `spec.affinity.podAffinity.${required}[1].${warning}`,
      `spec.affinity.podAffinity.${preferred}[0].podAffinityTerm.${warning}`,
    ]);
  });
});
