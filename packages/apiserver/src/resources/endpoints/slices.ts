import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { dns1123Label, dns1123Subdomain, labelValue } from '../../formats/names.ts';
import { type Description, metadataFields } from '../description.ts';
import { validateEndpointIP, validateLegacyIP, validateStrictIP } from '../field/addresses.ts';
import { type Causes, collectCauses, validateFormat } from '../field/causes.ts';
import {
  child,
  type Draft,
  draftList,
  ensureChild,
  entries,
  type Fields,
  has,
  list,
  number,
  sameValue,
  text,
  texts,
} from '../field/read.ts';
import { immutableMessage, validateLabels, validateMetadata } from '../metadata/validate.ts';
import { ageColumn, ageOf, column, joinFirst, nameColumn } from '../table/columns.ts';
import { protocols, validateAppProtocol, validateProtocol } from './endpoints.ts';

/** Mirrors pkg/registry/discovery/endpointslice/strategy.go and ValidateEndpointSlice (1.36). */
export const endpointSlices: Description = {
  resource: resources.endpointSlices,
  singular: 'endpointslice',
  type: structType('discovery.EndpointSlice'),
  strategy: {
    defaults(draft) {
      for (const port of draftList(draft, 'ports')) {
        if (!has(port, 'name')) port['name'] = '';
        if (!has(port, 'protocol')) port['protocol'] = 'TCP';
      }
    },
    prepareForCreate(draft) {
      ensureChild(draft, 'metadata')['generation'] = 1;
      dropTopology(draft, undefined);
    },
    prepareForUpdate(draft, old) {
      const [metadata, oldMetadata] = [child(draft, 'metadata'), child(old, 'metadata')];
      if (!sameValue(withoutMetadata(draft), withoutMetadata(old)) || !sameValue(metadata['labels'] ?? {}, oldMetadata['labels'] ?? {})) {
        ensureChild(draft, 'metadata')['generation'] = number(oldMetadata, 'generation') + 1;
      }
      dropTopology(draft, old);
    },
    validate: (object, causes) => validate(object, undefined, causes),
    validateUpdate(object, old, causes) {
      validate(object, old, causes);
      const addressType = text(object, 'addressType');
      if (addressType !== text(old, 'addressType')) causes.invalid('addressType', addressType, immutableMessage);
    },
    warnings: (object, old) => (!old && text(object, 'addressType') === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  selectableFields: metadataFields(true),
  columns: [nameColumn, column('AddressType'), column('Ports'), column('Endpoints'), ageColumn],
  cells: (object, now) => [
    text(child(object, 'metadata'), 'name'),
    text(object, 'addressType'),
    joinFirst(list(object, 'ports').map(portCell)) || '<unset>',
    joinFirst(list(object, 'endpoints').flatMap((endpoint) => texts(endpoint, 'addresses'))) || '<unset>',
    ageOf(object, now),
  ],
};

const portCell = (port: Fields): string => {
  if (has(port, 'port')) return String(number(port, 'port'));
  return has(port, 'name') ? text(port, 'name') : '*';
};

const withoutMetadata = ({ metadata: _metadata, ...rest }: Fields): Fields => rest;

/**
 * Drops deprecatedTopology, which v1 does not support, whenever the endpoints change. A node name that deprecatedTopology already had in
 * the old object moves to nodeName. Mirrors dropTopologyOnV1.
 */
function dropTopology(draft: Draft, old: Fields | undefined): void {
  if (old && sameValue(draft['endpoints'], old['endpoints'])) return;
  const oldNodes = new Set(list(old ?? {}, 'endpoints').map((endpoint) => text(child(endpoint, 'deprecatedTopology'), hostname)));
  for (const endpoint of draftList(draft, 'endpoints')) {
    const node = text(child(endpoint, 'deprecatedTopology'), hostname);
    if (!has(endpoint, 'nodeName') && oldNodes.has(node) && dns1123Subdomain(node).length === 0) endpoint['nodeName'] = node;
    delete endpoint['deprecatedTopology'];
  }
}

const hostname = 'kubernetes.io/hostname';

const limits = { ports: 20_000, endpoints: 1000 };

function validate(object: Fields, old: Fields | undefined, causes: Causes): void {
  validateMetadata(object, { namespaced: true, name: dns1123Subdomain, knownFinalizers: true }, causes);
  const addressType = text(object, 'addressType');
  if (addressType === '') causes.required('addressType');
  else if (!addressTypes.includes(addressType)) causes.notSupported('addressType', addressType, addressTypes);
  validatePorts(list(object, 'ports'), causes);
  const endpointCauses = collectCauses();
  const endpoints = list(object, 'endpoints');
  if (endpoints.length > limits.endpoints) endpointCauses.tooMany('endpoints', endpoints.length, limits.endpoints);
  else for (const [i, endpoint] of endpoints.entries()) validateEndpoint(endpoint, addressType, `endpoints[${i}]`, endpointCauses);
  if (!old || !sameValue(object['endpoints'], old['endpoints'])) causes.add(endpointCauses.list);
}

function validatePorts(ports: readonly Fields[], causes: Causes): void {
  if (ports.length > limits.ports) {
    causes.tooMany('ports', ports.length, limits.ports);
    return;
  }
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const name = text(port, 'name');
    if (name !== '') for (const message of dns1123Label(name)) causes.invalid(`ports[${i}].name`, name, message);
    if (names.has(name)) causes.duplicate(`ports[${i}].name`, name);
    names.add(name);
    if (has(port, 'protocol') && text(port, 'protocol') === '') causes.notSupported(`ports[${i}].protocol`, '', protocols);
    else validateProtocol(text(port, 'protocol'), `ports[${i}].protocol`, causes);
    validateAppProtocol(port, `ports[${i}]`, causes);
  }
}

const addressTypes: readonly string[] = ['FQDN', 'IPv4', 'IPv6'];

const endpointLimits = { addresses: 100, topology: 16, hints: 8 };

/** Mirrors validateEndpoints (pkg/apis/discovery/validation, 1.36). */
export function validateEndpoint(endpoint: Fields, addressType: string, field: string, causes: Causes): void {
  const addresses = texts(endpoint, 'addresses');
  if (addresses.length === 0) causes.required(`${field}.addresses`, 'must contain at least 1 address');
  else if (addresses.length > endpointLimits.addresses) causes.tooMany(`${field}.addresses`, addresses.length, endpointLimits.addresses);
  for (const [i, address] of addresses.entries()) addressChecks[addressType]?.(address, `${field}.addresses`, i, causes);
  if (has(endpoint, 'nodeName')) validateFormat(text(endpoint, 'nodeName'), dns1123Subdomain, `${field}.nodeName`, causes);
  const topology = entries(endpoint, 'deprecatedTopology');
  if (topology.length > endpointLimits.topology) causes.tooMany(`${field}.deprecatedTopology`, topology.length, endpointLimits.topology);
  validateLabels(topology, `${field}.deprecatedTopology`, causes);
  if (has(endpoint, 'hostname')) validateFormat(text(endpoint, 'hostname'), dns1123Label, `${field}.hostname`, causes);
  if (has(endpoint, 'hints')) validateHints(child(endpoint, 'hints'), `${field}.hints`, causes);
}

type AddressCheck = (address: string, field: string, index: number, causes: Causes) => void;

/** Like upstream, IPv4 is parsed leniently and IPv6 strictly, and an error about the family has no index. */
const addressChecks: Readonly<Record<string, AddressCheck>> = {
  IPv4: (address, field, index, causes) => {
    if (!validateLegacyIP(address, `${field}[${index}]`, causes)) return;
    if (canonicalIP(address)?.includes(':')) causes.invalid(field, address, 'must be an IPv4 address');
    validateEndpointIP(address, `${field}[${index}]`, causes);
  },
  IPv6: (address, field, index, causes) => {
    if (!validateStrictIP(address, `${field}[${index}]`, causes)) return;
    if (!address.includes(':')) causes.invalid(field, address, 'must be an IPv6 address');
    validateEndpointIP(address, `${field}[${index}]`, causes);
  },
  FQDN: (address, field, index, causes) => validateDomain(address, `${field}[${index}]`, causes),
};

/** Mirrors IsFullyQualifiedDomainName (apimachinery/pkg/util/validation, 1.36). */
function validateDomain(address: string, field: string, causes: Causes): void {
  const name = address.endsWith('.') ? address.slice(0, -1) : address;
  const messages = dns1123Subdomain(name);
  const labels = name.split('.');
  const invalidLabel = labels.find((label) => dns1123Label(label).length > 0);
  if (address === '') causes.required(field);
  else if (messages.length > 0) causes.invalid(field, name, messages.join(','));
  else if (labels.length < 2) causes.invalid(field, name, 'should be a domain with at least two segments separated by dots');
  else if (invalidLabel !== undefined) causes.invalid(field, invalidLabel, dns1123Label(invalidLabel).join(','));
}

function validateHints(hints: Fields, field: string, causes: Causes): void {
  if (!validateNames(hints, 'forZones', labelValue, field, causes)) return;
  validateNames(hints, 'forNodes', dns1123Subdomain, field, causes);
}

/** @returns false if there are too many names, because upstream then does not validate the next list */
function validateNames(hints: Fields, name: string, format: (value: string) => string[], field: string, causes: Causes): boolean {
  const values = list(hints, name).map((each) => text(each, 'name'));
  if (values.length > endpointLimits.hints) {
    causes.tooMany(`${field}.${name}`, values.length, endpointLimits.hints);
    return false;
  }
  for (const [i, value] of values.entries()) {
    if (values.indexOf(value) < i) causes.duplicate(`${field}.${name}[${i}].name`, value);
    for (const message of format(value)) causes.invalid(`${field}.${name}[${i}].name`, value, message);
  }
  return true;
}
