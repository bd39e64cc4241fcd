import { expect, test } from 'vitest';
import { defaultPod, defaultVolume } from '../../../../src/resources/pods/defaults/pod.ts';

const defaulted = (spec: object, rest: object = {}): Record<string, Record<string, unknown>> => {
  const draft = { spec: structuredClone(spec), ...structuredClone(rest) };
  defaultPod(draft);
  return draft as never;
};

test('says how it is to run', () => {
  expect(defaulted({})['spec']).toEqual({
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
  });
});

test('asks for as much as it is limited to', () => {
  const { spec } = defaulted({ containers: [{ resources: { limits: { cpu: '1', memory: '2' }, requests: { cpu: '0.5' } } }] });
  expect(spec).toMatchObject({ containers: [{ resources: { requests: { cpu: '0.5', memory: '2' } } }] });
});

test("uses the node's ports on the node's network", () => {
  const { spec } = defaulted({ hostNetwork: true, containers: [{ ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 5 }] }] });
  expect(spec).toMatchObject({ containers: [{ ports: [{ hostPort: 80 }, { hostPort: 5 }] }] });
});

test('keeps fields that have two names in line', () => {
  expect(defaulted({ serviceAccount: 'a' })['spec']).toMatchObject({ serviceAccount: 'a', serviceAccountName: 'a' });
  expect(defaulted({ serviceAccount: 'a', serviceAccountName: 'b' })['spec']).toMatchObject({ serviceAccount: 'b' });
  expect(defaulted({}, { status: { podIP: '1' } })['status']).toEqual({ podIP: '1', podIPs: [{ ip: '1' }] });
  expect(defaulted({}, { status: { podIPs: [{ ip: '1' }] } })['status']).toMatchObject({ podIP: '1' });
});

test('takes no time that is negative, and annotations that are gone for nothing', () => {
  expect(defaulted({ terminationGracePeriodSeconds: -3 })['spec']).toMatchObject({ terminationGracePeriodSeconds: 1 });
  const annotations = { 'pod.beta.kubernetes.io/init-containers': '[]', kept: '' };
  expect(defaulted({}, { metadata: { annotations } })['metadata']).toEqual({ annotations: { kept: '' } });
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
])('%j', (volume, expected) => {
  const draft = { name: 'a', ...structuredClone(volume) };
  defaultVolume(draft);
  expect(draft).toEqual({ name: 'a', ...expected });
});
