import { expect, test } from 'vitest';
import { events, groupEvents, toCoreEvent, toGroupEvent } from '../../../src/resources/events/events.ts';
import { example, selected } from '../support.ts';

test('one object by two names, there and back', () => {
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

test('is selected by the names of its group', () => {
  const { object } = example('groupEvents/new');
  expect(selected(groupEvents, object)).toMatchObject({ 'regarding.name': 'web', reportingController: 'example.com/web' });
  expect(selected(groupEvents, object)).not.toHaveProperty('source');
  expect(selected(events, toCoreEvent(object))).toMatchObject({ 'involvedObject.name': 'web', source: 'example.com/web' });
});

test('looks the same in tables', () => {
  const { object } = example('groupEvents/new');
  const now = new Date('2025-01-01T00:01:00Z');
  expect(groupEvents.cells(object, now)).toEqual(events.cells(toCoreEvent(object), now));
  expect(events.cells(toCoreEvent(object), now).slice(0, 4)).toEqual(['58s', 'Warning', 'Started', 'pod/web']);
});
