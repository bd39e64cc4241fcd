import { expect, test } from 'vitest';
import { validateTolerations } from '../../../../src/resources/pods/validate/tolerations.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

test.each([
  [{ operator: 'Exists' }, 0],
  [{ key: 'a', value: 'b' }, 0],
  [{ value: 'b' }, 1],
  [{ key: 'a b' }, 1],
  [{ key: 'a', operator: 'Exists', value: 'b' }, 1],
  [{ key: 'a', operator: 'Lt', value: '5' }, 1],
  [{ key: 'a', operator: 'Odd' }, 1],
  [{ key: 'a', effect: 'Odd' }, 1],
  [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 5 }, 1],
])('validateTolerations of %j reports %d errors', (toleration, errorCount) => {
  const lines = reportedCauses((causes) => validateTolerations([toleration], 't', causes));
  expect(fieldsOf(lines)).toHaveLength(errorCount);
});
