import { readFileSync } from 'node:fs';
import { createApiServer } from '@kube-endpoints/apiserver';
import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { runLine } from '../../../../cli/test/fake-io.ts';
import { type Manifest, readRuleFiles, webhookManifests } from '../../../src/webhook/index.ts';

const names = { name: 'kube-endpoints-webhook', namespace: 'kube-endpoints' };
const all = webhookManifests({ ...names, ca: 'PEM', rules: { 'rules.yaml': 'rules: []\n' } });
/** Of those that are printed, what the embedded server knows. */
const servedKinds = ['Namespace', 'ServiceAccount', 'ConfigMap', 'Service', 'MutatingWebhookConfiguration'];
const named = (kind: string): Manifest => all.find((one) => one.kind === kind) as Manifest;

describe('everything', () => {
  it('is taken by an API server', async () => {
    const server = await createApiServer();
    await server.load(all.filter(({ kind }) => servedKinds.includes(kind)) as unknown as readonly ApiObject[]);
    await server.close();
  });

  it('hangs together', () => {
    const labels = { 'app.kubernetes.io/name': names.name };
    const deployment = named('Deployment') as unknown as {
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
    expect(named('Service')).toMatchObject({ metadata: names, spec: { selector: labels, ports: [{ targetPort: 'https' }] } });
    expect(deployment.spec.template.metadata.labels).toEqual(labels);
    expect(deployment.spec.template.spec.serviceAccountName).toBe((named('ServiceAccount')['metadata'] as { name: string }).name);
    expect(deployment.spec.template.spec.volumes[0]?.configMap?.name).toBe((named('ConfigMap')['metadata'] as { name: string }).name);
    expect(deployment.spec.template.spec.containers[0]?.ports.map(({ name }) => name)).toEqual(['https', 'http']);
    expect(named('PodDisruptionBudget')).toMatchObject({ spec: { selector: { matchLabels: labels } } });
    expect(named('ClusterRoleBinding')).toMatchObject({ subjects: [names], roleRef: { name: names.name } });
    expect(all.at(-1)?.kind).toBe('MutatingWebhookConfiguration');
  });

  it('gives no rights where nothing is to be looked up', () => {
    const kinds = webhookManifests({ ...names, connected: false, rules: {} }).map(({ kind }) => kind);
    expect(kinds).not.toContain('ClusterRole');
  });

  it('starts the program with flags that it has', async () => {
    const { args } = (named('Deployment') as unknown as { spec: { template: { spec: { containers: { args: string[] }[] } } } }).spec
      .template.spec.containers[0] as { args: string[] };
    expect(args[0]).toBe('webhook');
    const { code, stderr } = await runLine(args.join(' '));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: /etc/kube-endpoints/rules/rules.yaml: there is no such file or directory\n',
    });
  });
});

test('docs/deploy/webhook.yaml is what the command prints', async () => {
  const text = readFileSync('docs/deploy/webhook.yaml', 'utf8');
  const command = /^# kube-endpoints (.*(?:\n# {3,}.*)*)/m.exec(text)?.[1]?.replaceAll(/\s*\\?\n#\s*/g, ' ') ?? '';
  const { code, stdout, stderr } = await runLine(command);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const documents = (source: string): unknown[] => parseAllDocuments(source).map((document) => document.toJSON());
  expect(documents(text)).toEqual(documents(stdout));
  const rules = Object.entries(
    (parse(stdout.split('\n---\n').find((one) => one.includes('kind: ConfigMap')) ?? '') as { data: Record<string, string> }).data,
  );
  expect(readRuleFiles(rules.map(([name, source]) => ({ name, text: source }))).rules.length).toBeGreaterThan(0);
});
