import { dns1123Label } from '../../../formats/names.ts';
import { asJson, type Causes, collectCauses, validateRequiredFormat } from '../../field/causes.ts';
import { child, type Fields, has, list, text } from '../../field/read.ts';
import { nanosOf } from '../../field/resource-list.ts';
import { validatePullPolicy } from './containers.ts';
import type { Volumes } from './mounts.ts';
import { validateDescendingPath, validateMode, validateNoBacksteps } from './paths.ts';
import { validateDownwardAPIFile, validateKeyToPath, validateProjected } from './projected.ts';

/**
 * Mirrors ValidateVolumes (pkg/apis/core/validation, 1.36). For cloud and storage volumes, only required fields are checked.
 * @returns the valid volumes
 */
export function validateVolumes(spec: Fields, podName: string, causes: Causes): Volumes {
  const volumes = list(spec, 'volumes');
  const ephemeralClaims = new Set(
    podName === '' ? [] : volumes.filter((each) => has(each, 'ephemeral')).map((each) => `${podName}-${text(each, 'name')}`),
  );
  const validVolumes = new Map<string, Fields>();
  for (const [i, volume] of volumes.entries()) {
    const field = `spec.volumes[${i}]`;
    const volumeCauses = collectCauses();
    validateVolume(volume, field, volumeCauses);
    const name = text(volume, 'name');
    validateRequiredFormat(name, dns1123Label, `${field}.name`, volumeCauses);
    if (validVolumes.has(name)) volumeCauses.duplicate(`${field}.name`, name);
    if (volumeCauses.list.length === 0) validVolumes.set(name, volume);
    causes.add(volumeCauses.list);
    const claim = text(child(volume, 'persistentVolumeClaim'), 'claimName');
    if (has(volume, 'persistentVolumeClaim') && ephemeralClaims.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      causes.invalid(`${field}.persistentVolumeClaim.claimName`, claim, detail);
    }
  }
  return validVolumes;
}

type Check = (source: Fields, field: string, causes: Causes) => void;

/** Requires strings and lists to be set and not empty. */
const requireFields =
  (...names: readonly string[]): Check =>
  (source, field, causes) => {
    for (const name of names) if (isMissing(source, name)) causes.required(`${field}.${name}`);
  };

const isMissing = (source: Fields, name: string): boolean => !(source[name] as string | readonly unknown[] | null | undefined)?.length;

const checkFileVolume =
  (name: string): Check =>
  (source, field, causes) => {
    requireFields(name)(source, field, causes);
    validateMode(source['defaultMode'], `${field}.defaultMode`, causes);
    for (const [i, item] of list(source, 'items').entries()) validateKeyToPath(item, `${field}.items[${i}]`, causes);
  };

const hostPathTypes: readonly string[] = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** In upstream's order: the first type that is set is the volume's type. */
const volumeTypes: readonly (readonly [name: string, check: Check])[] = [
  [
    'emptyDir',
    (source, field, causes) => {
      if (!has(source, 'sizeLimit') || nanosOf(text(source, 'sizeLimit')) >= 0n) return;
      causes.forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
    },
  ],
  [
    'hostPath',
    (source, field, causes) => {
      const path = text(source, 'path');
      if (path === '') return causes.required(`${field}.path`);
      validateNoBacksteps(path, `${field}.path`, causes);
      const type = text(source, 'type');
      if (!hostPathTypes.includes(type)) causes.notSupported(`${field}.type`, asJson(type), hostPathTypes);
    },
  ],
  [
    'gitRepo',
    (source, field, causes) => {
      requireFields('repository')(source, field, causes);
      validateDescendingPath(text(source, 'directory'), `${field}.directory`, causes);
    },
  ],
  ['gcePersistentDisk', requireFields('pdName')],
  ['awsElasticBlockStore', requireFields('volumeID')],
  ['secret', checkFileVolume('secretName')],
  [
    'nfs',
    (source, field, causes) => {
      requireFields('server', 'path')(source, field, causes);
      if (!text(source, 'path').startsWith('/')) causes.invalid(`${field}.path`, text(source, 'path'), 'must be an absolute path');
    },
  ],
  ['iscsi', requireFields('targetPortal', 'iqn')],
  ['glusterfs', requireFields('endpoints', 'path')],
  [
    'flocker',
    (source, field, causes) => {
      if (!isMissing(source, 'datasetName') || !isMissing(source, 'datasetUUID')) return;
      causes.required(field, 'one of datasetName and datasetUUID is required');
    },
  ],
  ['persistentVolumeClaim', requireFields('claimName')],
  ['rbd', requireFields('monitors', 'image')],
  ['cinder', requireFields('volumeID')],
  ['cephfs', requireFields('monitors')],
  [
    'quobyte',
    (source, field, causes) => {
      requireFields('volume')(source, field, causes);
      if (!isMissing(source, 'registry')) return;
      causes.required(`${field}.registry`, 'must be a host:port pair or multiple pairs separated by commas');
    },
  ],
  [
    'downwardAPI',
    (source, field, causes) => {
      validateMode(source['defaultMode'], `${field}.defaultMode`, causes);
      for (const item of list(source, 'items')) validateDownwardAPIFile(item, field, causes);
    },
  ],
  [
    'fc',
    (source, field, causes) => {
      if (!isMissing(source, 'targetWWNs') || !isMissing(source, 'wwids')) return;
      causes.required(`${field}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both');
    },
  ],
  ['flexVolume', requireFields('driver')],
  ['configMap', checkFileVolume('name')],
  ['azureFile', requireFields('secretName', 'shareName')],
  ['vsphereVolume', requireFields('volumePath')],
  ['photonPersistentDisk', requireFields('pdID')],
  ['portworxVolume', requireFields('volumeID')],
  ['azureDisk', requireFields('diskName', 'diskURI')],
  ['storageos', requireFields('volumeName')],
  [
    'projected',
    (source, field, causes) => {
      validateMode(source['defaultMode'], `${field}.defaultMode`, causes);
      validateProjected(source, field, causes);
    },
  ],
  ['scaleIO', requireFields('gateway', 'system', 'volumeName')],
  ['csi', requireFields('driver')],
  ['ephemeral', requireTemplate],
  [
    'image',
    (source, field, causes) => {
      requireFields('reference')(source, field, causes);
      validatePullPolicy(source, 'pullPolicy', `${field}.pullPolicy`, causes);
    },
  ],
];

function requireTemplate(source: Fields, field: string, causes: Causes): void {
  if (!has(source, 'volumeClaimTemplate')) causes.required(`${field}.volumeClaimTemplate`);
}

/** Volume types that have another name in upstream's field paths. */
const fieldNames: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };

/** Upstream's misspelled names in errors about a second volume type. */
const misspellings: Readonly<Record<string, string>> = { downwardAPI: 'downwarAPI', cephfs: 'cephFS' };

function validateVolume(volume: Fields, field: string, causes: Causes): void {
  const [first, ...others] = volumeTypes.filter(([name]) => has(volume, name));
  if (!first) {
    causes.required(field, 'must specify a volume type');
    return;
  }
  first[1](child(volume, first[0]), `${field}.${fieldNames[first[0]] ?? first[0]}`, causes);
  for (const [name] of others) causes.forbidden(`${field}.${misspellings[name] ?? name}`, 'may not specify more than 1 volume type');
}
