import { asJson, type Causes, validateChoice } from '../../field/causes.ts';
import { child, type Fields, flag, has, list, text } from '../../field/read.ts';
import { validateDescendingPath } from './paths.ts';

/** The valid volumes of a pod, by name. */
export type Volumes = ReadonlyMap<string, Fields>;

/** Mirrors ValidateVolumeMounts (pkg/apis/core/validation, 1.36), whose errors about subPath, mountPropagation and recursiveReadOnly omit the index. */
export function validateMounts(container: Fields, volumes: Volumes, field: string, causes: Causes): void {
  const mountsField = `${field}.volumeMounts`;
  const devices = list(container, 'volumeDevices');
  const paths = new Set<string>();
  for (const [i, mount] of list(container, 'volumeMounts').entries()) {
    const [name, path] = [text(mount, 'name'), text(mount, 'mountPath')];
    if (name === '') causes.required(`${mountsField}[${i}].name`);
    if (!volumes.has(name)) causes.notFound(`${mountsField}[${i}].name`, name);
    if (path === '') causes.required(`${mountsField}[${i}].mountPath`);
    if (paths.has(path)) causes.invalid(`${mountsField}[${i}].mountPath`, path, 'must be unique');
    paths.add(path);
    if (devices.some((device) => text(device, 'name') === name)) {
      causes.invalid(`${mountsField}[${i}].name`, name, 'must not already exist in volumeDevices');
    }
    if (devices.some((device) => text(device, 'devicePath') === path)) {
      causes.invalid(`${mountsField}[${i}].mountPath`, path, 'must not already exist as a path in volumeDevices');
    }
    validateSubPaths(mount, mountsField, i, causes);
    validatePropagation(mount, container, mountsField, causes);
    validateReadOnly(mount, `${mountsField}.recursiveReadOnly`, causes);
  }
}

function validateSubPaths(mount: Fields, field: string, index: number, causes: Causes): void {
  const [path, expression] = [text(mount, 'subPath'), text(mount, 'subPathExpr')];
  if (path !== '') validateDescendingPath(path, `${field}.subPath`, causes);
  if (expression === '') return;
  if (path !== '') causes.invalid(`${field}[${index}].subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive');
  validateDescendingPath(expression, `${field}.subPathExpr`, causes);
}

function validatePropagation(mount: Fields, container: Fields, field: string, causes: Causes): void {
  const propagationField = `${field}.mountPropagation`;
  validateChoice(mount, 'mountPropagation', propagationField, ['Bidirectional', 'HostToContainer', 'None'], causes);
  if (text(mount, 'mountPropagation') === 'Bidirectional' && !flag(child(container, 'securityContext'), 'privileged')) {
    causes.forbidden(propagationField, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

function validateReadOnly(mount: Fields, field: string, causes: Causes): void {
  if (!has(mount, 'recursiveReadOnly')) return;
  const value = text(mount, 'recursiveReadOnly');
  if (value === 'Enabled' || value === 'IfPossible') {
    if (!flag(mount, 'readOnly')) causes.forbidden(field, 'may only be specified when readOnly is true');
    if (has(mount, 'mountPropagation') && text(mount, 'mountPropagation') !== 'None') {
      causes.forbidden(field, 'may only be specified when mountPropagation is None or not specified');
    }
  } else if (value !== 'Disabled') causes.notSupported(field, asJson(value), ['Disabled', 'Enabled', 'IfPossible']);
}

/** Mirrors ValidateVolumeDevices. */
export function validateDevices(container: Fields, volumes: Volumes, field: string, causes: Causes): void {
  const mounts = list(container, 'volumeMounts');
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [i, device] of list(container, 'volumeDevices').entries()) {
    const deviceField = `${field}.volumeDevices[${i}]`;
    const [name, path] = [text(device, 'name'), text(device, 'devicePath')];
    const volume = volumes.get(name);
    if (name === '') causes.required(`${deviceField}.name`);
    if (names.has(name)) causes.invalid(`${deviceField}.name`, name, 'must be unique');
    if (!volume) causes.notFound(`${deviceField}.name`, name);
    else if (!has(volume, 'persistentVolumeClaim') && !has(volume, 'ephemeral')) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      causes.invalid(`${deviceField}.name`, name, detail);
    }
    if (path === '') causes.required(`${deviceField}.devicePath`);
    if (paths.has(path)) causes.invalid(`${deviceField}.devicePath`, path, 'must be unique');
    if (path.split('/').includes('..')) causes.invalid(`${deviceField}.devicePath`, path, "can not contain backsteps ('..')");
    else paths.add(path);
    if (mounts.some((mount) => text(mount, 'name') === name))
      causes.invalid(`${deviceField}.name`, name, 'must not already exist in volumeMounts');
    if (mounts.some((mount) => text(mount, 'mountPath') === path)) {
      causes.invalid(`${deviceField}.devicePath`, path, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  }
}
