import { canonicalIP } from 'kube-endpoints/internal';
import { dns1123Label, dns1123Subdomain, labelValue } from '../../formats/names.ts';
import { validateEndpointIP, validateLegacyIP, validateStrictIP } from '../field/addresses.ts';
import type { Causes } from '../field/causes.ts';
import { child, entries, type Fields, has, list, text, texts } from '../field/read.ts';
import { validateLabels } from '../metadata/validate.ts';

export const addressTypes: readonly string[] = ['FQDN', 'IPv4', 'IPv6'];

const limits = { addresses: 100, topology: 16, hints: 8 };

/** Mirrors validateEndpoints (pkg/apis/discovery/validation, 1.36). */
export function validateEndpoint(endpoint: Fields, addressType: string, field: string, causes: Causes): void {
  const addresses = texts(endpoint, 'addresses');
  if (addresses.length === 0) causes.required(`${field}.addresses`, 'must contain at least 1 address');
  else if (addresses.length > limits.addresses) causes.tooMany(`${field}.addresses`, addresses.length, limits.addresses);
  for (const [i, address] of addresses.entries()) checks[addressType]?.(address, `${field}.addresses`, i, causes);
  if (has(endpoint, 'nodeName')) {
    const nodeName = text(endpoint, 'nodeName');
    for (const message of dns1123Subdomain(nodeName)) causes.invalid(`${field}.nodeName`, nodeName, message);
  }
  const topology = entries(endpoint, 'deprecatedTopology');
  if (topology.length > limits.topology) causes.tooMany(`${field}.deprecatedTopology`, topology.length, limits.topology);
  validateLabels(topology, `${field}.deprecatedTopology`, causes);
  if (has(endpoint, 'hostname')) {
    const hostname = text(endpoint, 'hostname');
    for (const message of dns1123Label(hostname)) causes.invalid(`${field}.hostname`, hostname, message);
  }
  if (has(endpoint, 'hints')) validateHints(child(endpoint, 'hints'), `${field}.hints`, causes);
}

type Check = (address: string, field: string, place: number, causes: Causes) => void;

const checks: Readonly<Record<string, Check>> = {
  IPv4: (address, field, place, causes) => {
    if (!validateLegacyIP(address, `${field}[${place}]`, causes)) return;
    if (canonicalIP(address)?.includes(':')) causes.invalid(field, address, 'must be an IPv4 address');
    validateEndpointIP(address, `${field}[${place}]`, causes);
  },
  IPv6: (address, field, place, causes) => {
    if (!validateStrictIP(address, `${field}[${place}]`, causes)) return;
    if (!address.includes(':')) causes.invalid(field, address, 'must be an IPv6 address');
    validateEndpointIP(address, `${field}[${place}]`, causes);
  },
  FQDN: (address, field, place, causes) => validateDomain(address, `${field}[${place}]`, causes),
};

/** Mirrors IsFullyQualifiedDomainName (apimachinery/pkg/util/validation, 1.36). */
function validateDomain(address: string, field: string, causes: Causes): void {
  if (address === '') {
    causes.required(field);
    return;
  }
  const name = address.endsWith('.') ? address.slice(0, -1) : address;
  const messages = dns1123Subdomain(name);
  if (messages.length > 0) {
    causes.invalid(field, name, messages.join(','));
    return;
  }
  const labels = name.split('.');
  if (labels.length < 2) {
    causes.invalid(field, name, 'should be a domain with at least two segments separated by dots');
    return;
  }
  const bad = labels.find((label) => dns1123Label(label).length > 0);
  if (bad !== undefined) causes.invalid(field, bad, dns1123Label(bad).join(','));
}

function validateHints(hints: Fields, field: string, causes: Causes): void {
  if (!validateNames(hints, 'forZones', labelValue, field, causes)) return;
  validateNames(hints, 'forNodes', dns1123Subdomain, field, causes);
}

function validateNames(hints: Fields, name: string, format: (value: string) => string[], field: string, causes: Causes): boolean {
  const values = list(hints, name).map((each) => text(each, 'name'));
  if (values.length > limits.hints) {
    causes.tooMany(`${field}.${name}`, values.length, limits.hints);
    return false;
  }
  for (const [i, value] of values.entries()) {
    if (values.indexOf(value) < i) causes.duplicate(`${field}.${name}[${i}].name`, value);
    for (const message of format(value)) causes.invalid(`${field}.${name}[${i}].name`, value, message);
  }
  return true;
}
