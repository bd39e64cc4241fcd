import { child, type Fields, has, list, text, texts } from '../../field/read.ts';
import {
  aged,
  booleanAt,
  column,
  countAt,
  nameColumn,
  named,
  nameOf,
  readBoolean,
  readFields,
  readText,
  type TableColumn,
  type TableColumns,
  textAt,
  textual,
  wide,
} from '../../table/columns.ts';

const attributesClass = textAt('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>');
const volumeMode = wide('VolumeMode', (object) => readText(object, 'spec.volumeMode', '<unset>'));
const phase = textual('Status', (object) =>
  has(child(object, 'metadata'), 'deletionTimestamp') ? 'Terminating' : readText(object, 'status.phase'),
);
/** The deprecated annotation precedes the field. */
const storageClass = textual('StorageClass', (object) => {
  const annotation = child(child(object, 'metadata'), 'annotations')['volume.beta.kubernetes.io/storage-class'];
  return typeof annotation === 'string' ? annotation : readText(object, 'spec.storageClassName');
});

export const storageTables: Readonly<Record<string, TableColumns>> = {
  CSIDriver: [
    named,
    booleanAt('AttachRequired', 'spec.attachRequired', true),
    booleanAt('PodInfoOnMount', 'spec.podInfoOnMount'),
    booleanAt('StorageCapacity', 'spec.storageCapacity'),
    textual('TokenRequests', ({ spec }) =>
      has(spec as Fields, 'tokenRequests')
        ? list(spec as Fields, 'tokenRequests')
            .map((each) => text(each, 'audience'))
            .join(',')
        : '<unset>',
    ),
    booleanAt('RequiresRepublish', 'spec.requiresRepublish'),
    textual('Modes', ({ spec }) => texts(spec as Fields, 'volumeLifecycleModes').join(',') || '<none>'),
    aged,
  ],
  CSINode: [named, countAt('Drivers', 'spec.drivers'), aged],
  PersistentVolume: [
    named,
    textual('Capacity', (object) => storageOf(readFields(object, 'spec.capacity'))),
    textual('Access Modes', ({ spec }) => printAccessModes(texts(spec as Fields, 'accessModes'))),
    textAt('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy'),
    phase,
    textual('Claim', (object) => {
      const claim = readFields(object, 'spec.claimRef');
      return claim ? `${text(claim, 'namespace')}/${text(claim, 'name')}` : '';
    }),
    storageClass,
    attributesClass,
    textAt('Reason', 'status.reason'),
    aged,
    volumeMode,
  ],
  PersistentVolumeClaim: [
    named,
    phase,
    textAt('Volume', 'spec.volumeName'),
    ifBound(textual('Capacity', (object) => storageOf(readFields(object, 'status.capacity')))),
    ifBound(textual('Access Modes', (object) => printAccessModes(texts(child(object, 'status'), 'accessModes')))),
    storageClass,
    attributesClass,
    aged,
    volumeMode,
  ],
  StorageClass: [
    { ...nameColumn, cell: (object) => `${nameOf(object)}${isDefaultClass(object) ? ' (default)' : ''}` },
    textAt('Provisioner', 'provisioner'),
    textAt('ReclaimPolicy', 'reclaimPolicy', 'Delete'),
    textAt('VolumeBindingMode', 'volumeBindingMode', 'Immediate'),
    { ...column('AllowVolumeExpansion'), cell: (object) => readBoolean(object, 'allowVolumeExpansion') },
    aged,
  ],
  VolumeAttachment: [
    named,
    { ...textAt('Attacher', 'spec.attacher'), format: 'name' },
    textAt('PV', 'spec.source.persistentVolumeName'),
    textAt('Node', 'spec.nodeName'),
    booleanAt('Attached', 'status.attached'),
    aged,
  ],
  VolumeAttributesClass: [named, textAt('DriverName', 'driverName'), aged],
};

const storageOf = (resources: Fields = {}): string => String(resources['storage'] ?? '0');

function ifBound(tableColumn: TableColumn): TableColumn {
  return { ...tableColumn, cell: (object, now) => (readText(object, 'spec.volumeName') === '' ? '' : tableColumn.cell(object, now)) };
}

const accessModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Mirrors GetAccessModesAsString (pkg/apis/core/helper, 1.36). */
const printAccessModes = (modes: readonly string[]): string =>
  Object.entries(accessModes)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');

function isDefaultClass(object: Fields): boolean {
  const annotations = child(child(object, 'metadata'), 'annotations');
  return ['storageclass.kubernetes.io', 'storageclass.beta.kubernetes.io'].some(
    (domain) => annotations[`${domain}/is-default-class`] === 'true',
  );
}
