import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { createBrokenConnection, createErrorAnswer } from '../../src/faults/errors.ts';

const call = { verb: 'update', resource: resources.endpointSlices, namespace: 'shop', name: 'web', resourceVersion: '7' } as const;
const failure = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };

it.each([
  [
    { fault: 'conflict' },
    {
      message:
        'Operation cannot be fulfilled on endpointslices.discovery.k8s.io "web": the object has been modified; please apply your changes ' +
        'to the latest version and try again',
      reason: 'Conflict',
      details: { name: 'web', group: 'discovery.k8s.io', kind: 'endpointslices' },
      code: 409,
    },
  ],
  [{ fault: 'expired' }, { message: 'too old resource version: 7 (8)', reason: 'Expired', code: 410 }],
  [
    { fault: 'tooManyRequests', retryAfterSeconds: 5 },
    {
      message: 'Too many requests, please try again later.',
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 5 },
      code: 429,
    },
  ],
  [
    { fault: 'internalError', message: 'no' },
    { message: 'Internal error occurred: no', reason: 'InternalError', details: { causes: [{ message: 'no' }] }, code: 500 },
  ],
  [{ fault: 'unavailable' }, { message: 'apiserver is shutting down', reason: 'ServiceUnavailable', code: 503 }],
  [
    { fault: 'timeout' },
    { message: 'Timeout: request did not complete within the allotted timeout', reason: 'Timeout', details: {}, code: 504 },
  ],
] as const)('createErrorAnswer reports %j with the Status of kube-apiserver', (fault, status) => {
  expect(createErrorAnswer(fault, call)?.error.status).toEqual({ ...failure, ...status });
});

it('createErrorAnswer sets retryAfter or asEvent, and returns undefined for faults without an error answer', () => {
  expect(createErrorAnswer({ fault: 'tooManyRequests' }, call)).toMatchObject({
    retryAfter: 1,
    error: { status: { details: { retryAfterSeconds: 1 } } },
  });
  expect(createErrorAnswer({ fault: 'unavailable' }, call)?.retryAfter).toBe(1);
  expect(createErrorAnswer({ fault: 'expired' }, call)?.asEvent).toBe(true);
  expect(createErrorAnswer({ fault: 'latency', milliseconds: 1 }, call)).toBeUndefined();
});

it('createBrokenConnection creates the ECONNRESET error of Node.js', () => {
  expect(createBrokenConnection()).toBeInstanceOf(Error);
  expect(createBrokenConnection()).toMatchObject({ message: 'read ECONNRESET', code: 'ECONNRESET', syscall: 'read' });
});
