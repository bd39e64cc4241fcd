import { expect, test } from 'vitest';
import { validateVolumes } from '../../../../src/resources/pods/validate/volumes.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const check = (...volumes: object[]): { fields: string[]; validNames: string[] } => {
  let validNames: string[] = [];
  const lines = reportedCauses((causes) => {
    validNames = [...validateVolumes({ volumes }, 'pod', causes).keys()];
  });
  return { fields: fieldsOf(lines), validNames };
};

test('validateVolumes returns valid volumes by name', () => {
  expect(
    check({ name: 'a', emptyDir: {} }, { name: 'a', emptyDir: {} }, { name: 'B', emptyDir: {} }, { emptyDir: {} }, { name: 'c' }),
  ).toEqual({
    fields: ['spec.volumes[1].name', 'spec.volumes[2].name', 'spec.volumes[3].name', 'spec.volumes[4]'],
    validNames: ['a'],
  });
});

test.each([
  [{ emptyDir: { sizeLimit: '-1' } }, ['emptyDir.sizeLimit']],
  [{ hostPath: {} }, ['hostPath.path']],
  [{ hostPath: { path: '/a/..', type: 'Odd' } }, ['hostPath.path', 'hostPath.type']],
  [{ gitRepo: { directory: '/a' } }, ['gitRepo.repository', 'gitRepo.directory']],
  [
    { secret: { defaultMode: 512, items: [{}] } },
    ['secret.secretName', 'secret.defaultMode', 'secret.items[0].key', 'secret.items[0].path'],
  ],
  [{ nfs: { path: 'a' } }, ['nfs.server', 'nfs.path']],
  [{ gcePersistentDisk: {} }, ['persistentDisk.pdName']],
  [{ iscsi: { iqn: 'x' } }, ['iscsi.targetPortal']],
  [{ rbd: { monitors: ['a'], image: 'b' } }, []],
  [{ rbd: { monitors: [], image: '' } }, ['rbd.monitors', 'rbd.image']],
  [{ cephfs: {} }, ['cephfs.monitors']],
  [{ quobyte: {} }, ['quobyte.volume', 'quobyte.registry']],
  [{ flocker: {} }, ['flocker']],
  [{ flocker: { datasetName: 'a' } }, []],
  [{ fc: {} }, ['fc.targetWWNs']],
  [{ fc: { targetWWNs: [], wwids: [] } }, ['fc.targetWWNs']],
  [{ fc: { wwids: ['a'] } }, []],
  [{ persistentVolumeClaim: {} }, ['persistentVolumeClaim.claimName']],
  [{ ephemeral: {} }, ['ephemeral.volumeClaimTemplate']],
  [{ image: {} }, ['image.reference', 'image.pullPolicy']],
  // These names, with the typo, are upstream's.
  [{ emptyDir: {}, downwardAPI: {}, cephfs: {} }, ['cephFS', 'downwarAPI']],
])('validateVolumes checks %j', (volume, fields) => {
  expect(check({ name: 'a', ...volume }).fields).toEqual(fields.map((field) => `spec.volumes[0].${field}`));
});

test('a volume must not use the claim of an ephemeral volume', () => {
  const ephemeral = { name: 'e', ephemeral: { volumeClaimTemplate: {} } };
  expect(check(ephemeral, { name: 'c', persistentVolumeClaim: { claimName: 'pod-e' } }).fields).toEqual([
    'spec.volumes[1].persistentVolumeClaim.claimName',
  ]);
});
