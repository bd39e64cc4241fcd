import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import {
  forbidden,
  generateNameConflict,
  internalError,
  namespaceTerminating,
  noSuchResource,
  unsupportedPatch,
  withBeingDeletedPrefix,
} from '../../src/registry/errors.ts';
import { aggregateMessage, invalidObject } from '../../src/resources/status.ts';

const cause = (field: string) => ({ reason: 'FieldValueRequired', message: 'Required value', field });

describe('invalidObject', () => {
  it('names the kind with its group, and repeats no cause in the message', () => {
    const { status } = invalidObject(resources.endpointSlices, 'a', [cause('x'), cause('y'), cause('x')]);
    expect(status.message).toBe('EndpointSlice.discovery.k8s.io "a" is invalid: [x: Required value, y: Required value]');
    expect(status).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(status.details).toEqual({
      name: 'a',
      group: 'discovery.k8s.io',
      kind: 'EndpointSlice',
      causes: [cause('x'), cause('y'), cause('x')],
    });
  });

  it('accepts an empty list of causes', () => {
    expect(invalidObject(resources.pods, '', []).status).toMatchObject({ message: 'Pod "" is invalid', details: { kind: 'Pod' } });
  });
});

it('aggregateMessage writes a single cause without brackets', () => {
  expect(aggregateMessage([cause('x')])).toBe('x: Required value');
});

it('forbidden reports the reason', () => {
  const { status } = forbidden(resources.leases, 'a', 'no');
  expect(status.message).toBe('leases.coordination.k8s.io "a" is forbidden: no');
  expect(status.details).toEqual({ name: 'a', group: 'coordination.k8s.io', kind: 'leases' });
  expect(status.code).toBe(403);
});

it('namespaceTerminating names the namespace', () => {
  const { status } = namespaceTerminating(resources.pods, 'a', 'shop');
  expect(status.message).toBe('pods "a" is forbidden: unable to create new content in namespace shop because it is being terminated');
  expect(status.details?.causes).toEqual([
    { reason: 'NamespaceTerminating', message: 'namespace shop is being terminated', field: 'metadata.namespace' },
  ]);
});

it('withBeingDeletedPrefix prefixes the message of generateNameConflict', () => {
  const error = generateNameConflict(resources.pods, 'a');
  expect(error.status.details).toEqual({ name: 'a', kind: 'pods', retryAfterSeconds: 1 });
  expect(withBeingDeletedPrefix(error).message).toBe(
    'object is being deleted: pods "a" already exists, the server was not able to generate a unique name for the object',
  );
});

it('the other errors have the codes of the API', () => {
  expect(internalError('oh').status).toMatchObject({ code: 500, reason: 'InternalError', message: 'Internal error occurred: oh' });
  expect(noSuchResource().status).toMatchObject({ code: 404, message: 'the server could not find the requested resource' });
  expect(unsupportedPatch(['a', 'b']).status).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
  expect(unsupportedPatch(['a', 'b']).message).toMatch(/accepted media types include: a, b$/);
});
