import { isQuantity, parseQuantity } from 'kube-endpoints/internal/apimachinery';
import { configMapKey, dns1123Label, dns1123Subdomain, environmentName, qualifiedName } from '../../../formats/names.ts';
import { type Causes, validateFormat, validateRequiredFormat } from '../../field/causes.ts';
import { child, type Fields, has, list, text } from '../../field/read.ts';
import { maskTrailingDash } from '../../metadata/validate.ts';
import { validateNoBacksteps } from './paths.ts';

/** Mirrors ValidateEnv and ValidateEnvFrom (pkg/apis/core/validation, 1.36). */
export function validateEnvironment(container: Fields, field: string, causes: Causes): void {
  for (const [i, variable] of list(container, 'env').entries()) {
    const name = text(variable, 'name');
    validateRequiredFormat(name, environmentName, `${field}.env[${i}].name`, causes);
    if (has(variable, 'valueFrom')) validateSource(variable, `${field}.env[${i}].valueFrom`, causes);
  }
  for (const [i, source] of list(container, 'envFrom').entries()) validateEnvFrom(source, i, `${field}.envFrom`, causes);
}

type Check = (source: Fields, field: string, causes: Causes) => void;

const sourceChecks: readonly (readonly [name: string, check: Check])[] = [
  ['fieldRef', (source, field, causes) => validateFieldRef(source, envFieldPaths, field, causes)],
  ['resourceFieldRef', (source, field, causes) => validateResourceRef(source, false, field, causes)],
  ['configMapKeyRef', validateKeyRef],
  ['secretKeyRef', validateKeyRef],
  ['fileKeyRef', validateFileRef],
];

function validateSource(variable: Fields, field: string, causes: Causes): void {
  const valueFrom = child(variable, 'valueFrom');
  const specifiedSources = sourceChecks.filter(([name]) => has(valueFrom, name));
  for (const [name, check] of specifiedSources) check(child(valueFrom, name), `${field}.${name}`, causes);
  if (specifiedSources.length === 0) {
    causes.invalid(field, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`');
  } else if (text(variable, 'value') !== '') causes.invalid(field, '', 'may not be specified when `value` is not empty');
  else if (specifiedSources.length > 1) causes.invalid(field, '', 'may not have more than one field specified at a time');
}

const envFieldPaths: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const podFieldPaths: readonly string[] = [
  ...envFieldPaths,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
];

/** Mirrors validateObjectFieldSelector. */
export function validateFieldRef(reference: Fields, supportedPaths: readonly string[], field: string, causes: Causes): void {
  const [version, path] = [text(reference, 'apiVersion'), text(reference, 'fieldPath')];
  const reportConversionError = (detail: string): void =>
    causes.invalid(`${field}.fieldPath`, path, `error converting fieldPath: ${detail}`);
  // A subscript, as in metadata.labels['app'].
  const [, map, key = ''] = /^([^[]+(?:\[(?!')[^[]*)*)\['(.*)'\]$/s.exec(path) ?? [];
  const convertedPath = path === 'spec.host' ? 'spec.nodeName' : path;
  if (version === '') causes.required(`${field}.apiVersion`);
  else if (path === '') causes.required(`${field}.fieldPath`);
  else if (version !== 'v1') reportConversionError(`unsupported pod version: ${version}`);
  else if (map === 'metadata.annotations') validateFormat(key.toLowerCase(), qualifiedName, field, causes);
  else if (map === 'metadata.labels') validateFormat(key, qualifiedName, field, causes);
  else if (map !== undefined) reportConversionError(`field label does not support subscript: ${path}`);
  else if (!podFieldPaths.includes(convertedPath)) reportConversionError(`field label not supported: ${path}`);
  else if (!supportedPaths.includes(convertedPath)) causes.notSupported(`${field}.fieldPath`, convertedPath, supportedPaths);
}

const containerResources: readonly string[] = ['limits', 'requests'].flatMap((section) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((resource) => `${section}.${resource}`),
);

const hugePagesResource = /^(?:limits|requests)\.hugepages-/;

/** Mirrors validateContainerResourceFieldSelector. */
export function validateResourceRef(reference: Fields, requireContainerName: boolean, field: string, causes: Causes): void {
  const resource = text(reference, 'resource');
  if (requireContainerName && text(reference, 'containerName') === '') causes.required(`${field}.containerName`);
  else if (resource === '') causes.required(`${field}.resource`);
  else if (!containerResources.includes(resource) && !hugePagesResource.test(resource))
    causes.notSupported(`${field}.resource`, resource, containerResources);
  validateDivisor(resource, text(reference, 'divisor'), `${field}.divisor`, causes);
}

const decimalDivisors: readonly string[] = ['1', ...[...'kMGTPE'].map((unit) => `1${unit}`)];
const memoryDivisors: readonly string[] = [...decimalDivisors, ...[...'KMGTPE'].map((unit) => `1${unit}i`)];

const divisors: readonly { readonly pattern: RegExp; readonly values: readonly string[]; readonly message: string }[] = [
  { pattern: /^(?:limits|requests)\.cpu$/, values: ['1m', '1'], message: 'values 1m and 1 are supported with the cpu resource' },
  {
    pattern: /^(?:limits|requests)\.memory$/,
    values: memoryDivisors,
    message: `values ${memoryDivisors.join(', ')} are supported with the memory resource`,
  },
  {
    pattern: /^(?:limits|requests)\.ephemeral-storage$/,
    values: memoryDivisors,
    message: `values ${memoryDivisors.join(', ')} are supported with the local ephemeral storage resource`,
  },
  {
    pattern: hugePagesResource,
    values: memoryDivisors,
    message: `values ${memoryDivisors.join(', ')} are supported with the hugepages resource`,
  },
];

function validateDivisor(resource: string, divisor: string, field: string, causes: Causes): void {
  const parsed = parseQuantity(divisor || '0');
  if (!isQuantity(parsed) || parsed.nanos === 0n) return;
  const row = divisors.find(({ pattern }) => pattern.test(resource));
  if (row && !row.values.includes(parsed.text)) causes.invalid(field, resource, `only divisor's ${row.message}`);
}

function validateKeyRef(reference: Fields, field: string, causes: Causes): void {
  validateFormat(text(reference, 'name'), dns1123Subdomain, `${field}.name`, causes);
  const key = text(reference, 'key');
  validateRequiredFormat(key, configMapKey, `${field}.key`, causes);
}

function validateFileRef(reference: Fields, field: string, causes: Causes): void {
  const [key, volume, path] = [text(reference, 'key'), text(reference, 'volumeName'), text(reference, 'path')];
  validateRequiredFormat(key, environmentName, `${field}.key`, causes);
  validateRequiredFormat(volume, dns1123Label, `${field}.volumeName`, causes);
  if (path === '') causes.required(`${field}.path`);
  else validateNoBacksteps(path, `${field}.path`, causes);
}

/** fileKeyRef must refer to an emptyDir volume. Mirrors validateFileKeyRefVolumes. */
export function validateFileVolumes(spec: Fields, causes: Causes): void {
  const volumes = new Map(list(spec, 'volumes').map((volume) => [text(volume, 'name'), volume]));
  for (const listName of ['initContainers', 'containers']) {
    for (const [i, container] of list(spec, listName).entries()) {
      for (const [j, variable] of list(container, 'env').entries()) {
        if (!has(child(variable, 'valueFrom'), 'fileKeyRef')) continue;
        const name = text(child(child(variable, 'valueFrom'), 'fileKeyRef'), 'volumeName');
        const field = `spec.${listName}[${i}].env[${j}].valueFrom.fileKeyRef.volumeName`;
        const volume = volumes.get(name);
        if (!volume) causes.notFound(field, name);
        else if (!has(volume, 'emptyDir')) causes.invalid(field, name, 'referenced volume must be of type emptyDir');
      }
    }
  }
}

function validateEnvFrom(source: Fields, index: number, field: string, causes: Causes): void {
  const prefix = text(source, 'prefix');
  if (prefix !== '') validateFormat(prefix, environmentName, `${field}[${index}].prefix`, causes);
  const specifiedSources = ['configMapRef', 'secretRef'].filter((name) => has(source, name));
  for (const each of specifiedSources) {
    const name = text(child(source, each), 'name');
    if (name === '') causes.required(`${field}[${index}].${each}.name`);
    else for (const message of dns1123Subdomain(maskTrailingDash(name))) causes.invalid(`${field}[${index}].${each}.name`, name, message);
  }
  if (specifiedSources.length === 0) causes.invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`');
  else if (specifiedSources.length > 1) causes.invalid(field, '', 'may not have more than one field specified at a time');
}
