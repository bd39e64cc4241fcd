import { expect, test } from 'vitest';
import { workload } from '../../../src/webhook/manifests/workload.ts';

const common = { name: 'hook', namespace: 'infra', rules: { 'a.yaml': 'a', 'b.yaml': 'b' } };

type Deployment = {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[]; readonly image: string }[] } };
  };
};
const containerOf = (more: object = {}) =>
  (workload({ ...common, ...more }).find(({ kind }) => kind === 'Deployment') as unknown as Deployment).spec.template.spec.containers[0];

test('the program is given its rules, its certificate and its policy', () => {
  expect(containerOf()?.args).toEqual([
    'webhook',
    '--rules=/etc/kube-endpoints/rules/a.yaml',
    '--rules=/etc/kube-endpoints/rules/b.yaml',
    '--cert=/etc/kube-endpoints/tls/tls.crt',
    '--key=/etc/kube-endpoints/tls/tls.key',
    '--port=8443',
    '--metrics-port=8080',
    '--failure-policy=allow',
    '--shutdown-delay=5s',
    '--log-format=json',
    '--in-cluster',
  ]);
  expect(containerOf({ failurePolicy: 'Fail', connected: false })?.args.slice(-3)).toEqual([
    '--failure-policy=deny',
    '--shutdown-delay=5s',
    '--log-format=json',
  ]);
});

test('what may be chosen is', () => {
  const all = workload({ ...common, image: 'hook:1', replicas: 5, tlsSecret: 'mine' });
  expect(all.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget']);
  expect(JSON.stringify(all)).toContain('{"name":"tls","secret":{"secretName":"mine"}}');
  expect(JSON.stringify(all)).toContain('"replicas":5');
  expect(containerOf({ image: 'hook:1' })?.image).toBe('hook:1');
});
