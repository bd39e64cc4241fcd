import { isIPv6 } from '../../apimachinery/ip.ts';
import type { AddressType, Service } from '../../types/index.ts';

/**
 * The address types that a Service has slices of: those of its ipFamilies; where it has none, that of its cluster IP; where
 * it has none of that either (headless), both. IPv4 comes first.
 *
 * Mirrors getAddressTypesForService (1.36, staging/src/k8s.io/endpointslice/utils.go).
 */
export function addressTypesOf({ spec }: Service): AddressType[] {
  const families = spec?.ipFamilies ?? [];
  const named = bothTypes.filter((type) => families.includes(type));
  if (named.length > 0) return named;
  const clusterIP = spec?.clusterIP;
  if (!clusterIP || clusterIP === 'None') return [...bothTypes];
  return [isIPv6(clusterIP) ? 'IPv6' : 'IPv4'];
}

const bothTypes: readonly AddressType[] = ['IPv4', 'IPv6'];
