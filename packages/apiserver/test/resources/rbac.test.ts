import { describe, expect, it } from 'vitest';
import { type Causes, collectCauses } from '../../src/resources/field/causes.ts';
import type { Fields } from '../../src/resources/field/read.ts';
import { builtInDescriptions } from '../../src/resources/index.ts';

function problemsOf(kind: string, object: Fields, old?: Fields): readonly string[] {
  const description = builtInDescriptions().find(({ resource }) => resource.kind === kind);
  if (!description) throw new Error(`no ${kind}`);
  const isNamespaced = description.resource.namespaced;
  const metadata = { name: 'a', ...(isNamespaced && { namespace: 'b' }) };
  const causes: Causes = collectCauses();
  if (old) description.strategy.validateUpdate({ metadata, ...object }, { metadata, ...old }, causes);
  else description.strategy.validate({ metadata, ...object }, causes);
  return causes.list.map(({ field, message }) => `${field}: ${message}`);
}

const group = 'rbac.authorization.k8s.io';
const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'r' };

describe('roles', () => {
  it('need verbs, groups and resources, or verbs and paths', () => {
    expect(problemsOf('Role', { rules: [{}, { verbs: ['get'], nonResourceURLs: ['/a'], resources: ['b'] }] })).toStrictEqual([
      'rules[0].verbs: Required value: verbs must contain at least one value',
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[0].resources: Required value: resource rules must supply at least one resource',
      'rules[1].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
      'rules[1].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
    ]);
    expect(problemsOf('ClusterRole', { rules: [{ verbs: ['get'], nonResourceURLs: ['/a'] }] })).toStrictEqual([]);
  });

  it('aggregate by valid selectors', () => {
    const field = 'aggregationRule.clusterRoleSelectors';
    expect(problemsOf('ClusterRole', { aggregationRule: {} })).toStrictEqual([
      `${field}: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil`,
    ]);
    const clusterRoleSelectors = [{ matchLabels: { a: 'b' } }, { matchLabels: { a: '-' } }];
    expect(problemsOf('ClusterRole', { aggregationRule: { clusterRoleSelectors } })).toEqual([
      expect.stringMatching(`^${field.replace('.', '\\.')}\\[1\\]\\.matchLabels: Invalid value: "-"`),
    ]);
  });
});

describe('bindings', () => {
  it('refer to a role of a kind that is allowed in their scope', () => {
    expect(problemsOf('RoleBinding', { roleRef: { ...roleRef, kind: 'Role' } })).toStrictEqual([]);
    expect(problemsOf('ClusterRoleBinding', { roleRef: { apiGroup: 'x', kind: 'Role', name: 'a/b' } })).toStrictEqual([
      `roleRef.apiGroup: Unsupported value: "x": supported values: "${group}"`,
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      `roleRef.name: Invalid value: "a/b": may not contain '/'`,
    ]);
  });

  it('have users, groups and service accounts as subjects', () => {
    const subjects = [
      { kind: 'User', name: '' },
      { kind: 'ServiceAccount', name: 'A', apiGroup: 'x' },
      { kind: 'Robot', name: 'r' },
    ];
    expect(problemsOf('ClusterRoleBinding', { roleRef, subjects })).toStrictEqual([
      'subjects[0].name: Required value',
      `subjects[0].apiGroup: Unsupported value: "": supported values: "${group}"`,
      expect.stringMatching(/^subjects\[1\]\.name: Invalid value: "A": a lowercase RFC 1123 subdomain/),
      'subjects[1].apiGroup: Unsupported value: "x": supported values: ""',
      'subjects[1].namespace: Required value',
      'subjects[2].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ]);
    expect(problemsOf('RoleBinding', { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'a' }] })).toStrictEqual([]);
  });

  it('keep their role', () => {
    expect(problemsOf('RoleBinding', { roleRef: { ...roleRef, name: 's' } }, { roleRef })).toContain(
      `roleRef: Invalid value: {"APIGroup":"${group}","Kind":"ClusterRole","Name":"s"}: cannot change roleRef`,
    );
  });
});
