import { canonicalIP, type IPFamily, isIPv6 } from '../../apimachinery/index.ts';
import { newest } from '../../versions/index.ts';
import { type AllocatorSettings, type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { clusterIPNone, createDraft, type Draft, isHeadless, needsClusterIP } from './draft.ts';
import { type Causes, createCauses, createInternalFailure, createInvalidFailure, createPanicFailure } from './failures.ts';
import { isUnchangedPreference } from './families.ts';
import type { Transaction } from './transaction.ts';
import type { AllocatableService, ServiceFailure, StatusCause } from './types.ts';

/** Allocates a cluster IP of each family. Mirrors allocClusterIPs (pkg/registry/core/service/storage/alloc.go, 1.36). */
export function allocateClusterIPs(service: Draft, transaction: Transaction, settings: AllocatorSettings): ServiceFailure | undefined {
  if (!needsClusterIP(service) || service.clusterIPs[0] === clusterIPNone) return undefined;
  return allocateFamiliesFrom(0, service, transaction, settings);
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
  if (old.clusterIPs[0] === clusterIPNone) return undefined;
  const [oldFamilyCount, newFamilyCount] = [old.ipFamilies.length, service.ipFamilies.length];
  if (!needsClusterIP(service)) return releaseFamiliesFrom(0, old, transaction);
  if (oldFamilyCount === 1 && newFamilyCount === 2) return allocateFamiliesFrom(1, service, transaction, settings);
  return oldFamilyCount === 2 && newFamilyCount === 1 ? releaseFamiliesFrom(1, old, transaction) : undefined;
}

/** Frees the cluster IPs of a deleted Service; each address determines its family. Mirrors releaseClusterIPs. */
export function releaseClusterIPs(service: Draft, transaction: Transaction): void {
  if (!needsClusterIP(service) || service.clusterIPs[0] === clusterIPNone) return;
  for (const ip of service.clusterIPs) transaction.releaseIP(isIPv6(ip) ? 'IPv6' : 'IPv4', ip);
}

/**
 * Frees the addresses from index `start` on. Fails for a stored Service with more families than addresses, for which upstream panics;
 * validation prevents such Services.
 */
function releaseFamiliesFrom(start: number, old: Draft, transaction: Transaction): ServiceFailure | undefined {
  if (old.clusterIPs.length < old.ipFamilies.length) return createPanicFailure();
  for (const [i, family] of old.ipFamilies.entries()) {
    if (i >= start) transaction.releaseIP(family as IPFamily, old.clusterIPs[i] ?? '');
  }
  return undefined;
}

function allocateFamiliesFrom(
  start: number,
  service: Draft,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  while (service.clusterIPs.length < service.ipFamilies.length) service.clusterIPs.push('');
  for (const [i, family] of service.ipFamilies.entries()) {
    const failure = i < start ? undefined : allocateForFamily(i, family as IPFamily, service, transaction, settings);
    if (failure) return failure;
  }
  return undefined;
}

/**
 * Allocates the requested address of a family, or any. Fails if the cluster lacks the family, for which upstream panics. That happens only
 * in an update to a headless Service without a selector: such a Service has both families, and this path allocates for it nevertheless.
 */
function allocateForFamily(
  index: number,
  family: IPFamily,
  service: Draft,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  const requested = service.clusterIPs[index] ?? '';
  if (!transaction.hasFamily(family)) return createPanicFailure();
  if (requested !== '' && canonicalIP(requested) === undefined)
    return createInternalFailure(`failed to parse service IP ${JSON.stringify(requested)}`);
  const result =
    requested === '' ? transaction.allocateNextIP(family) : { value: requested, refusal: transaction.allocateIP(family, requested) };
  if (result.refusal) return createFailure(service, requested, result.refusal, settings);
  service.clusterIPs[index] = result.value ?? '';
  if (index === 0) service.clusterIP = result.value ?? '';
  return undefined;
}

/** Returns InternalError for a full range, because no change of the Service could fix it, else Invalid. */
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
  const causes = createCauses(settings.badValuesAsJSON);

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
  const [newDraft, oldDraft] = [createDraft(service), createDraft(old)];
  const causes = createCauses(settings.badValuesAsJSON);
  if (!needsClusterIP(newDraft) || !needsClusterIP(oldDraft)) return causes.list;
  if (settings.dualStackServices) {
    checkClusterIPs(newDraft, oldDraft, causes);
    checkFamilies(newDraft, oldDraft, causes);
  } else if (oldDraft.clusterIP !== '' && oldDraft.clusterIP !== newDraft.clusterIP) {
    causes.invalid('spec.clusterIP', newDraft.clusterIP, 'field is immutable');
  }
  return causes.list;
}

const immutableMessage = 'may not change once set';

function checkClusterIPs(newDraft: Draft, oldDraft: Draft, causes: Causes): void {
  if (isHeadless(newDraft) && isHeadless(oldDraft)) return;
  const reportInvalid = (index: number, detail: string): void => causes.invalid(`spec.clusterIPs[${index}]`, newDraft.clusterIPs, detail);
  if (newDraft.clusterIPs.length === oldDraft.clusterIPs.length) {
    for (const [i, ip] of oldDraft.clusterIPs.entries()) if (ip !== newDraft.clusterIPs[i]) reportInvalid(i, immutableMessage);
    return;
  }
  if (newDraft.clusterIPs.length === 0) reportInvalid(0, 'primary clusterIP can not be unset');
  else if (oldDraft.clusterIPs.length > 0 && newDraft.clusterIPs[0] !== oldDraft.clusterIPs[0]) reportInvalid(0, immutableMessage);
  if (newDraft.clusterIPs.length === 1 && oldDraft.clusterIPs.length > 1) checkReleasePolicy('clusterIP', newDraft, causes);
}

/**
 * Checks changes of ipFamilies. As upstream, causes always name ipFamilies[0]; if the number of families and the first family change, the
 * cause prints the cluster IPs as the bad value.
 */
function checkFamilies(newDraft: Draft, oldDraft: Draft, causes: Causes): void {
  if (isHeadless(newDraft) || isHeadless(oldDraft)) return;
  if (newDraft.ipFamilies.length === oldDraft.ipFamilies.length) {
    for (const [i, family] of oldDraft.ipFamilies.entries()) {
      if (family !== newDraft.ipFamilies[i]) causes.invalid('spec.ipFamilies[0]', newDraft.ipFamilies, immutableMessage);
    }
    return;
  }
  const hasFewerFamilies = newDraft.ipFamilies.length < oldDraft.ipFamilies.length;
  if (hasFewerFamilies && newDraft.clusterIPs.length === 0)
    causes.invalid('spec.ipFamilies[0]', newDraft.ipFamilies, 'primary ipFamily can not be unset');
  const [first, oldFirst] = [newDraft.ipFamilies[0], oldDraft.ipFamilies[0]];
  if (first !== undefined && oldFirst !== undefined && first !== oldFirst)
    causes.invalid('spec.ipFamilies[0]', newDraft.clusterIPs, immutableMessage);
  if (hasFewerFamilies && newDraft.ipFamilies.length === 1) checkReleasePolicy('ipFamily', newDraft, causes);
}

function checkReleasePolicy(fieldName: string, { ipFamilyPolicy }: Draft, causes: Causes): void {
  if (ipFamilyPolicy === 'SingleStack') return;
  causes.invalid('spec.ipFamilyPolicy', ipFamilyPolicy || null, `must be set to 'SingleStack' when releasing the secondary ${fieldName}`);
}
