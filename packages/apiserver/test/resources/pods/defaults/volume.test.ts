import { expect, test } from 'vitest';
import { defaultVolume } from '../../../../src/resources/pods/defaults/volume.ts';

test.each([
  [{}, { emptyDir: {} }],
  [{ secret: {} }, { secret: { defaultMode: 420 } }],
  [{ configMap: { defaultMode: 0 } }, { configMap: { defaultMode: 0 } }],
  [{ hostPath: { path: '/a' } }, { hostPath: { path: '/a', type: '' } }],
  [{ downwardAPI: { items: [{ fieldRef: {} }] } }, { downwardAPI: { defaultMode: 420, items: [{ fieldRef: { apiVersion: 'v1' } }] } }],
  [
    { projected: { sources: [{ serviceAccountToken: {} }, { downwardAPI: { items: [{ fieldRef: {} }] } }] } },
    {
      projected: {
        defaultMode: 420,
        sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }, { downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1' } }] } }],
      },
    },
  ],
  [{ image: { reference: 'web' } }, { image: { reference: 'web', pullPolicy: 'Always' } }],
  [{ ephemeral: { volumeClaimTemplate: {} } }, { ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } }],
  [{ rbd: {} }, { rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }],
  [{ csi: {} }, { csi: {} }],
])('%j', (volume, expected) => {
  const draft = { name: 'a', ...structuredClone(volume) };
  defaultVolume(draft);
  expect(draft).toEqual({ name: 'a', ...expected });
});
