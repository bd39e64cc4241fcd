import { quote } from 'kube-endpoints/internal/apimachinery';
import { dns1123Label } from '../../../formats/names.ts';
import { warningsOfIP } from '../../field/addresses.ts';
import { child, type Fields, has, list, number, text, texts } from '../../field/read.ts';
import { nanosOf } from '../../field/resource-list.ts';
import { preferredDuringScheduling, requiredDuringScheduling } from '../validate/affinity.ts';
import { containersWithPaths, warningsOfContainers } from './containers.ts';

/**
 * Warnings for the creation of a pod.
 *
 * Mirrors WarningsOnCreate (pkg/registry/core/pod/strategy.go, 1.36) and GetWarningsForPod (pkg/api/pod/warnings.go), except for
 * overlapping paths in volumes, claims of ephemeral volumes, and AppArmor annotations.
 */
export function warningsOfPod(object: Fields): readonly string[] {
  const [metadata, spec] = [child(object, 'metadata'), child(object, 'spec')];
  const grace = number(spec, 'terminationGracePeriodSeconds');
  return [
    ...warningsOfName(text(metadata, 'name')),
    ...warningsOfScheduling(spec),
    ...warningsOfAnnotations(metadata),
    ...warningsOfVolumes(list(spec, 'volumes')),
    ...warningsOfDuplicates(spec),
    ...warningsOfFractions(spec, 'spec', ['overhead']),
    ...warningsOfSeccomp(metadata, child(spec, 'securityContext'), 'seccomp.security.alpha.kubernetes.io/pod'),
    ...containersWithPaths(spec).flatMap(({ container, path }) => [
      ...warningsOfSeccomp(
        metadata,
        child(container, 'securityContext'),
        `container.seccomp.security.alpha.kubernetes.io/${text(container, 'name')}`,
      ),
      ...warningsOfFractions(child(container, 'resources'), `${path}.resources`, ['limits', 'requests']),
    ]),
    ...warningsOfContainers(spec),
    ...(grace < 0 ? ['spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1'] : []),
    ...texts(child(spec, 'dnsConfig'), 'nameservers').flatMap((ip, i) => warningsOfIP(`spec.dnsConfig.nameservers[${i}]`, ip)),
    ...list(spec, 'hostAliases').flatMap((alias, i) => warningsOfIP(`spec.hostAliases[${i}].ip`, text(alias, 'ip'))),
  ];
}

/** A pod's name becomes its hostname, so it should be a DNS label. */
function warningsOfName(name: string): readonly string[] {
  const problems = dns1123Label(name);
  const reason = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return problems.length > 0 ? [`metadata.name: ${reason}: [${problems.join(' ')}]`] : [];
}

const sysctlsMessage = 'non-functional in v1.11+; use the "sysctls" field instead';

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': sysctlsMessage,
  'security.alpha.kubernetes.io/unsafe-sysctls': sysctlsMessage,
};

const warningsOfAnnotations = (metadata: Fields): string[] =>
  Object.entries(deprecatedAnnotations)
    .filter(([key]) => Object.hasOwn(child(metadata, 'annotations'), key))
    .map(([key, message]) => `metadata.annotations[${key}]: ${message}`);

function warningsOfSeccomp(metadata: Fields, context: Fields, key: string): string[] {
  if (has(context, 'seccompProfile') || !Object.hasOwn(child(metadata, 'annotations'), key)) return [];
  return [`metadata.annotations[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`];
}

const deprecatedVolumes: Readonly<Record<string, string>> = {
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
const warningsOfVolumes = (volumes: readonly Fields[]): string[] => [
  ...volumes.flatMap((volume, i) =>
    Object.entries(deprecatedVolumes)
      .filter(([name]) => has(volume, name))
      .map(([name, message]) => `spec.volumes[${i}].${name === 'storageos' ? 'storageOS' : name}: ${message}`),
  ),
  ...volumes.flatMap((volume) =>
    list(child(volume, 'projected'), 'sources')
      .filter((source) => Object.keys(source).length === 0)
      .map(() => `volume ${quote(text(volume, 'name'))} (Projected) has no sources provided`),
  ),
];

function warningsOfDuplicates(spec: Fields): string[] {
  const findDuplicates = (name: string, key: string): string[] => {
    const values = list(spec, name).map((each) => text(each, key));
    return values.flatMap((value, i) => (values.indexOf(value) < i ? [`spec.${name}[${i}].${key}: duplicate ${key} ${quote(value)}`] : []));
  };
  const emptyNameWarnings = list(spec, 'imagePullSecrets').flatMap((secret, i) =>
    text(secret, 'name') === '' ? [`spec.imagePullSecrets[${i}].name: invalid empty name ""`] : [],
  );
  return [...findDuplicates('hostAliases', 'ip'), ...findDuplicates('imagePullSecrets', 'name'), ...emptyNameWarnings];
}

function warningsOfFractions(object: Fields, path: string, names: readonly string[]): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((resource) =>
    names.flatMap((name) => {
      const value = text(child(object, name), resource);
      if (value === '' || nanosOf(value) % 1_000_000_000n === 0n) return [];
      return [`${path}.${name}[${resource}]: fractional byte value ${quote(value)} is invalid, must be an integer`];
    }),
  );
}

/** Warnings about deprecated node labels and absent label selectors. */
export function warningsOfScheduling(spec: Fields): string[] {
  const affinity = child(spec, 'affinity');
  return [
    ...Object.keys(child(spec, 'nodeSelector')).flatMap((key) => deprecationOf(key, (reason) => `spec.nodeSelector[${key}]: ${reason}`)),
    ...warningsOfNodeAffinity(child(affinity, 'nodeAffinity'), 'spec.affinity.nodeAffinity'),
    ...list(spec, 'topologySpreadConstraints').flatMap((constraint, i) => [
      ...warnIfLabelDeprecated(text(constraint, 'topologyKey'), `spec.topologySpreadConstraints[${i}].topologyKey`),
      ...warnIfNoSelector(constraint, `spec.topologySpreadConstraints[${i}]`),
    ]),
    ...['podAffinity', 'podAntiAffinity'].flatMap((name) => warningsOfPodAffinity(child(affinity, name), `spec.affinity.${name}`)),
  ];
}

function warningsOfNodeAffinity(affinity: Fields, path: string): string[] {
  const warningsOfTerm = (term: Fields, termPath: string): string[] =>
    list(term, 'matchExpressions').flatMap((each, i) => warnIfLabelDeprecated(text(each, 'key'), `${termPath}.matchExpressions[${i}].key`));
  return [
    ...list(child(affinity, requiredDuringScheduling), 'nodeSelectorTerms').flatMap((term, i) =>
      warningsOfTerm(term, `${path}.${requiredDuringScheduling}.nodeSelectorTerms[${i}]`),
    ),
    ...list(affinity, preferredDuringScheduling).flatMap((term, i) =>
      warningsOfTerm(child(term, 'preference'), `${path}.${preferredDuringScheduling}[${i}].preference`),
    ),
  ];
}

const warningsOfPodAffinity = (affinity: Fields, path: string): string[] => [
  ...list(affinity, requiredDuringScheduling).flatMap((term, i) => warnIfNoSelector(term, `${path}.${requiredDuringScheduling}[${i}]`)),
  ...list(affinity, preferredDuringScheduling).flatMap((term, i) =>
    warnIfNoSelector(child(term, 'podAffinityTerm'), `${path}.${preferredDuringScheduling}[${i}].podAffinityTerm`),
  ),
];

const warnIfNoSelector = (term: Fields, path: string): string[] =>
  has(term, 'labelSelector') ? [] : [`${path}.labelSelector: a null labelSelector results in matching no pod`];

const warnIfLabelDeprecated = (key: string, path: string): string[] => deprecationOf(key, (reason) => `${path}: ${key} is ${reason}`);

const deprecationOf = (key: string, format: (reason: string) => string): string[] =>
  Object.hasOwn(deprecatedLabels, key) ? [format(deprecatedLabels[key] as string)] : [];

/** `deprecatedNodeLabels` (pkg/api/node/util.go, 1.36). */
const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};
