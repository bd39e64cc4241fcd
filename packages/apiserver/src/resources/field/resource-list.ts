import { isQuantity, milliValue, parseQuantity, printQuantity, zeroQuantity } from 'kube-endpoints/internal/apimachinery';
import { qualifiedName } from '../../formats/names.ts';
import { asJson, type Causes } from './causes.ts';
import type { Draft } from './read.ts';

/** The quantity in billionths; 0 if it is invalid. */
export function nanosOf(text: string): bigint {
  const parsed = parseQuantity(text);
  return isQuantity(parsed) ? parsed.nanos : zeroQuantity.nanos;
}

/** Mirrors ValidateResourceQuantityValue (pkg/apis/core/validation, 1.36). */
export function validateResourceQuantity(name: string, value: string, field: string, causes: Causes): void {
  const nanos = nanosOf(value);
  if (nanos < 0n) causes.invalid(field, value, 'must be greater than or equal to 0');
  if (isIntegerResource(name) && milliValue(nanos) % 1000n !== 0n) causes.invalid(field, asJson(value), 'must be an integer');
}

const integerResources = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

const isIntegerResource = (name: string): boolean => integerResources.includes(name) || isExtendedResource(name);

/** Resources with a custom domain. Mirrors IsExtendedResourceName (pkg/apis/core/helper, 1.36). */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;

export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

const computeResources = ['cpu', 'memory', 'ephemeral-storage'];

/** Mirrors IsStandardResourceName. */
export const isStandardResource = (name: string): boolean =>
  computeResources.some((each) => [each, `requests.${each}`, `limits.${each}`].includes(name)) ||
  integerResources.includes(name) ||
  ['storage', 'requests.storage'].includes(name) ||
  name.startsWith('hugepages-') ||
  name.startsWith('requests.hugepages-');

export const isStandardContainerResource = (name: string): boolean => computeResources.includes(name) || isHugePages(name);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

export const mayOvercommit = (name: string): boolean => isNativeResource(name) && !isHugePages(name);

/** Rounds the quantities up to thousandths. Mirrors SetDefaults_ResourceList (pkg/apis/core/v1/defaults.go, 1.36). */
export function roundResources(quantities: Draft): void {
  for (const [resource, value] of Object.entries(quantities)) quantities[resource] = roundToMillis(String(value));
}

function roundToMillis(value: string): string {
  const parsed = parseQuantity(value);
  const nanosPerMilli = 1_000_000n;
  if (!isQuantity(parsed) || parsed.nanos % nanosPerMilli === 0n) return value;
  return printQuantity(milliValue(parsed.nanos) * nanosPerMilli, 'decimal');
}
