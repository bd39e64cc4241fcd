import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { bytesOf, dns1123Subdomain, qualifiedName } from '../../formats/names.ts';
import { createTextReader, type Description, type FieldReaders, metadataFields } from '../description.ts';
import type { Causes } from '../field/causes.ts';
import { child, copyOf, type Draft, type Fields, has, number, sameValue, text } from '../field/read.ts';
import { immutableMessage, validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { column, formatTimeSince, nameColumn, wideColumn } from '../table/columns.ts';

/** Events of the core group. Mirrors pkg/registry/core/event/strategy.go (1.36). */
export const events: Description = {
  resource: resources.events,
  singular: 'event',
  shortNames: ['ev'],
  type: structType('core.Event'),
  strategy: {
    validate: (object, causes) => validateEventBasics(object, 'reportingComponent', causes),
    validateUpdate: (object, _old, causes) => validateEventBasics(object, 'reportingComponent', causes),
    createOnUpdate: true,
    unconditionalUpdate: true,
  },
  selectableFields: {
    ...metadataFields(true),
    ...involvedFields('involvedObject'),
    reason: (object) => text(object, 'reason'),
    reportingComponent: (object) => text(object, 'reportingComponent'),
    source: (object) => text(child(object, 'source'), 'component') || text(object, 'reportingComponent'),
    type: (object) => text(object, 'type'),
  },
  columns: [
    column('Last Seen'),
    column('Type'),
    column('Reason'),
    column('Object'),
    wideColumn('Subobject'),
    wideColumn('Source'),
    column('Message'),
    wideColumn('First Seen'),
    wideColumn('Count'),
    { ...nameColumn, priority: 1 },
  ],
  cells: eventCells,
};

/** The objects of `events` as events.k8s.io/v1, with the field names and the validation of that group. */
export const groupEvents: Description = {
  ...events,
  resource: { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true },
  type: structType('events.Event'),
  strategy: {
    validate: (object, causes) => validateGroupEvent(toCoreEvent(object), causes),
    validateUpdate: (object, old, causes) => validateGroupEventUpdate(toCoreEvent(object), toCoreEvent(old), causes),
    createOnUpdate: true,
    unconditionalUpdate: true,
  },
  selectableFields: {
    ...metadataFields(true),
    ...involvedFields('regarding'),
    reason: (object) => text(object, 'reason'),
    reportingController: (object) => text(object, 'reportingController'),
    type: (object) => text(object, 'type'),
  },
  cells: (object, now) => eventCells(toCoreEvent(object), now),
};

/** Field names of events.k8s.io/v1 and their names in core/v1. */
const coreNames: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
};

export const toCoreEvent = (object: Fields): Fields => renameFields(object, coreNames, 'v1');

export const toGroupEvent = (object: Fields): Fields =>
  renameFields(object, Object.fromEntries(Object.entries(coreNames).map(([group, core]) => [core, group])), 'events.k8s.io/v1');

function renameFields(object: Fields, newNames: Readonly<Record<string, string>>, apiVersion: string): Fields {
  const result: Draft = {};
  for (const [name, value] of Object.entries(object)) result[newNames[name] ?? name] = copyOf(value);
  if (has(result, 'apiVersion')) result['apiVersion'] = apiVersion;
  return result;
}

/** Selectable fields of the reference to the involved object. */
function involvedFields(parent: string): FieldReaders {
  const names = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  return Object.fromEntries(names.map((name) => [`${parent}.${name}`, createTextReader(parent, name)]));
}

/** Mirrors printEvent (pkg/printers/internalversion, 1.36). */
function eventCells(object: Fields, now: Date): (string | number)[] {
  const [involvedObject, source, series] = [child(object, 'involvedObject'), child(object, 'source'), child(object, 'series')];
  const firstSeen = formatTimeSince(text(object, 'firstTimestamp') || text(object, 'eventTime'), now);
  const lastSeen = has(object, 'lastTimestamp') ? formatTimeSince(text(object, 'lastTimestamp'), now) : firstSeen;
  const name = text(involvedObject, 'name');
  const host = text(source, 'host') || text(object, 'reportingInstance');
  const component = text(source, 'component') || text(object, 'reportingComponent');
  const hasSeries = has(object, 'series');
  return [
    hasSeries ? formatTimeSince(text(series, 'lastObservedTime'), now) : lastSeen,
    text(object, 'type'),
    text(object, 'reason'),
    `${text(involvedObject, 'kind').toLowerCase()}${name === '' ? '' : `/${name}`}`,
    text(involvedObject, 'fieldPath'),
    host === '' ? component : `${component}, ${host}`,
    text(object, 'message').trim(),
    firstSeen,
    hasSeries ? number(series, 'count') : number(object, 'count') || 1,
    text(child(object, 'metadata'), 'name'),
  ];
}

/**
 * Validates Events of both groups, with the field names of core/v1. Mirrors legacyValidateEvent (pkg/apis/core/validation/events.go,
 * 1.36).
 * @param componentField name of the field for the reporting controller
 */
export function validateEventBasics(event: Fields, componentField: string, causes: Causes): void {
  const namespace = text(child(event, 'metadata'), 'namespace');
  const involvedNamespace = text(child(event, 'involvedObject'), 'namespace');
  const reportMismatch = (): void => causes.invalid('involvedObject.namespace', involvedNamespace, 'does not match event.namespace');
  if (!has(event, 'eventTime')) {
    if (involvedNamespace === '' ? !['', 'default'].includes(namespace) : namespace !== involvedNamespace) reportMismatch();
  } else {
    if (involvedNamespace === '' && namespace !== 'default' && namespace !== 'kube-system') reportMismatch();
    validateReporter(event, componentField, causes);
  }
  for (const message of dns1123Subdomain(namespace)) causes.invalid('namespace', namespace, message);
}

/** Validates the fields that are required if eventTime is set. */
function validateReporter(event: Fields, componentField: string, causes: Causes): void {
  const controller = text(event, 'reportingComponent');
  if (controller === '') causes.required(componentField);
  for (const message of qualifiedName(controller)) causes.invalid(componentField, controller, message);
  for (const { name, limit, required } of limits) {
    const value = text(event, name);
    if (required && value === '') causes.required(name);
    if (bytesOf(value) > limit) causes.invalid(name, '', `can have at most ${limit} characters`);
  }
}

const limits: readonly { readonly name: string; readonly limit: number; readonly required: boolean }[] = [
  { name: 'reportingInstance', limit: 128, required: true },
  { name: 'action', limit: 128, required: true },
  { name: 'reason', limit: 128, required: true },
  { name: 'message', limit: 1024, required: false },
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
    const isSet = name === 'source' ? text(source, 'component') !== '' || text(source, 'host') !== '' : has(event, name);
    if (isSet) causes.invalid(name, '', 'needs to be unset');
  }
}

/** Mirrors ValidateEventUpdate for events.k8s.io/v1. */
export function validateGroupEventUpdate(event: Fields, old: Fields, causes: Causes): void {
  validateEventBasics(event, 'reportingController', causes);
  validateMetadataUpdate(event, old, { knownFinalizers: true }, causes);
  if (!sameValue(event['series'], old['series'])) validateSeries(event, causes);
  for (const { name, field = name, printedValue } of immutableFields) {
    if (!sameValue(event[name], old[name])) causes.invalid(field, printedValue(event), immutableMessage);
  }
}

function validateSeries(event: Fields, causes: Causes): void {
  if (!has(event, 'series')) return;
  const series = child(event, 'series');
  if (number(series, 'count') < 2) causes.invalid('series.count', '', 'should be at least 2');
  if (!has(series, 'lastObservedTime')) causes.required('series.lastObservedTime');
}

interface ImmutableField {
  readonly name: string;
  readonly field?: string;
  readonly printedValue: (event: Fields) => unknown;
}

const createTextField = (name: string, field?: string): ImmutableField => ({
  name,
  ...(field && { field }),
  printedValue: (event) => text(event, name),
});

/** Upstream prints its internal types, which have no JSON names. */
const createReferenceField = (name: string): ImmutableField => ({
  name,
  printedValue: (event) => (name === 'related' && !has(event, name) ? null : toGoReference(child(event, name))),
});

const toGoReference = (value: Fields): Fields => ({
  Kind: text(value, 'kind'),
  Namespace: text(value, 'namespace'),
  Name: text(value, 'name'),
  UID: text(value, 'uid'),
  APIVersion: text(value, 'apiVersion'),
  ResourceVersion: text(value, 'resourceVersion'),
  FieldPath: text(value, 'fieldPath'),
});

const createTimeField = (name: string): ImmutableField => ({ name, printedValue: (event) => event[name] ?? null });

/** Upstream checks `reason` twice, so an error is reported twice. */
const immutableFields: readonly ImmutableField[] = [
  createReferenceField('involvedObject'),
  createTextField('reason'),
  createTextField('message'),
  {
    name: 'source',
    printedValue: (event) => ({ Component: text(child(event, 'source'), 'component'), Host: text(child(event, 'source'), 'host') }),
  },
  createTimeField('firstTimestamp'),
  createTimeField('lastTimestamp'),
  { name: 'count', printedValue: (event) => number(event, 'count') },
  createTextField('reason'),
  createTextField('type'),
  createTimeField('eventTime'),
  createTextField('action'),
  createReferenceField('related'),
  createTextField('reportingComponent', 'reportingController'),
  createTextField('reportingInstance'),
];
