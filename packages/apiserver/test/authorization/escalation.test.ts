import { describe, expect, it } from 'vitest';
import { type AccessRule, findEscalation } from '../../src/authorization/index.ts';
import { alice, bindAlice, clusterRole, lookupIn } from './support.ts';

const podRule: AccessRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] };
const lookup = lookupIn({ roles: [clusterRole('read', podRule)], bindings: [bindAlice('read', 'default')] });

describe('findEscalation', () => {
  it('accepts rules that the user holds in the namespace', () => {
    expect(findEscalation(lookup, alice, 'default', [podRule, { ...podRule, resourceNames: ['web'] }])).toBeUndefined();
    expect(findEscalation(lookup, alice, 'default', [])).toBeUndefined();
  });

  it('lists the missing permissions, with the verbs of a resource in one line', () => {
    const rules: AccessRule[] = [
      { ...podRule, verbs: ['get', 'delete', 'watch'] },
      { verbs: ['get'], nonResourceURLs: ['/logs'] },
    ];
    expect(findEscalation(lookup, alice, 'default', rules)).toBe(
      [
        'user "alice" (groups=["dev"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "watch"]}',
        '{APIGroups:[""], Resources:["pods/log"], Verbs:["delete" "watch"]}',
        '{NonResourceURLs:["/logs"], Verbs:["get"]}',
      ].join('\n'),
    );
    expect(findEscalation(lookup, alice, undefined, [{ ...podRule, resources: ['pods'], resourceNames: ['web'] }])).toContain(
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["web"], Verbs:["get" "list"]}',
    );
  });

  it('names missing roles in the plural', () => {
    const broken = { ...lookupIn({ bindings: [bindAlice('gone')] }), usesPlural: true };
    expect(findEscalation(broken, alice, 'default', [podRule])).toMatch(
      /\n.*; resolution errors: \[clusterroles\.rbac\.authorization\.k8s\.io "gone" not found\]$/,
    );
  });

  it('refuses rules with more combinations than it can compare', () => {
    const many = Array.from({ length: 200 }, (_, i) => `a${i}`);
    expect(() =>
      findEscalation(lookup, alice, 'default', [{ verbs: many, apiGroups: many, resources: many, resourceNames: many }]),
    ).toThrow(/1600000000 combinations of verbs, resources and names: at most 1000000/);
  });
});
