import { quote } from 'kube-endpoints/internal/apimachinery';
import { bytesOf, dns1123Subdomain, labelValue, qualifiedName } from '../../formats/names.ts';
import { isCIDR, isIPv6CIDR, validateLegacyCIDR } from '../field/addresses.ts';
import { asJson, type Causes } from '../field/causes.ts';
import { child, entries, type Fields, has, list, number, text, texts } from '../field/read.ts';
import { validateResourceQuantity } from '../field/resource-list.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';

/** Mirrors ValidateNode (pkg/apis/core/validation, 1.36). */
export function validateNodeCreate(object: Fields, causes: Causes): void {
  validateMetadata(object, { namespaced: false, name: dns1123Subdomain, knownFinalizers: true }, causes);
  validateTaints(list(child(object, 'spec'), 'taints'), causes);
  validateQuantities(object, causes);
  const swap = child(child(child(object, 'status'), 'nodeInfo'), 'swap');
  // The field path is upstream's.
  if (has(swap, 'capacity') && number(swap, 'capacity') <= 0) {
    causes.invalid('metadata.nodeSwapStatus.capacity', number(swap, 'capacity'), 'must be greater than zero');
  }
  validateFeatures(texts(child(object, 'status'), 'declaredFeatures'), causes);
  const ranges = texts(child(object, 'spec'), 'podCIDRs');
  for (const [i, range] of ranges.entries()) validateLegacyCIDR(range, `spec.podCIDRs[${i}]`, causes);
  if (ranges.length > 1) validateRanges(ranges, causes);
}

/** Mirrors ValidateNodeUpdate. */
export function validateNodeUpdate(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  validateQuantities(object, causes);
  validateFeatures(texts(child(object, 'status'), 'declaredFeatures'), causes);
  validateAddresses(list(child(object, 'status'), 'addresses'), causes);
  const [spec, oldSpec] = [child(object, 'spec'), child(old, 'spec')];
  validateRangesUnchanged(texts(spec, 'podCIDRs'), texts(oldSpec, 'podCIDRs'), causes);
  if (text(oldSpec, 'providerID') !== '' && text(oldSpec, 'providerID') !== text(spec, 'providerID')) {
    causes.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid');
  }
  validateTaints(list(spec, 'taints'), causes);
  if (text(spec, 'externalID') !== text(oldSpec, 'externalID')) causes.forbidden('spec.externalID', 'may not be updated');
}

function validateQuantities(object: Fields, causes: Causes): void {
  for (const listName of ['capacity', 'allocatable']) {
    for (const [name, value] of entries(child(object, 'status'), listName)) {
      validateResourceQuantity(name, value, `status.${listName}.${name}`, causes);
    }
  }
}

/** Mirrors validateNodeDeclaredFeatures: the list must be sorted and without duplicates. */
function validateFeatures(features: readonly string[], causes: Causes): void {
  for (const [i, feature] of features.entries()) {
    const field = `status.declaredFeatures[${i}]`;
    const problem = problemOfFeature(feature);
    if (problem !== undefined) causes.invalid(field, feature, `invalid feature name ${quote(feature)}: ${problem}`);
    const next = features[i + 1];
    if (next === undefined) continue;
    const nextField = `status.declaredFeatures[${i + 1}]`;
    if (feature === next) causes.duplicate(nextField, next);
    else if (feature > next) causes.invalid(nextField, next, 'list must be sorted alphabetically');
  }
}

function problemOfFeature(feature: string): string | undefined {
  if (bytesOf(feature) > 253) return 'must be no more than 253 characters';
  if (/^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/.test(feature)) return undefined;
  const words = "must start with an UpperCamelCase segment, with subsequent segments separated by '/'";
  return `${words} (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
}

/** Like upstream, a range that does not parse is reported as an internal error and as invalid. */
function validateRanges(ranges: readonly string[], causes: Causes): void {
  const invalidIndex = ranges.findIndex((range) => !isCIDR(range));
  if (invalidIndex >= 0) {
    const parseError = `invalid CIDR[${invalidIndex}]: <nil> (invalid CIDR address: ${ranges[invalidIndex]})`;
    causes.internal('spec.podCIDRs', `invalid PodCIDRs. failed to check with dual stack with error:${parseError}`);
    causes.invalid('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family');
    return;
  }
  const hasBothFamilies = ranges.some(isIPv6CIDR) && !ranges.every(isIPv6CIDR);
  if (!hasBothFamilies || ranges.length > 2)
    causes.invalid('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family');
}

/** Reports one error per changed range, or one error if the number of ranges changes. */
function validateRangesUnchanged(ranges: readonly string[], oldRanges: readonly string[], causes: Causes): void {
  if (oldRanges.length === 0) return;
  const changeCount = ranges.length !== oldRanges.length ? 1 : oldRanges.filter((range, i) => range !== ranges[i]).length;
  for (let i = 0; i < changeCount; i += 1) {
    causes.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
}

function validateAddresses(addresses: readonly Fields[], causes: Causes): void {
  const seen = new Set<string>();
  for (const [i, address] of addresses.entries()) {
    const [type, value] = [text(address, 'type'), text(address, 'address')];
    const key = `${type} ${value}`;
    if (seen.has(key)) causes.duplicate(`status.addresses[${i}]`, { Type: type, Address: value });
    seen.add(key);
  }
}

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Mirrors validateNodeTaints, including its wrong field path. */
function validateTaints(taints: readonly Fields[], causes: Causes): void {
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    const field = `metadata.taints[${i}]`;
    const [key, value, effect] = [text(taint, 'key'), text(taint, 'value'), text(taint, 'effect')];
    for (const message of qualifiedName(key)) causes.invalid(`${field}.key`, key, message);
    const messages = labelValue(value);
    if (messages.length > 0) causes.invalid(`${field}.value`, value, messages.join(';'));
    validateEffect(effect, `${field}.effect`, causes);
    const taintKey = `${effect} ${key}`;
    if (seen.has(taintKey)) {
      const printed = { Key: key, Value: value, Effect: effect, TimeAdded: taint['timeAdded'] ?? null };
      causes.duplicate(field, printed, 'taints must be unique by key and effect pair');
    }
    seen.add(taintKey);
  }
}

/** Mirrors validateTaintEffect. */
export function validateEffect(effect: string, field: string, causes: Causes): void {
  if (effect === '') causes.required(field);
  else if (!effects.includes(effect)) causes.notSupported(field, asJson(effect), effects);
}
