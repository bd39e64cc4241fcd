import { expect, test } from 'vitest';
import { conflictError } from '../../../src/patch/apply/conflict.ts';
import { setOf } from '../../../src/patch/apply/field-set.ts';
import { identifierOf } from '../../../src/patch/apply/managed-fields.ts';
import { Conflicts } from '../../../src/patch/apply/updater.ts';

const applier = identifierOf({ manager: 'a', operation: 'Apply', apiVersion: 'v1' });
const updater = identifierOf({ manager: 'u', operation: 'Update', apiVersion: 'v1', subresource: 'status' });

test('one conflict is told in one line', () => {
  const { status } = conflictError(new Conflicts(new Map([[applier, setOf(['f:spec', 'f:replicas'])]])));
  expect(status).toMatchObject({
    code: 409,
    reason: 'Conflict',
    message: 'Apply failed with 1 conflict: conflict with "a": .spec.replicas',
    details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.spec.replicas' }] },
  });
});

test('more are grouped by manager', () => {
  const sets = new Map([
    [updater, setOf(['f:status'])],
    [applier, setOf(['f:b'], ['f:a', 'k:{"port":80}'])],
  ]);
  const { status } = conflictError(new Conflicts(sets));
  expect(status.message).toBe(
    [
      'Apply failed with 3 conflicts: conflicts with "a":',
      '- .b',
      '- .a[port=80]',
      'conflicts with "u" with subresource "status" using v1:',
      '- .status',
    ].join('\n'),
  );
  expect(status.details?.causes?.map(({ field }) => field)).toEqual(['.b', '.a[port=80]', '.status']);
});
