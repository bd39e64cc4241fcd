import { quote } from 'kube-endpoints/internal';
import { dns1123Label } from '../../../formats/names.ts';
import { warningsOfIP } from '../../field/addresses.ts';
import { child, type Fields, has, list, number, text, texts } from '../../field/read.ts';
import { nanosOf } from '../../field/resource-list.ts';
import { containersWithPaths, warningsOfContainers } from './containers.ts';

/**
 * Warnings for the creator of a pod; updates cause none.
 *
 * Mirrors WarningsOnCreate (pkg/registry/core/pod/strategy.go, 1.36) and GetWarningsForPod (pkg/api/pod/warnings.go), except for
 * overlapping paths in volumes, claims of ephemeral volumes, and AppArmor annotations.
 */
export function warningsOfPod(object: Fields): readonly string[] {
  const [metadata, spec] = [child(object, 'metadata'), child(object, 'spec')];
  const grace = number(spec, 'terminationGracePeriodSeconds');
  return [
    ...ofName(text(metadata, 'name')),
    ...warningsOfScheduling(spec),
    ...ofAnnotations(metadata),
    ...ofVolumes(list(spec, 'volumes')),
    ...ofDuplicates(spec),
    ...fractional(spec, 'spec', ['overhead']),
    ...ofSeccomp(metadata, child(spec, 'securityContext'), 'seccomp.security.alpha.kubernetes.io/pod'),
    ...containersWithPaths(spec).flatMap(({ container, path }) => [
      ...ofSeccomp(
        metadata,
        child(container, 'securityContext'),
        `container.seccomp.security.alpha.kubernetes.io/${text(container, 'name')}`,
      ),
      ...fractional(child(container, 'resources'), `${path}.resources`, ['limits', 'requests']),
    ]),
    ...warningsOfContainers(spec),
    ...(grace < 0 ? ['spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1'] : []),
    ...texts(child(spec, 'dnsConfig'), 'nameservers').flatMap((ip, i) => warningsOfIP(`spec.dnsConfig.nameservers[${i}]`, ip)),
    ...list(spec, 'hostAliases').flatMap((alias, i) => warningsOfIP(`spec.hostAliases[${i}].ip`, text(alias, 'ip'))),
  ];
}

/** A pod's name becomes its hostname, so it should be a DNS label. */
function ofName(name: string): readonly string[] {
  const problems = dns1123Label(name);
  const why = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return problems.length > 0 ? [`metadata.name: ${why}: [${problems.join(' ')}]`] : [];
}

const sysctls = 'non-functional in v1.11+; use the "sysctls" field instead';

const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': sysctls,
  'security.alpha.kubernetes.io/unsafe-sysctls': sysctls,
};

const ofAnnotations = (metadata: Fields): string[] =>
  Object.entries(oldAnnotations)
    .filter(([key]) => Object.hasOwn(child(metadata, 'annotations'), key))
    .map(([key, message]) => `metadata.annotations[${key}]: ${message}`);

function ofSeccomp(metadata: Fields, context: Fields, key: string): string[] {
  if (has(context, 'seccompProfile') || !Object.hasOwn(child(metadata, 'annotations'), key)) return [];
  return [`metadata.annotations[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`];
}

const oldVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** The path of storageos is spelled storageOS, as upstream. */
const ofVolumes = (volumes: readonly Fields[]): string[] => [
  ...volumes.flatMap((volume, i) =>
    Object.entries(oldVolumes)
      .filter(([name]) => has(volume, name))
      .map(([name, message]) => `spec.volumes[${i}].${name === 'storageos' ? 'storageOS' : name}: ${message}`),
  ),
  ...volumes.flatMap((volume) =>
    list(child(volume, 'projected'), 'sources')
      .filter((source) => Object.keys(source).length === 0)
      .map(() => `volume ${quote(text(volume, 'name'))} (Projected) has no sources provided`),
  ),
];

function ofDuplicates(spec: Fields): string[] {
  const twice = (name: string, key: string): string[] => {
    const values = list(spec, name).map((each) => text(each, key));
    return values.flatMap((value, i) => (values.indexOf(value) < i ? [`spec.${name}[${i}].${key}: duplicate ${key} ${quote(value)}`] : []));
  };
  const unnamed = list(spec, 'imagePullSecrets').flatMap((secret, i) =>
    text(secret, 'name') === '' ? [`spec.imagePullSecrets[${i}].name: invalid empty name ""`] : [],
  );
  return [...twice('hostAliases', 'ip'), ...twice('imagePullSecrets', 'name'), ...unnamed];
}

function fractional(holder: Fields, path: string, names: readonly string[]): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((resource) =>
    names.flatMap((name) => {
      const value = text(child(holder, name), resource);
      if (value === '' || nanosOf(value) % 1_000_000_000n === 0n) return [];
      return [`${path}.${name}[${resource}]: fractional byte value ${quote(value)} is invalid, must be an integer`];
    }),
  );
}

/** Warnings about deprecated node labels and absent label selectors. */
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
