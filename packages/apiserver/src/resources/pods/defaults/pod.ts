import { child, type Draft, draftList, ensureChild, has, text } from '../../field/read.ts';
import { roundResources } from '../../field/resource-list.ts';
import { defaultContainer, defaultFieldRef, pullPolicyOf } from './container.ts';
import { defaultPodResources } from './pod-resources.ts';

/** Defaults of PodSpec. Mirrors SetDefaults_PodSpec (pkg/apis/core/v1/defaults.go, 1.36). */
const podSpecDefaults: Readonly<Record<string, () => unknown>> = {
  dnsPolicy: () => 'ClusterFirst',
  restartPolicy: () => 'Always',
  securityContext: () => ({}),
  terminationGracePeriodSeconds: () => 30,
  schedulerName: () => 'default-scheduler',
};

/** Mirrors SetDefaults_Pod, the defaults of nested types, and the conversions between old and new field names. */
export function defaultPod(draft: Draft): void {
  defaultPodTemplate(draft);
  const spec = ensureChild(draft, 'spec');
  for (const name of ['initContainers', 'containers']) for (const container of draftList(spec, name)) defaultRequests(container);
  defaultPodResources(spec);
  if (!has(spec, 'enableServiceLinks')) spec['enableServiceLinks'] = true;
  if (spec['hostNetwork'] === true) defaultHostPorts(spec);
  defaultStatus(child(draft, 'status') as Draft);
}

/** The defaults of a PodTemplateSpec, which lacks those that only Pods get. */
export function defaultPodTemplate(draft: Draft): void {
  const spec = ensureChild(draft, 'spec');
  for (const volume of draftList(spec, 'volumes')) defaultVolume(volume);
  for (const name of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of draftList(spec, name)) defaultContainer(container);
  }
  roundResources(child(spec, 'overhead') as Draft);
  for (const [name, value] of Object.entries(podSpecDefaults)) if (!has(spec, name)) spec[name] = value();
  syncServiceAccountNames(spec);
  if ((spec['terminationGracePeriodSeconds'] as number) < 0) spec['terminationGracePeriodSeconds'] = 1;
  dropInitAnnotations(draft);
}

/** Requests default to the limits. */
function defaultRequests(container: Draft): void {
  if (!has(container, 'resources')) return;
  const resources = ensureChild(container, 'resources');
  const limits = child(resources, 'limits');
  if (Object.keys(limits).length === 0) return;
  const requests = ensureChild(resources, 'requests');
  for (const [name, value] of Object.entries(limits)) if (!Object.hasOwn(requests, name)) requests[name] = value;
}

function defaultHostPorts(spec: Draft): void {
  for (const name of ['containers', 'initContainers']) {
    for (const container of draftList(spec, name)) {
      for (const port of draftList(container, 'ports')) {
        if (!has(port, 'hostPort') && has(port, 'containerPort')) port['hostPort'] = port['containerPort'];
      }
    }
  }
}

function syncServiceAccountNames(spec: Draft): void {
  const name = text(spec, 'serviceAccountName') || text(spec, 'serviceAccount');
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

const removedAnnotations: readonly string[] = ['beta', 'alpha'].flatMap((stage) => [
  `pod.${stage}.kubernetes.io/init-containers`,
  `pod.${stage}.kubernetes.io/init-container-statuses`,
]);

function dropInitAnnotations(draft: Draft): void {
  const annotations = child(child(draft, 'metadata'), 'annotations') as Draft;
  for (const name of removedAnnotations) if (Object.hasOwn(annotations, name)) delete annotations[name];
}

/** podIP and the first of podIPs default to each other. */
function defaultStatus(status: Draft): void {
  const podIP = text(status, 'podIP');
  const firstPodIP = text(draftList(status, 'podIPs')[0] ?? {}, 'ip');
  if (podIP !== '' && firstPodIP !== podIP) status['podIPs'] = [{ ip: podIP }];
  else if (podIP === '' && firstPodIP !== '') status['podIP'] = firstPodIP;
}

/** The default mode of projected files: rw-r--r--. */
const defaultFileMode = 0o644;
const tokenExpirationSeconds = 3600;

/** Defaults by volume type. Mirrors SetDefaults_…VolumeSource (pkg/apis/core/v1, 1.36). */
const volumeDefaults: Readonly<Record<string, (source: Draft) => void>> = {
  secret: setDefaultMode,
  configMap: setDefaultMode,
  downwardAPI(source) {
    setDefaultMode(source);
    for (const item of draftList(source, 'items')) defaultFieldRef(item);
  },
  projected(source) {
    setDefaultMode(source);
    for (const each of draftList(source, 'sources')) defaultProjection(each);
  },
  hostPath: (source) => setAbsentFields(source, { type: '' }),
  iscsi: (source) => setAbsentFields(source, { iscsiInterface: 'default' }),
  rbd: (source) => setAbsentFields(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  azureDisk: (source) => setAbsentFields(source, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, volumeType: 'Shared' }),
  scaleIO: (source) => setAbsentFields(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  ephemeral(source) {
    if (!has(source, 'volumeClaimTemplate')) return;
    const spec = ensureChild(ensureChild(source, 'volumeClaimTemplate'), 'spec');
    setAbsentFields(spec, { volumeMode: 'Filesystem' });
    for (const name of ['limits', 'requests']) roundResources(child(child(spec, 'resources'), name) as Draft);
  },
  image(source) {
    if (text(source, 'pullPolicy') === '') source['pullPolicy'] = pullPolicyOf(text(source, 'reference'));
  },
};

export function defaultVolume(volume: Draft): void {
  const volumeTypes = Object.keys(volume).filter((name) => name !== 'name');
  if (volumeTypes.length === 0) volume['emptyDir'] = {};
  for (const volumeType of volumeTypes) volumeDefaults[volumeType]?.(child(volume, volumeType) as Draft);
}

function setDefaultMode(source: Draft): void {
  setAbsentFields(source, { defaultMode: defaultFileMode });
}

function defaultProjection(source: Draft): void {
  for (const item of draftList(child(source, 'downwardAPI') as Draft, 'items')) defaultFieldRef(item);
  if (has(source, 'serviceAccountToken'))
    setAbsentFields(ensureChild(source, 'serviceAccountToken'), { expirationSeconds: tokenExpirationSeconds });
}

function setAbsentFields(draft: Draft, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) if (!has(draft, name)) draft[name] = value;
}
