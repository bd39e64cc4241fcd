import { expect, test } from 'vitest';
import { validateDownwardAPIFile, validateKeyToPath, validateProjected } from '../../../../src/resources/pods/validate/projected.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

test('validateKeyToPath checks key, path and mode', () => {
  expect(reportedCauses((causes) => validateKeyToPath({ key: 'a', path: 'b', mode: 0o400 }, 'f', causes))).toEqual([]);
  expect(fieldsOf(reportedCauses((causes) => validateKeyToPath({ path: '/b', mode: 0o1000 }, 'f', causes)))).toEqual([
    'f.key',
    'f.path',
    'f.mode',
  ]);
});

test('validateDownwardAPIFile requires one source', () => {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.labels' };
  expect(reportedCauses((causes) => validateDownwardAPIFile({ path: 'a', fieldRef }, 'f', causes))).toEqual([]);
  expect(fieldsOf(reportedCauses((causes) => validateDownwardAPIFile({ path: 'a' }, 'f', causes)))).toEqual(['f']);
  expect(fieldsOf(reportedCauses((causes) => validateDownwardAPIFile({ path: 'a', fieldRef, resourceFieldRef: {} }, 'f', causes)))).toEqual(
    ['f'],
  );
  expect(fieldsOf(reportedCauses((causes) => validateDownwardAPIFile({ path: 'a', resourceFieldRef: {} }, 'f', causes)))).toEqual([
    'f.resourceFieldRef.containerName',
  ]);
});

test('projected paths must be unique, and each source must have one type', () => {
  const items = [{ key: 'a', path: 'p' }];
  const sources = [
    { secret: { name: 'a', items } },
    { configMap: { items }, secret: { name: 'b' } },
    { serviceAccountToken: { expirationSeconds: 5 } },
  ];
  expect(fieldsOf(reportedCauses((causes) => validateProjected({ sources }, 'f', causes)))).toEqual([
    'f.sources[1].configMap.name',
    'f',
    'f.sources[1]',
    'f.sources[2].serviceAccountToken.expirationSeconds',
    'f.path',
  ]);
});
