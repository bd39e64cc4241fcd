import { expect, test } from 'vitest';
import { applyConflict, doesNotApply, panicked, tooLarge } from '../../src/patch/errors.ts';

test('a patch that does not apply is answered without the reason, which stays with the error', () => {
  const error = doesNotApply('because');
  expect(error.status).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'the server rejected our request due to an error in our request',
    reason: 'Invalid',
    details: {},
    code: 422,
  });
  expect((error.cause as Error).message).toBe('because');
});

test('the other refusals', () => {
  expect(tooLarge('10001 of them').status).toMatchObject({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: 10001 of them',
  });
  expect(applyConflict('no', [{ field: '.a' }]).status).toMatchObject({
    code: 409,
    reason: 'Conflict',
    details: { causes: [{ field: '.a' }] },
  });
  expect(panicked().status).toMatchObject({ code: 500 });
  expect(panicked().reason).toBe('');
});
