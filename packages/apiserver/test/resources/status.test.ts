import { expect, test } from 'vitest';
import {
  aggregateMessage,
  createUnknownFieldsError,
  createUnreadableBodyError,
  formatUnknownField,
  invalidObject,
} from '../../src/resources/status.ts';

const slices = { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', kind: 'EndpointSlice', namespaced: true };
const cause = (field: string) => ({ reason: 'FieldValueRequired' as const, field, message: 'Required value' });

test('invalidObject names the kind with its group, and repeats no cause in the message', () => {
  expect(invalidObject(slices, 'a', [cause('x'), cause('x'), cause('y')]).status).toMatchObject({
    code: 422,
    reason: 'Invalid',
    message: 'EndpointSlice.discovery.k8s.io "a" is invalid: [x: Required value, y: Required value]',
    details: { name: 'a', group: 'discovery.k8s.io', kind: 'EndpointSlice', causes: [cause('x'), cause('x'), cause('y')] },
  });
});

test('invalidObject omits the group of Events', () => {
  const events = { ...slices, group: 'events.k8s.io', kind: 'Event' };
  expect(invalidObject(events, '', [cause('x')]).status).toMatchObject({
    message: 'Event "" is invalid: x: Required value',
    details: { kind: 'Event' },
  });
});

test('createUnreadableBodyError and createUnknownFieldsError describe a body that does not decode', () => {
  expect(createUnreadableBodyError(slices, 'why').status).toMatchObject({
    code: 400,
    reason: 'BadRequest',
    message: 'EndpointSlice in version "v1" cannot be handled as a EndpointSlice: why',
  });
  expect(createUnknownFieldsError(slices, ['a', 'b']).message).toMatch(/: strict decoding error: unknown field "a", unknown field "b"$/);
  expect(formatUnknownField('a.b')).toBe('unknown field "a.b"');
  expect(aggregateMessage([cause('x')])).toBe('x: Required value');
});

test('invalidObject accepts an empty kind, and escapes the name', () => {
  expect(invalidObject({ group: '', kind: '' }, '', [cause('patch')]).status.details).toEqual({ causes: [cause('patch')] });
  expect(invalidObject(slices, '\u0000', [cause('x')]).message).toMatch(/^EndpointSlice\.discovery\.k8s\.io "\\x00" is invalid/);
});
