import { expect, test } from 'vitest';
import {
  events,
  groupEvents,
  toCoreEvent,
  toGroupEvent,
  validateEventBasics,
  validateGroupEvent,
  validateGroupEventUpdate,
} from '../../../src/resources/events/events.ts';
import { example, fieldsOf, reportedCauses, selectableValues } from '../support.ts';

test('toCoreEvent and toGroupEvent are inverse', () => {
  const { object } = example('groupEvents/new');
  const core = toCoreEvent(object);
  expect(core).toMatchObject({
    apiVersion: 'v1',
    message: 'started',
    involvedObject: { name: 'web' },
    reportingComponent: 'example.com/web',
  });
  expect(toGroupEvent(core)).toEqual(object);
});

test('Events have the selectable fields of their group', () => {
  const { object } = example('groupEvents/new');
  expect(selectableValues(groupEvents, object)).toMatchObject({ 'regarding.name': 'web', reportingController: 'example.com/web' });
  expect(selectableValues(groupEvents, object)).not.toHaveProperty('source');
  expect(selectableValues(events, toCoreEvent(object))).toMatchObject({ 'involvedObject.name': 'web', source: 'example.com/web' });
});

test('Events of both groups have the same table cells', () => {
  const { object } = example('groupEvents/new');
  const now = new Date('2025-01-01T00:01:00Z');
  expect(groupEvents.cells(object, now)).toEqual(events.cells(toCoreEvent(object), now));
  expect(events.cells(toCoreEvent(object), now).slice(0, 4)).toEqual(['58s', 'Warning', 'Started', 'pod/web']);
});

const event = toCoreEvent(example('groupEvents/new').object);
const invalidFields = (fields: object): string[] =>
  fieldsOf(reportedCauses((causes) => validateEventBasics({ ...event, ...fields }, 'c', causes)));

test('an Event must be in the namespace of its involved object', () => {
  expect(invalidFields({})).toEqual([]);
  expect(invalidFields({ eventTime: undefined, involvedObject: { namespace: 'other' } })).toEqual(['involvedObject.namespace']);
  expect(invalidFields({ eventTime: undefined, involvedObject: {} })).toEqual(['involvedObject.namespace']);
  expect(invalidFields({ metadata: { namespace: 'default' }, eventTime: undefined, involvedObject: {} })).toEqual([]);
});

test('an Event with eventTime requires controller, instance, action and reason', () => {
  const empty = { reportingComponent: '', reportingInstance: '', action: 'x'.repeat(129), reason: '', message: 'x'.repeat(1025) };
  expect(new Set(invalidFields(empty))).toEqual(new Set(['c', 'reportingInstance', 'action', 'reason', 'message']));
});

test('a new Event must not use deprecated fields', () => {
  const deprecatedFields = { count: 2, source: { host: 'a' }, firstTimestamp: 't', type: 'Odd', series: { count: 1 } };
  expect(fieldsOf(reportedCauses((causes) => validateGroupEvent({ ...event, ...deprecatedFields }, causes)))).toEqual([
    'series.count',
    'series.lastObservedTime',
    'type',
    'firstTimestamp',
    'count',
    'source',
  ]);
});

test('an update may change only the series of an Event', () => {
  const existing = { ...event, metadata: { name: 'new', namespace: 'vectors', resourceVersion: '1' } };
  const changed = { ...existing, reason: 'Other', involvedObject: { kind: 'Pod', namespace: 'vectors' } };
  expect(
    reportedCauses((causes) => validateGroupEventUpdate({ ...existing, series: { count: 3, lastObservedTime: 't' } }, existing, causes)),
  ).toEqual([]);
  expect(fieldsOf(reportedCauses((causes) => validateGroupEventUpdate(changed, existing, causes)))).toEqual([
    'involvedObject',
    'reason',
    'reason',
  ]);
});
