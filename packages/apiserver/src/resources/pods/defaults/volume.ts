import { child, type Draft, draftOf, draftsOf, has, text } from '../../field/read.ts';
import { defaultFieldRef } from './container.ts';
import { pullPolicyOf } from './image.ts';

/** rw-r--r--, for files that come out of objects. */
const readable = 0o644;
const hour = 3600;

/** What is filled in by the kind of a volume. Mirrors SetDefaults_…VolumeSource (pkg/apis/core/v1, 1.36). */
const byKind: Readonly<Record<string, (source: Draft) => void>> = {
  secret: withMode,
  configMap: withMode,
  downwardAPI(source) {
    withMode(source);
    for (const item of draftsOf(source, 'items')) defaultFieldRef(item);
  },
  projected(source) {
    withMode(source);
    for (const each of draftsOf(source, 'sources')) defaultProjection(each);
  },
  hostPath: (source) => fill(source, { type: '' }),
  iscsi: (source) => fill(source, { iscsiInterface: 'default' }),
  rbd: (source) => fill(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  azureDisk: (source) => fill(source, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' }),
  scaleIO: (source) => fill(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  ephemeral(source) {
    if (has(source, 'volumeClaimTemplate')) fill(draftOf(draftOf(source, 'volumeClaimTemplate'), 'spec'), { volumeMode: 'Filesystem' });
  },
  image(source) {
    if (text(source, 'pullPolicy') === '') source['pullPolicy'] = pullPolicyOf(text(source, 'reference'));
  },
};

export function defaultVolume(volume: Draft): void {
  const kinds = Object.keys(volume).filter((name) => name !== 'name');
  if (kinds.length === 0) volume['emptyDir'] = {};
  for (const kind of kinds) byKind[kind]?.(child(volume, kind) as Draft);
}

function withMode(source: Draft): void {
  fill(source, { defaultMode: readable });
}

function defaultProjection(source: Draft): void {
  for (const item of draftsOf(child(source, 'downwardAPI') as Draft, 'items')) defaultFieldRef(item);
  if (has(source, 'serviceAccountToken')) fill(draftOf(source, 'serviceAccountToken'), { expirationSeconds: hour });
}

function fill(draft: Draft, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) if (!has(draft, name)) draft[name] = value;
}
