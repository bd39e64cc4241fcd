import { expect, it } from 'vitest';
import { denial, type Reason, timedOut, WebhookCallError } from '../../src/admission/denial.ts';

it.each<[Reason | undefined, string, number, string]>([
  [undefined, ' without explanation', 400, 'Failure'],
  [{}, ' without explanation', 400, 'Failure'],
  [{ message: 'no', reason: 'Forbidden' }, ': no', 400, 'Failure'],
  [{ reason: 'Forbidden', code: 403 }, ': Forbidden', 403, 'Failure'],
  [{ code: 399 }, ' without explanation', 400, 'Failure'],
  [{ code: 500, status: 'Success' }, ' without explanation', 500, 'Failure'],
  [{ status: 'Custom' }, ' without explanation', 400, 'Custom'],
])('the denial %j has a Status with message, code and status', (reason, explanation, code, status) => {
  expect(denial('a.example.com', reason).status).toMatchObject({
    kind: 'Status',
    message: `admission webhook "a.example.com" denied the request${explanation}`,
    code,
    status,
  });
});

it('a denial keeps details and reason', () => {
  const details = { causes: [{ field: 'spec', message: 'is wrong' }], retryAfterSeconds: 1 };
  expect(denial('a', { details, reason: 'Invalid' }).status).toMatchObject({ details, reason: 'Invalid' });
});

it('failures have the messages of kube-apiserver', () => {
  expect(new WebhookCallError('a.example.com', 'it broke').message).toBe('failed calling webhook "a.example.com": it broke');
  expect(timedOut().status).toMatchObject({
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within requested timeout',
  });
});
