import { child, type Fields, has, list, text } from '../../field/read.ts';

/** Where a pod is to run: labels of nodes that are out of use, and selectors that select nothing. */
export function warningsOfScheduling(spec: Fields): string[] {
  const affinity = child(spec, 'affinity');
  return [
    ...Object.keys(child(spec, 'nodeSelector')).flatMap((key) => oldLabel(key, (why) => `spec.nodeSelector[${key}]: ${why}`)),
    ...ofNodeAffinity(child(affinity, 'nodeAffinity'), 'spec.affinity.nodeAffinity'),
    ...list(spec, 'topologySpreadConstraints').flatMap((constraint, i) => [
      ...namedLabel(text(constraint, 'topologyKey'), `spec.topologySpreadConstraints[${i}].topologyKey`),
      ...withoutSelector(constraint, `spec.topologySpreadConstraints[${i}]`),
    ]),
    ...['podAffinity', 'podAntiAffinity'].flatMap((name) => ofPodAffinity(child(affinity, name), `spec.affinity.${name}`)),
  ];
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function ofNodeAffinity(affinity: Fields, path: string): string[] {
  const inTerm = (term: Fields, at: string): string[] =>
    list(term, 'matchExpressions').flatMap((each, i) => namedLabel(text(each, 'key'), `${at}.matchExpressions[${i}].key`));
  return [
    ...list(child(affinity, required), 'nodeSelectorTerms').flatMap((term, i) =>
      inTerm(term, `${path}.${required}.nodeSelectorTerms[${i}]`),
    ),
    ...list(affinity, preferred).flatMap((term, i) => inTerm(child(term, 'preference'), `${path}.${preferred}[${i}].preference`)),
  ];
}

const ofPodAffinity = (affinity: Fields, path: string): string[] => [
  ...list(affinity, required).flatMap((term, i) => withoutSelector(term, `${path}.${required}[${i}]`)),
  ...list(affinity, preferred).flatMap((term, i) =>
    withoutSelector(child(term, 'podAffinityTerm'), `${path}.${preferred}[${i}].podAffinityTerm`),
  ),
];

const withoutSelector = (term: Fields, path: string): string[] =>
  has(term, 'labelSelector') ? [] : [`${path}.labelSelector: a null labelSelector results in matching no pod`];

const namedLabel = (key: string, path: string): string[] => oldLabel(key, (why) => `${path}: ${key} is ${why}`);

const oldLabel = (key: string, say: (why: string) => string): string[] =>
  Object.hasOwn(oldLabels, key) ? [say(oldLabels[key] as string)] : [];

/** `deprecatedNodeLabels` (pkg/api/node/util.go, 1.36). */
const oldLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};
