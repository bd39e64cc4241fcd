import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  invalidListOptions,
  notFound,
  status500,
  tooLargeResourceVersion,
} from '../../src/store/errors.ts';

const { pods, endpointSlices } = resources;
const failureStatus = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };

test.each([
  [notFound(pods, 'a'), { message: 'pods "a" not found', reason: 'NotFound', details: { name: 'a', kind: 'pods' }, code: 404 }],
  [
    alreadyExists(endpointSlices, 'a'),
    {
      message: 'endpointslices.discovery.k8s.io "a" already exists',
      reason: 'AlreadyExists',
      details: { name: 'a', group: 'discovery.k8s.io', kind: 'endpointslices' },
      code: 409,
    },
  ],
  [
    conflict(pods, 'a', 'because'),
    { message: 'Operation cannot be fulfilled on pods "a": because', reason: 'Conflict', details: { name: 'a', kind: 'pods' }, code: 409 },
  ],
  [badRequest('no'), { message: 'no', reason: 'BadRequest', code: 400 }],
  [status500('oh'), { message: 'oh', code: 500 }],
  [expired('old'), { message: 'old', reason: 'Expired', code: 410 }],
  [expired('old', 'token'), { message: 'old', reason: 'Expired', code: 410, metadata: { continue: 'token' } }],
  [
    tooLargeResourceVersion('9', 5),
    {
      message: 'Timeout: Too large resource version: 9, current: 5',
      reason: 'Timeout',
      details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
      code: 504,
    },
  ],
])('the error %s has the same status as in Kubernetes', ({ status }, expected) =>
  expect(status).toEqual({ ...failureStatus, ...expected }),
);

test('the message of invalidListOptions lists several problems in brackets without repetitions; its causes keep them', () => {
  const problem = { reason: 'FieldValueForbidden', field: 'f', message: 'Forbidden: x' } as const;
  expect(invalidListOptions([problem]).message).toBe('ListOptions.meta.k8s.io "" is invalid: f: Forbidden: x');
  const other = { ...problem, field: 'g' };
  const { message, details } = invalidListOptions([problem, other, problem]).status;
  expect(message).toBe('ListOptions.meta.k8s.io "" is invalid: [f: Forbidden: x, g: Forbidden: x]');
  expect(details).toEqual({ group: 'meta.k8s.io', kind: 'ListOptions', causes: [problem, other, problem] });
});
