import { expect, it } from 'vitest';
import { createTimeoutError, type DenialStatus, toStatusError, WebhookCallError } from '../../src/admission/denial.ts';

it.each<[DenialStatus | undefined, string, number, string]>([
  [undefined, ' without explanation', 400, 'Failure'],
  [{}, ' without explanation', 400, 'Failure'],
  [{ message: 'no', reason: 'Forbidden' }, ': no', 400, 'Failure'],
  [{ reason: 'Forbidden', code: 403 }, ': Forbidden', 403, 'Failure'],
  [{ code: 399 }, ' without explanation', 400, 'Failure'],
  [{ code: 500, status: 'Success' }, ' without explanation', 500, 'Failure'],
  [{ status: 'Custom' }, ' without explanation', 400, 'Custom'],
])('a refusal with %j becomes an error with explanation %j, code %i and status %s', (denialStatus, explanation, code, status) => {
  expect(toStatusError('a.example.com', denialStatus).status).toMatchObject({
    kind: 'Status',
    message: `admission webhook "a.example.com" denied the request${explanation}`,
    code,
    status,
  });
});

it('the error for a refusal keeps details and reason', () => {
  const details = { causes: [{ field: 'spec', message: 'is wrong' }], retryAfterSeconds: 1 };
  expect(toStatusError('a', { details, reason: 'Invalid' }).status).toMatchObject({ details, reason: 'Invalid' });
});

it('call errors and timeouts have the messages of kube-apiserver', () => {
  expect(new WebhookCallError('a.example.com', 'it broke').message).toBe('failed calling webhook "a.example.com": it broke');
  expect(createTimeoutError().status).toMatchObject({
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within requested timeout',
  });
});
