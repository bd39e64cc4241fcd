import { resources } from 'kube-endpoints/port';
import type { Description } from '../description.ts';
import { child, copyOf, type Draft, type Fields, has, number, text } from '../field/read.ts';
import { type FieldReaders, metadataFields, textIn } from '../field/selectable.ts';
import { structType } from '../schema/index.ts';
import { since } from '../table/age.ts';
import { column, nameColumn, wideColumn } from '../table/columns.ts';
import { validateEventBasics, validateGroupEvent, validateGroupEventUpdate } from './validate.ts';

/** Events of the core group. Mirrors pkg/registry/core/event/strategy.go (1.36). */
export const events: Description = {
  resource: resources.events,
  singular: 'event',
  shortNames: ['ev'],
  categories: [],
  type: structType('core.Event'),
  strategy: {
    validate: (object, causes) => validateEventBasics(object, 'reportingComponent', causes),
    validateUpdate: (object, _old, causes) => validateEventBasics(object, 'reportingComponent', causes),
    createOnUpdate: true,
    unconditionalUpdate: true,
  },
  subresources: {},
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

/** The same objects by the names of events.k8s.io/v1, with rules of their own. */
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

/** What events.k8s.io/v1 calls what core/v1 calls otherwise. */
const names: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
};

/** An event of events.k8s.io/v1 as one of core/v1. */
export const toCoreEvent = (object: Fields): Fields => renamed(object, names, 'v1');

/** An event of core/v1 as one of events.k8s.io/v1. */
export const toGroupEvent = (object: Fields): Fields =>
  renamed(object, Object.fromEntries(Object.entries(names).map(([group, core]) => [core, group])), 'events.k8s.io/v1');

function renamed(object: Fields, by: Readonly<Record<string, string>>, apiVersion: string): Fields {
  const result: Draft = {};
  for (const [name, value] of Object.entries(object)) result[by[name] ?? name] = copyOf(value);
  if (has(result, 'apiVersion')) result['apiVersion'] = apiVersion;
  return result;
}

/** The fields of the reference to what an event is about. */
function involvedFields(parent: string): FieldReaders {
  const names = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  return Object.fromEntries(names.map((name) => [`${parent}.${name}`, textIn(parent, name)]));
}

/** Mirrors printEvent (pkg/printers/internalversion, 1.36). */
function eventCells(object: Fields, now: Date): (string | number)[] {
  const [involved, source, series] = [child(object, 'involvedObject'), child(object, 'source'), child(object, 'series')];
  const first = since(text(object, 'firstTimestamp') || text(object, 'eventTime'), now);
  const last = has(object, 'lastTimestamp') ? since(text(object, 'lastTimestamp'), now) : first;
  const name = text(involved, 'name');
  const host = text(source, 'host') || text(object, 'reportingInstance');
  const component = text(source, 'component') || text(object, 'reportingComponent');
  const repeated = has(object, 'series');
  return [
    repeated ? since(text(series, 'lastObservedTime'), now) : last,
    text(object, 'type'),
    text(object, 'reason'),
    `${text(involved, 'kind').toLowerCase()}${name === '' ? '' : `/${name}`}`,
    text(involved, 'fieldPath'),
    host === '' ? component : `${component}, ${host}`,
    text(object, 'message').trim(),
    first,
    repeated ? number(series, 'count') : number(object, 'count') || 1,
    text(child(object, 'metadata'), 'name'),
  ];
}
