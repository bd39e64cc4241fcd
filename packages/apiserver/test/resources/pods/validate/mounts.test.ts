import { expect, test } from 'vitest';
import { validateDevices, validateMounts } from '../../../../src/resources/pods/validate/mounts.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const volumes = new Map<string, Record<string, unknown>>([
  ['v', { emptyDir: {} }],
  ['claim', { persistentVolumeClaim: {} }],
]);

test('a mount names an existing volume and has a unique path', () => {
  const volumeMounts = [{ name: 'v', mountPath: '/a' }, { name: 'none', mountPath: '/a' }, {}];
  expect(fieldsOf(reportedCauses((causes) => validateMounts({ volumeMounts }, volumes, 'c', causes)))).toEqual([
    'c.volumeMounts[1].name',
    'c.volumeMounts[1].mountPath',
    'c.volumeMounts[2].name',
    'c.volumeMounts[2].name',
    'c.volumeMounts[2].mountPath',
  ]);
});

test.each([
  [{ subPath: '../a' }, ['subPath']],
  [{ subPath: 'a', subPathExpr: '/b' }, ['[0].subPathExpr', 'subPathExpr']],
  [{ mountPropagation: 'Bidirectional' }, ['mountPropagation']],
  [{ mountPropagation: 'Odd' }, ['mountPropagation']],
  [{ recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' }, ['recursiveReadOnly', 'recursiveReadOnly']],
  [{ recursiveReadOnly: 'Odd' }, ['recursiveReadOnly']],
  [{ recursiveReadOnly: 'IfPossible', readOnly: true }, []],
])('validateMounts checks the mount %j', (mount, fields) => {
  const lines = reportedCauses((causes) =>
    validateMounts({ volumeMounts: [{ name: 'v', mountPath: '/a', ...mount }] }, volumes, 'c', causes),
  );
  expect(fieldsOf(lines)).toEqual(fields.map((field) => `c.volumeMounts${field.startsWith('[') ? '' : '.'}${field}`));
});

test('a device names a persistent volume claim and has a unique path', () => {
  const volumeDevices = [
    { name: 'claim', devicePath: '/a' },
    { name: 'claim', devicePath: '/a' },
    { name: 'v', devicePath: '/../b' },
    { name: 'none' },
  ];
  const container = { volumeDevices, volumeMounts: [{ name: 'claim', mountPath: '/c' }] };
  expect(fieldsOf(reportedCauses((causes) => validateDevices(container, volumes, 'c', causes)))).toEqual([
    'c.volumeDevices[0].name',
    'c.volumeDevices[1].name',
    'c.volumeDevices[1].devicePath',
    'c.volumeDevices[1].name',
    'c.volumeDevices[2].name',
    'c.volumeDevices[2].devicePath',
    'c.volumeDevices[3].name',
    'c.volumeDevices[3].devicePath',
  ]);
});
