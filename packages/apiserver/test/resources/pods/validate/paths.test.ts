import { expect, test } from 'vitest';
import {
  validateDescending,
  validateMode,
  validateNoBacksteps,
  validateNotReserved,
} from '../../../../src/resources/pods/validate/paths.ts';
import { fieldsOf, found } from '../../support.ts';

test.each([
  ['a/b', 0, 0, 0],
  ['/a', 0, 1, 1],
  ['a/../b', 1, 1, 1],
  ['..a', 0, 0, 1],
  ['../a', 1, 1, 1],
])('path checks of %s', (path, backsteps, descending, reserved) => {
  expect(fieldsOf(found((causes) => validateNoBacksteps(path, 'f', causes)))).toHaveLength(backsteps);
  expect(found((causes) => validateDescending(path, 'f', causes))).toHaveLength(descending);
  expect(found((causes) => validateNotReserved(path, 'f', causes))).toHaveLength(reserved);
});

test.each([
  [0, 0],
  [0o777, 0],
  [0o1000, 1],
  [-1, 1],
  [undefined, 0],
])('validateMode checks %s', (mode, findings) => {
  expect(found((causes) => validateMode(mode, 'f', causes))).toHaveLength(findings);
});
