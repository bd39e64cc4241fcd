import { type Bucket, byLabelOf, endpointsOf, hasAddresses, portsOf, wholeOf } from './bucket.ts';
import type { ServiceEntry } from './entries.ts';
import { foundItems, type Item } from './found.ts';
import { endpointMissing, portMissing, portReason } from './lookup-reasons.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import { asksForPort, isWild, matches, type NameRequest } from './request.ts';
import type { Settings } from './settings.ts';
import { type Lookup, missing, type World } from './world.ts';

/** A Service by its name. Mirrors findServices (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function findServices({ settings, store }: World, request: NameRequest): Lookup {
  const { namespace, service: name } = request;
  const bucket = store.bucket(request.key);
  if (!bucket?.service) return missing(reasonOf('ServiceNotFound', { service: name, namespace }));
  return findInService(bucket, bucket.service, request, settings, () => hasAddresses(bucket));
}

/** @param hasEndpoints of the Service; where names have wildcards, of all Services */
export function findInService(
  bucket: Bucket,
  service: ServiceEntry,
  request: NameRequest,
  settings: Settings,
  hasEndpoints: () => boolean,
): Lookup {
  const external = service.externalName !== undefined;
  if (settings.ignoreEmptyService && !external && !service.headless && !hasEndpoints()) {
    return missing(reasonOf('ServiceIsEmpty', { service: service.key }));
  }
  const asEndpoints = request.endpoint !== '' || service.headless;
  if (external && (settings.gates.externalNamesFirst || !asEndpoints)) return findExternalName(service, request, settings);
  return request.endpoint === ''
    ? findPorts(bucket, service, request, settings)
    : findEndpoint(bucket, service, request.endpoint, settings);
}

function findExternalName(service: ServiceEntry, { endpoint, ports }: NameRequest, { gates }: Settings): Lookup {
  const host = service.externalName as NonNullable<ServiceEntry['externalName']>;
  const values = { service: service.key, target: host.data };
  const asked = ports && (ports.port !== '' || ports.protocol !== '');
  if ((endpoint !== '' && gates.nothingBelowExternalNames) || (asked && gates.noPortsOfExternalNames)) {
    return missing(reasonOf('ExternalNameHasNoLabels', values));
  }
  if (host.type !== 'CNAME') return missing(reasonOf('ExternalNameIsAddress', values));
  const item: Item = { host, port: 0, owner: `${service.name}.${service.namespace}.svc` };
  return { exists: true, found: foundItems([item]), reason: reasonOf('ExternalName', values) };
}

/** The Service as a whole, or one of its ports. */
function findPorts(bucket: Bucket, service: ServiceEntry, request: NameRequest, settings: Settings): Lookup {
  const { found, reason } = wholeOf(bucket, service);
  if (found.items.length === 0) return missing(noEndpoints(service, settings));
  const { ports } = request;
  if (!ports) return { exists: true, found, reason };
  const there = portsOf(bucket, service, `${ports.port}.${ports.protocol}`, ({ name, protocol }) =>
    asksForPort(ports, name, protocol, settings.gates),
  );
  if (there) return { exists: true, found: there, reason: portReason(service, request) };
  return missing(portMissing(service, request, service.headless ? endpointsOf(bucket) : service.ports));
}

function findEndpoint(bucket: Bucket, service: ServiceEntry, endpoint: string, settings: Settings): Lookup {
  const byLabel = byLabelOf(bucket);
  const reason = (): DnsReason => reasonOf('EndpointName', { endpoint, service: service.key });
  const found = anyMatches(byLabel, endpoint, settings)
    ? foundItems(endpointsOf(bucket).filter(({ label }) => matches(endpoint, label, settings.gates)))
    : byLabel.get(endpoint);
  if (found && found.items.length > 0) return { exists: true, found, reason: reason() };
  if (byLabel.size === 0) return missing(noEndpoints(service, settings));
  return missing(endpointMissing(service, endpoint, byLabel.keys()));
}

/** Whether a wildcard is in play: in the name, or as the name of an endpoint. */
const anyMatches = (byLabel: ReadonlyMap<string, unknown>, endpoint: string, { gates }: Settings): boolean =>
  isWild(endpoint, gates) || (!gates.wildcardsGone && (byLabel.has('any') || byLabel.has('*')));

const noEndpoints = ({ key, headless }: ServiceEntry, settings: Settings): DnsReason => {
  if (settings.noEndpoints) return reasonOf('EndpointsNotServed', { service: key });
  return reasonOf(headless ? 'NoReadyEndpoints' : 'NoEndpointsToName', { service: key });
};
