import { resources } from 'kube-endpoints/port';
import { dns1123Label, dns1123Subdomain } from '../../formats/names.ts';
import type { Description } from '../description.ts';
import { type Causes, collectCauses } from '../field/causes.ts';
import { child, type Draft, draftOf, draftsOf, type Fields, has, list, number, sameValue, text, texts } from '../field/read.ts';
import { metadataFields } from '../field/selectable.ts';
import { immutable, validateMetadata } from '../metadata/validate.ts';
import { structType } from '../schema/index.ts';
import { ageOf } from '../table/age.ts';
import { ageColumn, column, firstFew, nameColumn } from '../table/columns.ts';
import { protocols, validateAppProtocol, validateProtocol } from './endpoints.ts';
import { addressTypes, validateEndpoint } from './slice-endpoint.ts';

/** Mirrors pkg/registry/discovery/endpointslice/strategy.go and ValidateEndpointSlice (1.36). */
export const endpointSlices: Description = {
  resource: resources.endpointSlices,
  singular: 'endpointslice',
  shortNames: [],
  categories: [],
  type: structType('discovery.EndpointSlice'),
  strategy: {
    defaults(draft) {
      for (const port of draftsOf(draft, 'ports')) {
        if (!has(port, 'name')) port['name'] = '';
        if (!has(port, 'protocol')) port['protocol'] = 'TCP';
      }
    },
    prepareForCreate(draft) {
      draftOf(draft, 'metadata')['generation'] = 1;
      dropTopology(draft, undefined);
    },
    prepareForUpdate(draft, old) {
      const [after, before] = [child(draft, 'metadata'), child(old, 'metadata')];
      if (!sameValue(content(draft), content(old)) || !sameValue(after['labels'] ?? {}, before['labels'] ?? {})) {
        draftOf(draft, 'metadata')['generation'] = number(before, 'generation') + 1;
      }
      dropTopology(draft, old);
    },
    validate: (object, causes) => validate(object, undefined, causes),
    validateUpdate(object, old, causes) {
      validate(object, old, causes);
      const addressType = text(object, 'addressType');
      if (addressType !== text(old, 'addressType')) causes.invalid('addressType', addressType, immutable);
    },
    warnings: (object, old) => (!old && text(object, 'addressType') === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  subresources: {},
  selectableFields: metadataFields(true),
  columns: [nameColumn, column('AddressType'), column('Ports'), column('Endpoints'), ageColumn],
  cells: (object, now) => [
    text(child(object, 'metadata'), 'name'),
    text(object, 'addressType'),
    firstFew(list(object, 'ports').map(portCell)) || '<unset>',
    firstFew(list(object, 'endpoints').flatMap((endpoint) => texts(endpoint, 'addresses'))) || '<unset>',
    ageOf(object, now),
  ],
};

const portCell = (port: Fields): string => {
  if (has(port, 'port')) return String(number(port, 'port'));
  return has(port, 'name') ? text(port, 'name') : '*';
};

const content = ({ metadata: _metadata, ...rest }: Fields): Fields => rest;

/**
 * The v1 API has no topology: it goes where the endpoints are written anew. The name of a node is saved from it where it stood there
 * before.
 */
function dropTopology(draft: Draft, old: Fields | undefined): void {
  if (old && sameValue(draft['endpoints'], old['endpoints'])) return;
  const before = new Set(list(old ?? {}, 'endpoints').map((endpoint) => text(child(endpoint, 'deprecatedTopology'), hostname)));
  for (const endpoint of draftsOf(draft, 'endpoints')) {
    const node = text(child(endpoint, 'deprecatedTopology'), hostname);
    if (!has(endpoint, 'nodeName') && before.has(node) && dns1123Subdomain(node).length === 0) endpoint['nodeName'] = node;
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
  const own = collectCauses();
  const endpoints = list(object, 'endpoints');
  if (endpoints.length > limits.endpoints) own.tooMany('endpoints', endpoints.length, limits.endpoints);
  else for (const [i, endpoint] of endpoints.entries()) validateEndpoint(endpoint, addressType, `endpoints[${i}]`, own);
  if (!old || !sameValue(object['endpoints'], old['endpoints'])) causes.add(own.list);
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
