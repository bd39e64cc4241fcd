import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutatingWebhookConfiguration } from '@kube-endpoints/overrides/webhook';
import { describe, expect, it, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { runLine } from '../fake-io.ts';

const folder = makeFolder();
const plainRules = 'rules: [{name: out, addresses: {ranges: [10.0.0.2]}, action: {keepOut: {as: absent}}}]\n';

const writeTestFile = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('webhook manifest', () => {
  const parseDocuments = (text: string): readonly Readonly<Record<string, unknown>>[] =>
    parseAllDocuments(text).map((document) => document.toJSON());

  it('prints the MutatingWebhookConfiguration', async () => {
    const { code, stdout } = await runLine(
      `webhook manifest --service hook -n infra --self-signed ${join(folder, 'certificates')} --failure-policy deny --timeout 3s --exclude-namespace kube-system --reinvocation-policy Never`,
    );
    expect(code).toBe(0);
    expect(parseDocuments(stdout)).toEqual([
      mutatingWebhookConfiguration({
        name: 'hook',
        namespace: 'infra',
        ca: readFileSync(join(folder, 'certificates', 'ca.crt'), 'utf8'),
        failurePolicy: 'Fail',
        timeoutSeconds: 3,
        reinvocationPolicy: 'Never',
        excludeNamespaces: ['kube-system'],
      }),
    ]);
  });

  it('prints all manifests as YAML or JSON', async () => {
    const line = `webhook manifest --service hook --all --inject-ca-from infra/hook --rules ${writeTestFile('rules.yaml', plainRules)}`;
    const yaml = parseDocuments((await runLine(line)).stdout);
    expect(yaml.map(({ kind }) => kind)).toEqual([
      'Namespace',
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'ConfigMap',
      'Service',
      'Deployment',
      'PodDisruptionBudget',
      'MutatingWebhookConfiguration',
    ]);
    expect(yaml[4]).toMatchObject({ data: { 'rules.yaml': plainRules } });
    expect((JSON.parse((await runLine(`${line} -o json`)).stdout) as { items: unknown }).items).toEqual(yaml);
  });

  test.each([
    ['--ca none.crt', /none\.crt: there is no such file/],
    [`--ca ${writeTestFile('empty.crt', '')}`, /it holds no certificate/],
    [`--inject-ca-from a/b --all --rules ${writeTestFile('worse.yaml', 'rules: 7')}`, /worse\.yaml:1/],
  ])('reports the invalid file of %s with exit code 2', async (flags, message) => {
    const { code, stderr } = await runLine(`webhook manifest --service hook ${flags}`);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
