import { expect, test } from 'vitest';
import { warningsOfScheduling } from '../../../../src/resources/pods/warnings/scheduling.ts';

const warnings = (spec: object): readonly string[] => warningsOfScheduling(spec as Record<string, unknown>);

test('where it is to run', () => {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const nodeAffinity = { [preferred]: [{ preference: { matchExpressions: [{ key: 'beta.kubernetes.io/arch' }] } }] };
  const podAffinity = { [required]: [{ labelSelector: {} }, {}], [preferred]: [{ podAffinityTerm: {} }] };
  const none = 'labelSelector: a null labelSelector results in matching no pod';
  const nodeSelector = { 'node-role.kubernetes.io/master': '' };
  expect(warnings({ nodeSelector, affinity: { nodeAffinity, podAffinity }, topologySpreadConstraints: [{}] })).toEqual([
    'spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
    `spec.affinity.nodeAffinity.${preferred}[0].preference.matchExpressions[0].key: beta.kubernetes.io/arch is ` +
      'deprecated since v1.14; use "kubernetes.io/arch" instead',
    `spec.topologySpreadConstraints[0].${none}`,
    `spec.affinity.podAffinity.${required}[1].${none}`,
    `spec.affinity.podAffinity.${preferred}[0].podAffinityTerm.${none}`,
  ]);
});
