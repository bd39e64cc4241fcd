import { expect, test } from 'vitest';
import { defaultPod, defaultVolume } from '../../../../src/resources/pods/defaults/pod.ts';

const withDefaults = (spec: object, fields: object = {}): Record<string, Record<string, unknown>> => {
  const draft = { spec: structuredClone(spec), ...structuredClone(fields) };
  defaultPod(draft);
  return draft as never;
};

test('defaultPod sets the defaults of the spec', () => {
  expect(withDefaults({})['spec']).toEqual({
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
  });
});

test('requests default to limits', () => {
  const { spec } = withDefaults({ containers: [{ resources: { limits: { cpu: '1', memory: '2' }, requests: { cpu: '0.5' } } }] });
  expect(spec).toMatchObject({ containers: [{ resources: { requests: { cpu: '0.5', memory: '2' } } }] });
});

test('host ports default to container ports with hostNetwork', () => {
  const { spec } = withDefaults({
    hostNetwork: true,
    containers: [{ ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 5 }] }],
  });
  expect(spec).toMatchObject({ containers: [{ ports: [{ hostPort: 80 }, { hostPort: 5 }] }] });
});

test('fields with two names are kept equal', () => {
  expect(withDefaults({ serviceAccount: 'a' })['spec']).toMatchObject({ serviceAccount: 'a', serviceAccountName: 'a' });
  expect(withDefaults({ serviceAccount: 'a', serviceAccountName: 'b' })['spec']).toMatchObject({ serviceAccount: 'b' });
  expect(withDefaults({}, { status: { podIP: '1' } })['status']).toEqual({ podIP: '1', podIPs: [{ ip: '1' }] });
  expect(withDefaults({}, { status: { podIPs: [{ ip: '1' }] } })['status']).toMatchObject({ podIP: '1' });
});

test('a negative grace period becomes one second, and obsolete annotations are dropped', () => {
  expect(withDefaults({ terminationGracePeriodSeconds: -3 })['spec']).toMatchObject({ terminationGracePeriodSeconds: 1 });
  const annotations = { 'pod.beta.kubernetes.io/init-containers': '[]', kept: '' };
  expect(withDefaults({}, { metadata: { annotations } })['metadata']).toEqual({ annotations: { kept: '' } });
});

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
])('defaultVolume sets the defaults of %j', (volume, expected) => {
  const draft = { name: 'a', ...structuredClone(volume) };
  defaultVolume(draft);
  expect(draft).toEqual({ name: 'a', ...expected });
});
