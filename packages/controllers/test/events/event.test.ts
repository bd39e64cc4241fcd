import { expect, test } from 'vitest';
import { makeEvent, timestampOf } from '../../src/events/event.ts';

const object = { apiVersion: 'v1', kind: 'Endpoints', namespace: 'shop', name: 'web', uid: 'u1', resourceVersion: '7' };
const now = Date.UTC(2026, 0, 2, 3, 4, 5, 999);

test('makeEvent returns an Event with count 1 and times in whole seconds', () => {
  const content = { object, type: 'Warning', reason: 'FailedToCreateEndpoint', message: 'no' } as const;
  expect(makeEvent(content, { component: 'endpoint-controller' }, 'web.1', now)).toEqual({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'shop', name: 'web.1' },
    involvedObject: object,
    type: 'Warning',
    reason: 'FailedToCreateEndpoint',
    message: 'no',
    source: { component: 'endpoint-controller' },
    reportingComponent: 'endpoint-controller',
    reportingInstance: '',
    count: 1,
    firstTimestamp: '2026-01-02T03:04:05Z',
    lastTimestamp: '2026-01-02T03:04:05Z',
  });
});

test('makeEvent puts the host into source and reportingInstance', () => {
  const event = makeEvent({ object, type: 'Normal', reason: 'R', message: '' }, { component: 'c', host: 'h' }, 'n', now);
  expect([event.source, event.reportingInstance]).toEqual([{ component: 'c', host: 'h' }, 'h']);
});

test.each([{}, { namespace: '' }, { namespace: null }])(
  'an Event for an object without a namespace (%j) is in "default"',
  (namespaceField) => {
    const content = { object: { kind: 'Node', name: 'n1', ...namespaceField }, type: 'Normal', reason: 'R', message: 'm' } as const;
    expect(makeEvent(content, { component: 'c' }, 'n1.1', now).metadata.namespace).toBe('default');
  },
);

test('makeEvent copies the reference', () => {
  const reference = { ...object };
  const event = makeEvent({ object: reference, type: 'Normal', reason: 'R', message: 'm' }, { component: 'c' }, 'n', now);
  reference.name = 'other';
  expect(event.involvedObject.name).toBe('web');
});

test('timestampOf truncates to seconds', () => {
  expect([timestampOf(0), timestampOf(now)]).toEqual(['1970-01-01T00:00:00Z', '2026-01-02T03:04:05Z']);
});
