import { bytesOf, dns1123Subdomain, qualifiedName } from '../../formats/names.ts';
import type { Causes } from '../field/causes.ts';
import { child, type Fields, has, number, sameValue, text } from '../field/read.ts';
import { immutable, validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';

/**
 * The rules for events of both groups, by the names of core/v1. Mirrors legacyValidateEvent (pkg/apis/core/validation/events.go, 1.36).
 * @param component what the field of the reporting controller is called
 */
export function validateEventBasics(event: Fields, component: string, causes: Causes): void {
  const namespace = text(child(event, 'metadata'), 'namespace');
  const involved = text(child(event, 'involvedObject'), 'namespace');
  const mismatch = (): void => causes.invalid('involvedObject.namespace', involved, 'does not match event.namespace');
  if (!has(event, 'eventTime')) {
    if (involved === '' ? !['', 'default'].includes(namespace) : namespace !== involved) mismatch();
  } else {
    if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') mismatch();
    validateReport(event, component, causes);
  }
  for (const message of dns1123Subdomain(namespace)) causes.invalid('namespace', namespace, message);
}

/** What an event that says when it happened has to say besides. */
function validateReport(event: Fields, component: string, causes: Causes): void {
  const controller = text(event, 'reportingComponent');
  if (controller === '') causes.required(component);
  for (const message of qualifiedName(controller)) causes.invalid(component, controller, message);
  for (const { name, limit, needed } of limits) {
    const value = text(event, name);
    if (needed && value === '') causes.required(name);
    if (bytesOf(value) > limit) causes.invalid(name, '', `can have at most ${limit} characters`);
  }
}

const limits: readonly { readonly name: string; readonly limit: number; readonly needed: boolean }[] = [
  { name: 'reportingInstance', limit: 128, needed: true },
  { name: 'action', limit: 128, needed: true },
  { name: 'reason', limit: 128, needed: true },
  { name: 'message', limit: 1024, needed: false },
];

/** Mirrors ValidateEventCreate for events.k8s.io/v1. */
export function validateGroupEvent(event: Fields, causes: Causes): void {
  validateEventBasics(event, 'reportingController', causes);
  validateMetadata(event, { namespaced: true, name: dns1123Subdomain, knownFinalizers: true }, causes);
  validateSeries(event, causes);
  if (!has(event, 'eventTime')) causes.required('eventTime');
  const type = text(event, 'type');
  if (type !== 'Normal' && type !== 'Warning') causes.invalid('type', '', `has invalid value: ${type}`);
  for (const name of ['firstTimestamp', 'lastTimestamp', 'count', 'source']) {
    const source = child(event, 'source');
    const set = name === 'source' ? text(source, 'component') !== '' || text(source, 'host') !== '' : has(event, name);
    if (set) causes.invalid(name, '', 'needs to be unset');
  }
}

/** Mirrors ValidateEventUpdate for events.k8s.io/v1. */
export function validateGroupEventUpdate(event: Fields, old: Fields, causes: Causes): void {
  validateEventBasics(event, 'reportingController', causes);
  validateMetadataUpdate(event, old, { knownFinalizers: true }, causes);
  if (!sameValue(event['series'], old['series'])) validateSeries(event, causes);
  for (const { name, field = name, printed } of fixed) {
    if (!sameValue(event[name], old[name])) causes.invalid(field, printed(event), immutable);
  }
}

function validateSeries(event: Fields, causes: Causes): void {
  if (!has(event, 'series')) return;
  const series = child(event, 'series');
  if (number(series, 'count') < 2) causes.invalid('series.count', '', 'should be at least 2');
  if (!has(series, 'lastObservedTime')) causes.required('series.lastObservedTime');
}

interface Fixed {
  readonly name: string;
  readonly field?: string;
  readonly printed: (event: Fields) => unknown;
}

const asText = (name: string, field?: string): Fixed => ({ name, ...(field && { field }), printed: (event) => text(event, name) });

/** The original prints its own types, which have no names for JSON. */
const asReference = (name: string): Fixed => ({
  name,
  printed: (event) => (name === 'related' && !has(event, name) ? null : reference(child(event, name))),
});

const reference = (value: Fields): Fields => ({
  Kind: text(value, 'kind'),
  Namespace: text(value, 'namespace'),
  Name: text(value, 'name'),
  UID: text(value, 'uid'),
  APIVersion: text(value, 'apiVersion'),
  ResourceVersion: text(value, 'resourceVersion'),
  FieldPath: text(value, 'fieldPath'),
});

const asTime = (name: string): Fixed => ({ name, printed: (event) => event[name] ?? null });

/** The reason is looked at twice. */
const fixed: readonly Fixed[] = [
  asReference('involvedObject'),
  asText('reason'),
  asText('message'),
  {
    name: 'source',
    printed: (event) => ({ Component: text(child(event, 'source'), 'component'), Host: text(child(event, 'source'), 'host') }),
  },
  asTime('firstTimestamp'),
  asTime('lastTimestamp'),
  { name: 'count', printed: (event) => number(event, 'count') },
  asText('reason'),
  asText('type'),
  asTime('eventTime'),
  asText('action'),
  asReference('related'),
  asText('reportingComponent', 'reportingController'),
  asText('reportingInstance'),
];
