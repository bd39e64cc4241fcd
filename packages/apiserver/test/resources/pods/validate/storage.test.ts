import { expect, test } from 'vitest';
import { validateStorage } from '../../../../src/resources/pods/validate/storage.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

test.each([
  ['gcePersistentDisk', {}, ['f.pdName']],
  ['iscsi', { iqn: 'x' }, ['f.targetPortal']],
  ['rbd', { monitors: ['a'], image: 'b' }, []],
  ['rbd', { monitors: [], image: '' }, ['f.monitors', 'f.image']],
  ['cephfs', {}, ['f.monitors']],
  ['quobyte', {}, ['f.volume', 'f.registry']],
  ['flocker', {}, ['f']],
  ['flocker', { datasetName: 'a' }, []],
  ['fc', {}, ['f.targetWWNs']],
  ['fc', { targetWWNs: [], wwids: [] }, ['f.targetWWNs']],
  ['fc', { wwids: ['a'] }, []],
  ['none', {}, []],
])('validateStorage checks %s %j', (kind, source, fields) =>
  expect(fieldsOf(reportedCauses((causes) => validateStorage(kind, source, 'f', causes)))).toEqual(fields),
);
