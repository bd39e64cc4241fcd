import { canonicalIP, type IPFamily, isIPv6 } from '../../apimachinery/index.ts';
import type { AllocatorSettings } from '../gates.ts';
import { type Draft, needsClusterIP, none } from './draft.ts';
import { collectCauses, internalError, invalid, panicked } from './failures.ts';
import { isUnchangedPreference } from './families.ts';
import type { Transaction } from './transaction.ts';
import type { ServiceFailure } from './types.ts';

/** Takes a cluster IP of each family. Mirrors allocClusterIPs (pkg/registry/core/service/storage/alloc.go, 1.36). */
export function allocateClusterIPs(service: Draft, transaction: Transaction, settings: AllocatorSettings): ServiceFailure | undefined {
  if (!needsClusterIP(service) || service.clusterIPs[0] === none) return undefined;
  return allocateFrom(0, service, transaction, settings);
}

/**
 * Takes and frees what an update changes: everything from and to ExternalName, the second address where a family comes or goes.
 * Mirrors updateClusterIPs.
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

/** What a Service that goes frees: the family is that of the address. Mirrors releaseClusterIPs. */
export function releaseClusterIPs(service: Draft, transaction: Transaction): void {
  if (!needsClusterIP(service) || service.clusterIPs[0] === none) return;
  for (const ip of service.clusterIPs) transaction.releaseIP(isIPv6(ip) ? 'IPv6' : 'IPv4', ip);
}

/** The original panics over a stored Service with more families than addresses, which validation lets nobody write. */
function releaseFrom(first: number, old: Draft, transaction: Transaction): ServiceFailure | undefined {
  if (old.clusterIPs.length < old.ipFamilies.length) return panicked();
  for (const [i, family] of old.ipFamilies.entries()) {
    if (i >= first) transaction.releaseIP(family as IPFamily, old.clusterIPs[i] ?? '');
  }
  return undefined;
}

function allocateFrom(first: number, service: Draft, transaction: Transaction, settings: AllocatorSettings): ServiceFailure | undefined {
  while (service.clusterIPs.length < service.ipFamilies.length) service.clusterIPs.push('');
  for (const [i, family] of service.ipFamilies.entries()) {
    const failure = i < first ? undefined : allocateOne(i, family as IPFamily, service, transaction, settings);
    if (failure) return failure;
  }
  return undefined;
}

/**
 * Of a family that the cluster does not have, only an update to headless without a selector gets here: it has both families, as a
 * Service that was headless from the beginning, and is asked for an address all the same.
 */
function allocateOne(
  place: number,
  family: IPFamily,
  service: Draft,
  transaction: Transaction,
  settings: AllocatorSettings,
): ServiceFailure | undefined {
  const asked = service.clusterIPs[place] ?? '';
  if (!transaction.has(family)) return panicked();
  if (asked !== '' && canonicalIP(asked) === undefined) return internalError(`failed to parse service IP ${JSON.stringify(asked)}`);
  const given = asked === '' ? transaction.allocateNextIP(family) : { value: asked, refusal: transaction.allocateIP(family, asked) };
  if (given.refusal) return failureOver(service, asked, given.refusal, settings);
  service.clusterIPs[place] = given.value ?? '';
  if (place === 0) service.clusterIP = given.value ?? '';
  return undefined;
}

/** A range that is full is nothing that the Service could be changed about. */
function failureOver(
  service: Draft,
  asked: string,
  { code, message }: { readonly code: string; readonly message: string },
  settings: AllocatorSettings,
): ServiceFailure {
  if (asked === '' && code === 'full') {
    const whose = settings.fullNamesService ? ` for Service ${JSON.stringify(service.name)}` : '';
    return internalError(`failed to allocate a serviceIP${whose}: ${message}`);
  }
  const causes = collectCauses(settings.badValuesAsJSON);

  causes.invalid('spec.clusterIPs', service.clusterIPs, `failed to allocate IP${asked === '' ? '' : ` ${asked}`}: ${message}`);
  return invalid(causes);
}
