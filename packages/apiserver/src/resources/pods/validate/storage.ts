import type { Causes } from '../../field/causes.ts';
import type { Fields } from '../../field/read.ts';

/** Required fields of cloud and storage volumes, by volume type. */
const requiredFields: Readonly<Record<string, readonly string[]>> = {
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  iscsi: ['targetPortal', 'iqn'],
  glusterfs: ['endpoints', 'path'],
  rbd: ['monitors', 'image'],
  cinder: ['volumeID'],
  cephfs: ['monitors'],
  quobyte: ['volume'],
  flexVolume: ['driver'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  storageos: ['volumeName'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  csi: ['driver'],
};

/** Mirrors the required-field checks of upstream's functions for each volume type (pkg/apis/core/validation, 1.36). */
export function validateStorage(volumeType: string, source: Fields, field: string, causes: Causes): void {
  for (const name of requiredFields[volumeType] ?? []) if (isMissing(source, name)) causes.required(`${field}.${name}`);
  if (volumeType === 'quobyte' && isMissing(source, 'registry')) {
    causes.required(`${field}.registry`, 'must be a host:port pair or multiple pairs separated by commas');
  }
  if (volumeType === 'flocker' && isMissing(source, 'datasetName') && isMissing(source, 'datasetUUID')) {
    causes.required(field, 'one of datasetName and datasetUUID is required');
  }
  if (volumeType === 'fc' && isMissing(source, 'targetWWNs') && isMissing(source, 'wwids')) {
    causes.required(`${field}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both');
  }
}

const isMissing = (source: Fields, name: string): boolean => !(source[name] as string | readonly unknown[] | null | undefined)?.length;
