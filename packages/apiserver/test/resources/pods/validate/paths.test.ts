import { expect, test } from 'vitest';
import {
  validateDescendingPath,
  validateMode,
  validateNoBacksteps,
  validateNonReservedPath,
} from '../../../../src/resources/pods/validate/paths.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

test.each([
  ['a/b', 0, 0, 0],
  ['/a', 0, 1, 1],
  ['a/../b', 1, 1, 1],
  ['..a', 0, 0, 1],
  ['../a', 1, 1, 1],
])('the path validators check %s', (path, backstepErrors, descendingErrors, reservedErrors) => {
  expect(fieldsOf(reportedCauses((causes) => validateNoBacksteps(path, 'f', causes)))).toHaveLength(backstepErrors);
  expect(reportedCauses((causes) => validateDescendingPath(path, 'f', causes))).toHaveLength(descendingErrors);
  expect(reportedCauses((causes) => validateNonReservedPath(path, 'f', causes))).toHaveLength(reservedErrors);
});

test.each([
  [0, 0],
  [0o777, 0],
  [0o1000, 1],
  [-1, 1],
  [undefined, 0],
])('validateMode of %s reports %d errors', (mode, errorCount) => {
  expect(reportedCauses((causes) => validateMode(mode, 'f', causes))).toHaveLength(errorCount);
});
