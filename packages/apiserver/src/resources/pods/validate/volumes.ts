import { dns1123Label, dns1123Subdomain } from '../../../formats/names.ts';
import { asJson, type Causes, collectCauses, validateFormat, validateRequiredFormat } from '../../field/causes.ts';
import { child, type Fields, has, list, text } from '../../field/read.ts';
import { nanosOf } from '../../field/resource-list.ts';
import { validatePullPolicy } from './containers.ts';
import type { Volumes } from './mounts.ts';
import { validateDescendingPath, validateMode, validateNoBacksteps } from './paths.ts';
import { validateDownwardAPIFile, validateKeyToPath, validateProjected } from './projected.ts';

/**
 * Mirrors ValidateVolumes (pkg/apis/core/validation, 1.36). For cloud and storage volumes, only required fields are checked.
 * @param podName undefined in a pod template
 * @returns the valid volumes
 */
export function validateVolumes(spec: Fields, podName: string | undefined, causes: Causes): Volumes {
  const volumes = list(spec, 'volumes');
  const ephemeralClaimNames = new Set(
    !podName ? [] : volumes.filter((each) => has(each, 'ephemeral')).map((each) => `${podName}-${text(each, 'name')}`),
  );
  const validVolumes = new Map<string, Fields>();
  for (const [i, volume] of volumes.entries()) {
    const field = `spec.volumes[${i}]`;
    const volumeCauses = collectCauses();
    validateVolume(volume, field, volumeCauses, podName === undefined);
    const name = text(volume, 'name');
    validateRequiredFormat(name, dns1123Label, `${field}.name`, volumeCauses);
    if (validVolumes.has(name)) volumeCauses.duplicate(`${field}.name`, name);
    if (volumeCauses.list.length === 0) validVolumes.set(name, volume);
    causes.add(volumeCauses.list);
    const claimName = text(child(volume, 'persistentVolumeClaim'), 'claimName');
    if (has(volume, 'persistentVolumeClaim') && ephemeralClaimNames.has(claimName)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      causes.invalid(`${field}.persistentVolumeClaim.claimName`, claimName, detail);
    }
  }
  return validVolumes;
}

type Check = (source: Fields, field: string, causes: Causes, isTemplate: boolean) => void;

/** Creates a check that requires strings and lists to be set and not empty. */
const createFieldsCheck =
  (...names: readonly string[]) =>
  (source: Fields, field: string, causes: Causes): void => {
    for (const name of names) if (isMissing(source, name)) causes.required(`${field}.${name}`);
  };

const isMissing = (source: Fields, name: string): boolean => !(source[name] as string | readonly unknown[] | null | undefined)?.length;

const createFileVolumeCheck =
  (name: string): Check =>
  (source, field, causes) => {
    createFieldsCheck(name)(source, field, causes);
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
      createFieldsCheck('repository')(source, field, causes);
      validateDescendingPath(text(source, 'directory'), `${field}.directory`, causes);
    },
  ],
  ['gcePersistentDisk', createFieldsCheck('pdName')],
  ['awsElasticBlockStore', createFieldsCheck('volumeID')],
  ['secret', createFileVolumeCheck('secretName')],
  [
    'nfs',
    (source, field, causes) => {
      createFieldsCheck('server', 'path')(source, field, causes);
      if (!text(source, 'path').startsWith('/')) causes.invalid(`${field}.path`, text(source, 'path'), 'must be an absolute path');
    },
  ],
  ['iscsi', createFieldsCheck('targetPortal', 'iqn')],
  ['glusterfs', createFieldsCheck('endpoints', 'path')],
  [
    'flocker',
    (source, field, causes) => {
      if (!isMissing(source, 'datasetName') || !isMissing(source, 'datasetUUID')) return;
      causes.required(field, 'one of datasetName and datasetUUID is required');
    },
  ],
  ['persistentVolumeClaim', createFieldsCheck('claimName')],
  ['rbd', createFieldsCheck('monitors', 'image')],
  ['cinder', createFieldsCheck('volumeID')],
  ['cephfs', createFieldsCheck('monitors')],
  [
    'quobyte',
    (source, field, causes) => {
      createFieldsCheck('volume')(source, field, causes);
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
  ['flexVolume', createFieldsCheck('driver')],
  ['configMap', createFileVolumeCheck('name')],
  ['azureFile', createFieldsCheck('secretName', 'shareName')],
  ['vsphereVolume', createFieldsCheck('volumePath')],
  ['photonPersistentDisk', createFieldsCheck('pdID')],
  ['portworxVolume', createFieldsCheck('volumeID')],
  ['azureDisk', createFieldsCheck('diskName', 'diskURI')],
  ['storageos', createFieldsCheck('volumeName')],
  [
    'projected',
    (source, field, causes) => {
      validateMode(source['defaultMode'], `${field}.defaultMode`, causes);
      validateProjected(source, field, causes);
    },
  ],
  ['scaleIO', createFieldsCheck('gateway', 'system', 'volumeName')],
  ['csi', validateCsi],
  ['ephemeral', requireTemplate],
  [
    'image',
    (source, field, causes, isTemplate) => {
      if (!isTemplate) createFieldsCheck('reference')(source, field, causes);
      validatePullPolicy(source, 'pullPolicy', `${field}.pullPolicy`, causes);
    },
  ],
];

/** Mirrors validateCSIVolumeSource; like it, errors about the name of the Secret name the field `name`. */
function validateCsi(source: Fields, field: string, causes: Causes): void {
  const driver = text(source, 'driver');
  if (driver === '') causes.required(`${field}.driver`);
  if (driver.length > 63) causes.tooLong(`${field}.driver`, 63);
  if (driver !== '') for (const problem of dns1123Subdomain(driver.toLowerCase())) causes.invalid(`${field}.driver`, driver, problem);
  if (!has(source, 'nodePublishSecretRef')) return;
  const secretName = text(child(source, 'nodePublishSecretRef'), 'name');
  if (secretName === '') causes.required(`${field}.nodePublishSecretRef.name`);
  else validateFormat(secretName, dns1123Subdomain, `${field}.name`, causes);
}

function requireTemplate(source: Fields, field: string, causes: Causes): void {
  if (!has(source, 'volumeClaimTemplate')) causes.required(`${field}.volumeClaimTemplate`);
}

/** Volume types that have a different name in upstream's field paths. */
const fieldNames: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };

/** Upstream's misspelled names in errors about a second volume type. */
const misspellings: Readonly<Record<string, string>> = { downwardAPI: 'downwarAPI', cephfs: 'cephFS' };

function validateVolume(volume: Fields, field: string, causes: Causes, isTemplate: boolean): void {
  const [first, ...others] = volumeTypes.filter(([name]) => has(volume, name));
  if (!first) {
    causes.required(field, 'must specify a volume type');
    return;
  }
  const [type, check] = first;
  check(child(volume, type), `${field}.${fieldNames[type] ?? type}`, causes, isTemplate);
  for (const [name] of others) causes.forbidden(`${field}.${misspellings[name] ?? name}`, 'may not specify more than 1 volume type');
}
