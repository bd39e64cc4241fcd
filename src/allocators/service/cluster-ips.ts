import { canonicalIP, type IPFamily, isIPv6 } from '../../apimachinery/index.ts';
import { newest } from '../../versions/index.ts';
import { type AllocatorSettings, type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { createDraft, type Draft, isHeadless, needsClusterIP, none } from './draft.ts';
import { type Causes, collectCauses, createInternalFailure, createInvalidFailure, createPanicFailure } from './failures.ts';
import { isUnchangedPreference } from './families.ts';
import type { Transaction } from './transaction.ts';
import type { AllocatableService, ServiceFailure, StatusCause } from './types.ts';

/** Allocates a cluster IP of each family. Mirrors allocClusterIPs (pkg/registry/core/service/storage/alloc.go, 1.36). */
export function allocateClusterIPs(service: Draft, transaction: Transaction, settings: AllocatorSettings): ServiceFailure | undefined {
  if (!needsClusterIP(service) || service.clusterIPs[0] === none) return undefined;
  return allocateFrom(0, service, transaction, settings);
}

/**
 * Allocates and frees the addresses that an update requires: all of them if the type changes from or to ExternalName, and the second one if
 * a family is added or removed. Mirrors updateClusterIPs.
 */
export function updateClusterIPs(
  service: Draft,
  old: Draft,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  if (isUnchangedPreference(service, old)) return undefined;
  if (!needsClusterIP(old)) return allocateClusterIPs(service, transaction, settings);
  if (old.clusterIPs[0] === none) return undefined;
  const [before, after] = [old.ipFamilies.length, service.ipFamilies.length];
  if (!needsClusterIP(service)) return releaseFrom(0, old, transaction);
  if (before === 1 && after === 2) return allocateFrom(1, service, transaction, settings);
  return before === 2 && after === 1 ? releaseFrom(1, old, transaction) : undefined;
}

/** Frees the cluster IPs of a deleted Service; each address determines its family. Mirrors releaseClusterIPs. */
export function releaseClusterIPs(service: Draft, transaction: Transaction): void {
  if (!needsClusterIP(service) || service.clusterIPs[0] === none) return;
  for (const ip of service.clusterIPs) transaction.releaseIP(isIPv6(ip) ? 'IPv6' : 'IPv4', ip);
}

/** Upstream panics for a stored Service with more families than addresses, which validation prevents. */
function releaseFrom(start: number, old: Draft, transaction: Transaction): ServiceFailure | undefined {
  if (old.clusterIPs.length < old.ipFamilies.length) return createPanicFailure();
  for (const [i, family] of old.ipFamilies.entries()) {
    if (i >= start) transaction.releaseIP(family as IPFamily, old.clusterIPs[i] ?? '');
  }
  return undefined;
}

function allocateFrom(start: number, service: Draft, transaction: Transaction, settings: AllocatorSettings): ServiceFailure | undefined {
  while (service.clusterIPs.length < service.ipFamilies.length) service.clusterIPs.push('');
  for (const [i, family] of service.ipFamilies.entries()) {
    const failure = i < start ? undefined : allocateOne(i, family as IPFamily, service, transaction, settings);
    if (failure) return failure;
  }
  return undefined;
}

/**
 * The cluster can lack a family only in an update to a headless Service without a selector. Such a Service has both families, and this path
 * allocates for it nevertheless.
 */
function allocateOne(
  index: number,
  family: IPFamily,
  service: Draft,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  const requested = service.clusterIPs[index] ?? '';
  if (!transaction.has(family)) return createPanicFailure();
  if (requested !== '' && canonicalIP(requested) === undefined)
    return createInternalFailure(`failed to parse service IP ${JSON.stringify(requested)}`);
  const result =
    requested === '' ? transaction.allocateNextIP(family) : { value: requested, refusal: transaction.allocateIP(family, requested) };
  if (result.refusal) return createFailure(service, requested, result.refusal, settings);
  service.clusterIPs[index] = result.value ?? '';
  if (index === 0) service.clusterIP = result.value ?? '';
  return undefined;
}

/** A full range is a server error, as no change of the Service could fix it. */
function createFailure(
  service: Draft,
  requested: string,
  { code, message }: { readonly code: string; readonly message: string },
  settings: AllocatorSettings,
): ServiceFailure {
  if (requested === '' && code === 'full') {
    const owner = settings.fullRangeErrorNamesService ? ` for Service ${JSON.stringify(service.name)}` : '';
    return createInternalFailure(`failed to allocate a serviceIP${owner}: ${message}`);
  }
  const causes = collectCauses(settings.badValuesAsJSON);

  causes.invalid('spec.clusterIPs', service.clusterIPs, `failed to allocate IP${requested === '' ? '' : ` ${requested}`}: ${message}`);
  return createInvalidFailure(causes);
}

/**
 * The causes for changes of cluster IPs and families that an update may not make, in the order of validation. From 1.21 on, `service` must
 * be the result of `beginUpdate`; before 1.21, it must be the Service that the client sent. Mirrors validateUpgradeDowngradeClusterIPs and
 * validateUpgradeDowngradeIPFamilies (pkg/apis/core/validation/validation.go, 1.36), and the first lines of ValidateServiceUpdate (1.17).
 */
export function validateClusterIPsUpdate(
  service: AllocatableService,
  old: AllocatableService,
  { version = newest }: AllocatorVersion = {},
): readonly StatusCause[] {
  const settings = allocatorSettings(version);
  const [after, before] = [createDraft(service), createDraft(old)];
  const causes = collectCauses(settings.badValuesAsJSON);
  if (!needsClusterIP(after) || !needsClusterIP(before)) return causes.list;
  if (settings.dualStackServices) {
    checkClusterIPs(after, before, causes);
    checkFamilies(after, before, causes);
  } else if (before.clusterIP !== '' && before.clusterIP !== after.clusterIP) {
    causes.invalid('spec.clusterIP', after.clusterIP, 'field is immutable');
  }
  return causes.list;
}

const immutable = 'may not change once set';

function checkClusterIPs(after: Draft, before: Draft, causes: Causes): void {
  if (isHeadless(after) && isHeadless(before)) return;
  const reportInvalid = (index: number, detail: string): void => causes.invalid(`spec.clusterIPs[${index}]`, after.clusterIPs, detail);
  if (after.clusterIPs.length === before.clusterIPs.length) {
    for (const [i, ip] of before.clusterIPs.entries()) if (ip !== after.clusterIPs[i]) reportInvalid(i, immutable);
    return;
  }
  if (after.clusterIPs.length === 0) reportInvalid(0, 'primary clusterIP can not be unset');
  else if (before.clusterIPs.length > 0 && after.clusterIPs[0] !== before.clusterIPs[0]) reportInvalid(0, immutable);
  if (after.clusterIPs.length === 1 && before.clusterIPs.length > 1) checkReleases('clusterIP', after, causes);
}

/**
 * Upstream always names ipFamilies[0]. If the number of families and the first family change, it prints the cluster IPs as the bad value.
 */
function checkFamilies(after: Draft, before: Draft, causes: Causes): void {
  if (isHeadless(after) || isHeadless(before)) return;
  if (after.ipFamilies.length === before.ipFamilies.length) {
    for (const [i, family] of before.ipFamilies.entries()) {
      if (family !== after.ipFamilies[i]) causes.invalid('spec.ipFamilies[0]', after.ipFamilies, immutable);
    }
    return;
  }
  const fewer = after.ipFamilies.length < before.ipFamilies.length;
  if (fewer && after.clusterIPs.length === 0) causes.invalid('spec.ipFamilies[0]', after.ipFamilies, 'primary ipFamily can not be unset');
  const [first, firstBefore] = [after.ipFamilies[0], before.ipFamilies[0]];
  if (first !== undefined && firstBefore !== undefined && first !== firstBefore)
    causes.invalid('spec.ipFamilies[0]', after.clusterIPs, immutable);
  if (fewer && after.ipFamilies.length === 1) checkReleases('ipFamily', after, causes);
}

function checkReleases(fieldName: string, { ipFamilyPolicy }: Draft, causes: Causes): void {
  if (ipFamilyPolicy === 'SingleStack') return;
  causes.invalid('spec.ipFamilyPolicy', ipFamilyPolicy || null, `must be set to 'SingleStack' when releasing the secondary ${fieldName}`);
}
