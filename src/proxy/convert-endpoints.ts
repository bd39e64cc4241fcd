import { canonicalIP, type IPFamily, nameOf } from '../apimachinery/index.ts';
import type { EndpointInput, EndpointSliceInput, EndpointSubsetInput, EndpointsInput } from '../types/index.ts';

/**
 * Converts Endpoints to slices of one family, one per subset, which contain the ready addresses in their order. An invalid address counts as
 * IPv4. Mirrors endpointsToEndpointsMap (1.21, pkg/proxy/endpoints.go).
 * @throws RangeError if an address is null or undefined
 */
export const convertEndpoints = (endpoints: EndpointsInput, family: IPFamily): readonly EndpointSliceInput[] =>
  (endpoints.subsets ?? []).map(
    (subset): EndpointSliceInput => ({
      metadata: endpoints.metadata,
      addressType: family,
      ports: (subset.ports ?? []).map((port) => ({ ...port, name: port.name ?? '' })),
      endpoints: readAddresses(subset, family, nameOf(endpoints)),
    }),
  );

const readAddresses = ({ addresses }: EndpointSubsetInput, family: IPFamily, name: string): readonly EndpointInput[] =>
  (addresses ?? []).flatMap((address) => {
    // Callers from JavaScript can pass anything.
    if (!address) throw new RangeError(`Endpoints ${JSON.stringify(name)}: each of addresses has to be an object`);
    const { ip, nodeName, targetRef } = address;
    return ip && isIPv6(ip) === (family === 'IPv6') ? [{ addresses: [ip], nodeName, targetRef }] : [];
  });

const isIPv6 = (ip: string): boolean => canonicalIP(ip)?.includes(':') === true;
