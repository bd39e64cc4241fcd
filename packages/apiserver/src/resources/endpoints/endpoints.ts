import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { dns1123Label, dns1123Subdomain, portNumber, qualifiedName } from '../../formats/names.ts';
import { type Description, metadataFields } from '../description.ts';
import { validateEndpointIP, validateLegacyIP, warningsOfIP } from '../field/addresses.ts';
import { asJson, type Causes, collectCauses, validateFormat } from '../field/causes.ts';
import { child, draftList, type Fields, has, list, number, sameValue, text } from '../field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { ageColumn, ageOf, column, nameColumn } from '../table/columns.ts';

export const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

/** Mirrors pkg/registry/core/endpoint/strategy.go and ValidateEndpoints (1.36). */
export const endpoints: Description = {
  resource: resources.endpoints,
  singular: 'endpoints',
  shortNames: ['ep'],
  type: structType('core.Endpoints'),
  strategy: {
    defaults(draft) {
      for (const subset of draftList(draft, 'subsets')) {
        for (const port of draftList(subset, 'ports')) if (text(port, 'protocol') === '') port['protocol'] = 'TCP';
      }
    },
    validate: (object, causes) => validate(object, undefined, causes),
    validateUpdate(object, old, causes) {
      validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
      validate(object, old, causes);
    },
    warnings: warningsOf,
    createOnUpdate: true,
    unconditionalUpdate: true,
  },
  selectableFields: metadataFields(true),
  columns: [nameColumn, column('Endpoints'), ageColumn],
  cells: (object, now) => [text(child(object, 'metadata'), 'name'), endpointsCell(list(object, 'subsets')), ageOf(object, now)],
};

/** Mirrors endpointsWarnings; no warnings for Endpoints of the endpoint controller. */
function warningsOf(object: Fields): string[] {
  const labels = child(child(object, 'metadata'), 'labels');
  if (labels['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  return list(object, 'subsets').flatMap((subset, i) =>
    ['addresses', 'notReadyAddresses'].flatMap((name) =>
      list(subset, name).flatMap((address, j) => warningsOfIP(`subsets[${i}].${name}[${j}].ip`, text(address, 'ip'))),
    ),
  );
}

/** Accepts invalid subsets if an update leaves them unchanged. */
function validate(object: Fields, old: Fields | undefined, causes: Causes): void {
  validateMetadata(object, { namespaced: true, name: dns1123Subdomain, knownFinalizers: true }, causes);
  const subsetCauses = collectCauses();
  for (const [i, subset] of list(object, 'subsets').entries()) validateSubset(subset, `subsets[${i}]`, subsetCauses);
  if (!old || !sameValue(object['subsets'], old['subsets'])) causes.add(subsetCauses.list);
}

function validateSubset(subset: Fields, field: string, causes: Causes): void {
  const [addresses, notReadyAddresses, ports] = [list(subset, 'addresses'), list(subset, 'notReadyAddresses'), list(subset, 'ports')];
  if (addresses.length === 0 && notReadyAddresses.length === 0) causes.required(field, 'must specify `addresses` or `notReadyAddresses`');
  for (const [i, address] of addresses.entries()) validateAddress(address, `${field}.addresses[${i}]`, causes);
  for (const [i, address] of notReadyAddresses.entries()) validateAddress(address, `${field}.notReadyAddresses[${i}]`, causes);
  for (const [i, port] of ports.entries()) validatePort(port, ports.length > 1, `${field}.ports[${i}]`, causes);
}

function validateAddress(address: Fields, field: string, causes: Causes): void {
  const [ip, hostname] = [text(address, 'ip'), text(address, 'hostname')];
  validateLegacyIP(ip, `${field}.ip`, causes);
  if (hostname !== '') validateFormat(hostname, dns1123Label, `${field}.hostname`, causes);
  if (has(address, 'nodeName')) validateFormat(text(address, 'nodeName'), dns1123Subdomain, `${field}.nodeName`, causes);
  validateEndpointIP(ip, `${field}.ip`, causes);
}

function validatePort(port: Fields, isNameRequired: boolean, field: string, causes: Causes): void {
  const name = text(port, 'name');
  if (isNameRequired && name === '') causes.required(`${field}.name`);
  else if (name !== '') for (const message of dns1123Label(name)) causes.invalid(`${field}.name`, name, message);
  for (const message of portNumber(number(port, 'port'))) causes.invalid(`${field}.port`, number(port, 'port'), message);
  validateProtocol(text(port, 'protocol'), `${field}.protocol`, causes);
  validateAppProtocol(port, field, causes);
}

export function validateProtocol(protocol: string, field: string, causes: Causes): void {
  if (protocol === '') causes.required(field);
  else if (!protocols.includes(protocol)) causes.notSupported(field, asJson(protocol), protocols);
}

export function validateAppProtocol(port: Fields, field: string, causes: Causes): void {
  if (has(port, 'appProtocol')) validateFormat(text(port, 'appProtocol'), qualifiedName, `${field}.appProtocol`, causes);
}

/** The first three addresses with ports, and the number of others. Mirrors formatEndpoints (pkg/printers/internalversion, 1.36). */
function endpointsCell(subsets: readonly Fields[]): string {
  if (subsets.length === 0) return '<none>';
  const shownAddresses: string[] = [];
  let count = 0;
  for (const subset of subsets) {
    const addresses = list(subset, 'addresses').map((address) => text(address, 'ip'));
    const ports = list(subset, 'ports');
    const hostPorts =
      ports.length === 0 ? [addresses] : ports.map((port) => addresses.map((ip) => formatHostPort(ip, number(port, 'port'))));
    for (const each of hostPorts) {
      count += each.length;
      shownAddresses.push(...each.slice(0, Math.max(0, 3 - shownAddresses.length)));
    }
  }
  return count > shownAddresses.length ? `${shownAddresses.join(',')} + ${count - 3} more...` : shownAddresses.join(',');
}

const formatHostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);
