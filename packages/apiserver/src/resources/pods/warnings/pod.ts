import { quote } from 'kube-endpoints/internal';
import { dns1123Label } from '../../../formats/names.ts';
import { warningsOfIP } from '../../field/ip-warnings.ts';
import { child, type Fields, has, list, number, text, texts } from '../../field/read.ts';
import { nanosOf } from '../../field/resource-list.ts';
import { containersWithPaths, warningsOfContainers } from './containers.ts';
import { warningsOfScheduling } from './scheduling.ts';

/**
 * What the creator of a pod is warned of. Nobody is when one is updated.
 *
 * Mirrors WarningsOnCreate (pkg/registry/core/pod/strategy.go, 1.36) and GetWarningsForPod (pkg/api/pod/warnings.go), but for paths in
 * volumes that overlap, claims of ephemeral volumes, and AppArmor by annotations.
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

/** A pod's name becomes its hostname. */
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

/** The path of one is written with a capital more than the field has. */
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
