import { readFileSync } from 'node:fs';
import { createApiServer } from '@kube-endpoints/apiserver';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { runLine } from '../../../cli/test/fake-io.ts';
import type { Manifest } from '../../src/internal.ts';
import { mutatingWebhookConfiguration, readRuleFiles, webhookManifests } from '../../src/webhook/index.ts';
import { rbacManifests, workloadManifests } from '../../src/webhook/manifests.ts';

const names = { name: 'kube-endpoints-webhook', namespace: 'kube-endpoints' };
const manifests = webhookManifests({ ...names, ca: 'PEM', rules: { 'rules.yaml': 'rules: []\n' } });
/** The kinds that the embedded server supports. */
const servedKinds = ['Namespace', 'ServiceAccount', 'ConfigMap', 'Service', 'MutatingWebhookConfiguration'];
const manifestOf = (kind: string): Manifest => manifests.find((manifest) => manifest.kind === kind) as Manifest;

describe('webhookManifests', () => {
  it('returns manifests that an API server accepts', async () => {
    const server = await createApiServer();
    await server.load(manifests.filter(({ kind }) => servedKinds.includes(kind)) as unknown as readonly ApiObject[]);
    await server.close();
  });

  it('returns manifests that refer to each other by matching names and labels', () => {
    const labels = { 'app.kubernetes.io/name': names.name };
    const deployment = manifestOf('Deployment') as unknown as {
      spec: {
        template: {
          metadata: { labels: object };
          spec: {
            serviceAccountName: string;
            volumes: { configMap?: { name: string } }[];
            containers: { args: string[]; ports: { name: string }[] }[];
          };
        };
      };
    };
    expect(manifestOf('Service')).toMatchObject({ metadata: names, spec: { selector: labels, ports: [{ targetPort: 'https' }] } });
    expect(deployment.spec.template.metadata.labels).toEqual(labels);
    expect(deployment.spec.template.spec.serviceAccountName).toBe((manifestOf('ServiceAccount')['metadata'] as { name: string }).name);
    expect(deployment.spec.template.spec.volumes[0]?.configMap?.name).toBe((manifestOf('ConfigMap')['metadata'] as { name: string }).name);
    expect(deployment.spec.template.spec.containers[0]?.ports.map(({ name }) => name)).toEqual(['https', 'http']);
    expect(manifestOf('PodDisruptionBudget')).toMatchObject({ spec: { selector: { matchLabels: labels } } });
    expect(manifestOf('ClusterRoleBinding')).toMatchObject({ subjects: [names], roleRef: { name: names.name } });
    expect(manifests.at(-1)?.kind).toBe('MutatingWebhookConfiguration');
  });

  it('returns no ClusterRole without a cluster connection', () => {
    const kinds = webhookManifests({ ...names, connected: false, rules: {} }).map(({ kind }) => kind);
    expect(kinds).not.toContain('ClusterRole');
  });

  it('returns a Deployment whose flags the program accepts: it fails only because the rules file does not exist', async () => {
    const { args } = (manifestOf('Deployment') as unknown as { spec: { template: { spec: { containers: { args: string[] }[] } } } }).spec
      .template.spec.containers[0] as { args: string[] };
    expect(args[0]).toBe('webhook');
    const { code, stderr } = await runLine(args.join(' '));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: /etc/kube-endpoints/rules/rules.yaml: there is no such file or directory\n',
    });
  });
});

test('docs/deploy/webhook.yaml matches the output of the command in its head comment', async () => {
  const text = readFileSync('docs/deploy/webhook.yaml', 'utf8');
  const command = /^# kubectl-endpoints (.*(?:\n# {3,}.*)*)/m.exec(text)?.[1]?.replaceAll(/\s*\\?\n#\s*/g, ' ') ?? '';
  const { code, stdout, stderr } = await runLine(command);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const documents = (source: string): unknown[] => parseAllDocuments(source).map((document) => document.toJSON());
  expect(documents(text)).toEqual(documents(stdout));
  const rules = Object.entries(
    (parse(stdout.split('\n---\n').find((one) => one.includes('kind: ConfigMap')) ?? '') as { data: Record<string, string> }).data,
  );
  expect(readRuleFiles(rules.map(([name, source]) => ({ name, text: source }))).rules.length).toBeGreaterThan(0);
});

describe('mutatingWebhookConfiguration', () => {
  const [webhook] = (mutatingWebhookConfiguration({ ...names, ca: 'PEM' }) as unknown as { webhooks: Record<string, unknown>[] }).webhooks;

  it('covers writes of endpoints and ignores failures', () => {
    expect(webhook).toMatchObject({
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { ...names, path: '/mutate', port: 443 }, caBundle: 'UEVN' },
      sideEffects: 'None',
      failurePolicy: 'Ignore',
      timeoutSeconds: 5,
      reinvocationPolicy: 'IfNeeded',
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], resources: ['endpoints'], operations: ['CREATE', 'UPDATE'] },
        { apiGroups: ['discovery.k8s.io'], apiVersions: ['v1'], resources: ['endpointslices'], operations: ['CREATE', 'UPDATE'] },
      ],
    });
  });

  it('excludes the namespace of the webhook and the namespaces in excludeNamespaces', () => {
    const excludedNamespaces = (...excludeNamespaces: readonly string[]): unknown =>
      (
        mutatingWebhookConfiguration({ ...names, excludeNamespaces })['webhooks'] as {
          namespaceSelector: { matchExpressions: { values: unknown }[] };
        }[]
      )[0]?.namespaceSelector.matchExpressions[0]?.values;
    expect(excludedNamespaces()).toEqual(['kube-endpoints']);
    expect(excludedNamespaces('kube-system', 'kube-endpoints')).toEqual(['kube-endpoints', 'kube-system']);
  });
});

test('the ClusterRole grants exactly the permissions that the program uses', () => {
  const [role, binding] = rbacManifests({ name: 'hook', namespace: 'infra' });
  const rules = (role as unknown as { readonly rules: readonly Record<string, readonly string[]>[] }).rules;
  expect(rules.flatMap(({ resources = [], verbs = [] }) => resources.map((resource) => `${resource}: ${verbs.join(' ')}`))).toEqual([
    'services: get list watch patch',
    'pods: list watch',
    'endpoints: list watch patch',
    'endpointslices: list watch patch',
  ]);
  expect(binding).toMatchObject({ roleRef: { kind: 'ClusterRole', name: 'hook' }, subjects: [{ name: 'hook', namespace: 'infra' }] });
});

const commonOptions = { name: 'hook', namespace: 'infra', rules: { 'a.yaml': 'a', 'b.yaml': 'b' } };

type Deployment = {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[]; readonly image: string }[] } };
  };
};
const containerOf = (options: object = {}) =>
  (workloadManifests({ ...commonOptions, ...options }).find(({ kind }) => kind === 'Deployment') as unknown as Deployment).spec.template
    .spec.containers[0];

test('the Deployment passes rules, certificate and failure policy to the program', () => {
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

test('workloadManifests follows the options image, replicas and tlsSecret', () => {
  const manifests = workloadManifests({ ...commonOptions, image: 'hook:1', replicas: 5, tlsSecret: 'mine' });
  expect(manifests.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget']);
  expect(JSON.stringify(manifests)).toContain('{"name":"tls","secret":{"secretName":"mine"}}');
  expect(JSON.stringify(manifests)).toContain('"replicas":5');
  expect(containerOf({ image: 'hook:1' })?.image).toBe('hook:1');
});
