import { dns1123Label, qualifiedName } from '../../../formats/names.ts';
import { asJson, type Causes, validateFormat } from '../../field/causes.ts';
import { child, entries, type Fields, has, list, text } from '../../field/read.ts';
import {
  isExtendedResource,
  isHugePages,
  isNativeResource,
  isStandardContainerResource,
  isStandardResource,
  mayOvercommit,
  nanosOf,
  validateResourceQuantity,
} from '../../field/resource-list.ts';
import { aggregateResources, isPodLevel } from '../defaults/pod-resources.ts';
import { claimNames } from './claims.ts';

/** Mirrors validateResourceRequirements (pkg/apis/core/validation, 1.36). */
export function validateRequirements(
  resources: Fields,
  field: string,
  level: 'container' | 'pod',
  causes: Causes,
  podClaims: readonly string[] = [],
): void {
  const limits = child(resources, 'limits');
  for (const [name, value] of entries(resources, 'limits')) validateAmount(name, value, `${field}.limits[${name}]`, level, causes);
  for (const [name, value] of entries(resources, 'requests')) {
    validateAmount(name, value, `${field}.requests[${name}]`, level, causes);
    validateAgainstLimit(name, value, limits[name], field, causes);
  }
  const names = ['limits', 'requests'].flatMap((section) => Object.keys(child(resources, section)));
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    causes.forbidden(field, 'HugePages require cpu or memory');
  }
  validateClaims(list(resources, 'claims'), `${field}.claims`, causes, podClaims);
}

function validateAmount(name: string, value: string, field: string, level: 'container' | 'pod', causes: Causes): void {
  if (level === 'container') validateContainerResourceName(name, field, causes);
  else validatePodResourceName(name, field, causes);
  validateResourceQuantity(name, value, field, causes);
  const pageSize = isHugePages(name) ? nanosOf(name.slice('hugepages-'.length)) : 0n;
  if (pageSize > 0n && nanosOf(value) % pageSize !== 0n)
    causes.invalid(field, value, `${value} is not positive integer multiple of ${name}`);
}

function validateAgainstLimit(name: string, value: string, limit: unknown, field: string, causes: Causes): void {
  if (typeof limit !== 'string') {
    if (!mayOvercommit(name)) causes.required(`${field}.limits`, 'Limit must be set for non overcommitable resources');
    return;
  }
  const difference = nanosOf(value) - nanosOf(limit);
  const detail = `${name} limit of ${limit}`;
  if (difference !== 0n && !mayOvercommit(name)) causes.invalid(`${field}.requests`, value, `must be equal to ${detail}`);
  else if (difference > 0n) causes.invalid(`${field}.requests`, value, `must be less than or equal to ${detail}`);
}

/** Mirrors validateResourceName. @returns true if the name is valid */
function validateResourceName(name: string, field: string, causes: Causes): boolean {
  const messages = qualifiedName(name);
  for (const message of messages) causes.invalid(field, asJson(name), message);
  if (messages.length > 0) return false;
  if (name.includes('/') || isStandardResource(name)) return true;
  causes.invalid(field, asJson(name), 'must be a standard resource type or fully qualified');
  return false;
}

/** Mirrors validateContainerResourceName. */
function validateContainerResourceName(name: string, field: string, causes: Causes): void {
  validateResourceName(name, field, causes);
  if (name.split('/').length === 1) {
    if (!isStandardContainerResource(name)) causes.invalid(field, asJson(name), 'must be a standard resource for containers');
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    causes.invalid(field, asJson(name), "doesn't follow extended resource name standard");
  }
}

function validatePodResourceName(name: string, field: string, causes: Causes): void {
  if (validateResourceName(name, field, causes) && !isPodLevel(name))
    causes.notSupported(field, asJson(name), ['cpu', 'hugepages-', 'memory']);
}

/** Mirrors validateResourceClaimNames. @param podClaims claim names of the pod */
function validateClaims(claims: readonly Fields[], field: string, causes: Causes, podClaims: readonly string[]): void {
  const names = claims.map((claim) => text(claim, 'name'));
  const sortedClaims = [...new Set(podClaims)].sort();
  const detail = `must be one of the names in pod.spec.resourceClaims${sortedClaims.length === 0 ? ' which is empty' : `: ${sortedClaims.join(', ')}`}`;
  for (const [i, name] of names.entries()) {
    if (name === '') {
      causes.required(`${field}[${i}]`);
      continue;
    }
    if (names.indexOf(name) < i) causes.duplicate(`${field}[${i}]`, name);
    const request = text(claims[i] as Fields, 'request');
    if (request !== '') validateFormat(request, dns1123Label, `${field}[${i}].request`, causes);
    if (!podClaims.includes(name)) causes.notFound(`${field}[${i}]`, name, detail);
  }
}

/** Mirrors validatePodResources: pod-level requests and limits must cover those of the containers. */
export function validatePodResources(spec: Fields, causes: Causes): void {
  if (!has(spec, 'resources')) return;
  const field = 'spec.resources';
  const resources = child(spec, 'resources');
  if (has(resources, 'claims')) causes.forbidden(`${field}.claims`, 'claims may not be set for Resources at pod-level');
  validateRequirements(resources, field, 'pod', causes, claimNames(spec));
  for (const section of ['requests', 'limits'] as const) {
    const podValues = child(resources, section);
    for (const [name, { nanos, text: sum }] of aggregateResources(spec, section)) {
      const podValue = podValues[name];
      if (typeof podValue !== 'string' || nanos <= nanosOf(podValue) || (section === 'limits' && !isHugePages(name))) continue;
      const problem = `must be greater than or equal to aggregate container ${section} of ${sum}`;
      causes.invalid(`${field}.${section}[${name}]`, podValue, problem);
    }
  }
  const limits = child(resources, 'limits');
  for (const [i, container] of list(spec, 'containers').entries()) {
    for (const [name, limit] of entries(child(container, 'resources'), 'limits')) {
      const podValue = limits[name];
      if (typeof podValue !== 'string' || nanosOf(limit) <= nanosOf(podValue)) continue;
      causes.invalid(`${field}.containers[${i}][${name}].limits`, limit, `must be less than or equal to pod limits of ${podValue}`);
    }
  }
}
