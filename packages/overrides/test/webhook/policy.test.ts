import { expect, test } from 'vitest';
import { policyReview, uidIn } from '../../src/webhook/policy.ts';

test.each([
  ['{"kind":"AdmissionReview","request":{"uid":"a-1","kind":{', 'a-1'],
  ['{ "request" : { "uid" : "a-1"', 'a-1'],
  ['{"request":{"name":"x","uid":"a-1"', ''],
  ['{"request":{"uid":"a 1"', ''],
  ['', ''],
])('the uid in %j is %j', (text, uid) => {
  expect(uidIn(text)).toBe(uid);
});

test('what the policy answers', () => {
  expect(policyReview('u', 'allow', 'late', 'why').response).toEqual({
    uid: 'u',
    allowed: true,
    warnings: ['endpoint overrides not applied: why'],
  });
  expect(policyReview('u', 'deny', 'late', 'why').response).toEqual({
    uid: 'u',
    allowed: false,
    status: { status: 'Failure', code: 504, reason: 'Timeout', message: 'endpoint overrides not applied: why' },
  });
});
