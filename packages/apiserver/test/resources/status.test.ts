import { expect, test } from 'vitest';
import { aggregateMessage, invalidObject, unknownField, unknownFields, unreadableBody } from '../../src/resources/status.ts';

const slices = { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', kind: 'EndpointSlice', namespaced: true };
const cause = (field: string) => ({ reason: 'FieldValueRequired' as const, field, message: 'Required value' });

test('an object that is wrong', () => {
  expect(invalidObject(slices, 'a', [cause('x'), cause('x'), cause('y')]).status).toMatchObject({
    code: 422,
    reason: 'Invalid',
    message: 'EndpointSlice.discovery.k8s.io "a" is invalid: [x: Required value, y: Required value]',
    details: { name: 'a', group: 'discovery.k8s.io', kind: 'EndpointSlice', causes: [cause('x'), cause('x'), cause('y')] },
  });
});

test('events of either group are one kind', () => {
  const events = { ...slices, group: 'events.k8s.io', kind: 'Event' };
  expect(invalidObject(events, '', [cause('x')]).status).toMatchObject({
    message: 'Event "" is invalid: x: Required value',
    details: { kind: 'Event' },
  });
});

test('a body that cannot be read, and one with fields that are none', () => {
  expect(unreadableBody(slices, 'why').status).toMatchObject({
    code: 400,
    reason: 'BadRequest',
    message: 'EndpointSlice in version "v1" cannot be handled as a EndpointSlice: why',
  });
  expect(unknownFields(slices, ['a', 'b']).message).toMatch(/: strict decoding error: unknown field "a", unknown field "b"$/);
  expect(unknownField('a.b')).toBe('unknown field "a.b"');
  expect(aggregateMessage([cause('x')])).toBe('x: Required value');
});

test('an object of no kind, and a name that has to be escaped', () => {
  expect(invalidObject({ group: '', kind: '' }, '', [cause('patch')]).status.details).toEqual({ causes: [cause('patch')] });
  expect(invalidObject(slices, '\u0000', [cause('x')]).message).toMatch(/^EndpointSlice\.discovery\.k8s\.io "\\x00" is invalid/);
});
