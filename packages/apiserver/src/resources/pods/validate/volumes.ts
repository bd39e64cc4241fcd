import { dns1123Label } from '../../../formats/names.ts';
import { asJson, type Causes, collectCauses, validateFormat } from '../../field/causes.ts';
import { child, type Fields, has, list, text } from '../../field/read.ts';
import { nanosOf } from '../../field/resource-list.ts';
import { validatePullPolicy } from './containers.ts';
import type { Volumes } from './mounts.ts';
import { validateDescending, validateMode, validateNoBacksteps } from './paths.ts';
import { validateFile, validateKeyPath, validateProjected } from './projected.ts';
import { validateStorage } from './storage.ts';

/**
 * Mirrors ValidateVolumes (pkg/apis/core/validation, 1.36). For cloud and storage volumes, only required fields are checked.
 * @returns the valid volumes
 */
export function validateVolumes(spec: Fields, podName: string, causes: Causes): Volumes {
  const volumes = list(spec, 'volumes');
  const created = new Set(
    podName === '' ? [] : volumes.filter((each) => has(each, 'ephemeral')).map((each) => `${podName}-${text(each, 'name')}`),
  );
  const right = new Map<string, Fields>();
  for (const [i, volume] of volumes.entries()) {
    const field = `spec.volumes[${i}]`;
    const own = collectCauses();
    validateVolume(volume, field, own);
    const name = text(volume, 'name');
    if (name === '') own.required(`${field}.name`);
    else validateFormat(name, dns1123Label, `${field}.name`, own);
    if (right.has(name)) own.duplicate(`${field}.name`, name);
    if (own.list.length === 0) right.set(name, volume);
    causes.add(own.list);
    const claim = text(child(volume, 'persistentVolumeClaim'), 'claimName');
    if (has(volume, 'persistentVolumeClaim') && created.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      causes.invalid(`${field}.persistentVolumeClaim.claimName`, claim, detail);
    }
  }
  return right;
}

type Check = (source: Fields, field: string, causes: Causes) => void;

const requireName =
  (name: string): Check =>
  (source, field, causes) => {
    if (text(source, name) === '') causes.required(`${field}.${name}`);
  };

const withFiles =
  (name: string): Check =>
  (source, field, causes) => {
    requireName(name)(source, field, causes);
    validateMode(source['defaultMode'], `${field}.defaultMode`, causes);
    for (const [i, item] of list(source, 'items').entries()) validateKeyPath(item, `${field}.items[${i}]`, causes);
  };

const storage =
  (kind: string): Check =>
  (source, field, causes) =>
    validateStorage(kind, source, field, causes);

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

/** In upstream's order, in which the first type that is set counts as the volume's type. */
const kinds: readonly (readonly [name: string, check: Check])[] = [
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
      requireName('repository')(source, field, causes);
      validateDescending(text(source, 'directory'), `${field}.directory`, causes);
    },
  ],
  ['gcePersistentDisk', storage('gcePersistentDisk')],
  ['awsElasticBlockStore', storage('awsElasticBlockStore')],
  ['secret', withFiles('secretName')],
  [
    'nfs',
    (source, field, causes) => {
      requireName('server')(source, field, causes);
      requireName('path')(source, field, causes);
      if (!text(source, 'path').startsWith('/')) causes.invalid(`${field}.path`, text(source, 'path'), 'must be an absolute path');
    },
  ],
  ['iscsi', storage('iscsi')],
  ['glusterfs', storage('glusterfs')],
  ['flocker', storage('flocker')],
  ['persistentVolumeClaim', requireName('claimName')],
  ['rbd', storage('rbd')],
  ['cinder', storage('cinder')],
  ['cephfs', storage('cephfs')],
  ['quobyte', storage('quobyte')],
  [
    'downwardAPI',
    (source, field, causes) => {
      validateMode(source['defaultMode'], `${field}.defaultMode`, causes);
      for (const item of list(source, 'items')) validateFile(item, field, causes);
    },
  ],
  ['fc', storage('fc')],
  ['flexVolume', storage('flexVolume')],
  ['configMap', withFiles('name')],
  ['azureFile', storage('azureFile')],
  ['vsphereVolume', storage('vsphereVolume')],
  ['photonPersistentDisk', storage('photonPersistentDisk')],
  ['portworxVolume', storage('portworxVolume')],
  ['azureDisk', storage('azureDisk')],
  ['storageos', storage('storageos')],
  [
    'projected',
    (source, field, causes) => {
      validateMode(source['defaultMode'], `${field}.defaultMode`, causes);
      validateProjected(source, field, causes);
    },
  ],
  ['scaleIO', storage('scaleIO')],
  ['csi', storage('csi')],
  ['ephemeral', requireTemplate],
  [
    'image',
    (source, field, causes) => {
      requireName('reference')(source, field, causes);
      validatePullPolicy(source, 'pullPolicy', `${field}.pullPolicy`, causes);
    },
  ],
];

function requireTemplate(source: Fields, field: string, causes: Causes): void {
  if (!has(source, 'volumeClaimTemplate')) causes.required(`${field}.volumeClaimTemplate`);
}

/** Volume types whose errors use another name in field paths. */
const inside: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };

/** Upstream's misspelled names in errors about a second volume type. */
const slips: Readonly<Record<string, string>> = { downwardAPI: 'downwarAPI', cephfs: 'cephFS' };

function validateVolume(volume: Fields, field: string, causes: Causes): void {
  const [first, ...others] = kinds.filter(([name]) => has(volume, name));
  if (!first) {
    causes.required(field, 'must specify a volume type');
    return;
  }
  first[1](child(volume, first[0]), `${field}.${inside[first[0]] ?? first[0]}`, causes);
  for (const [name] of others) causes.forbidden(`${field}.${slips[name] ?? name}`, 'may not specify more than 1 volume type');
}
