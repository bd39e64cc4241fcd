import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createParamsCheck } from '../../src/authorization/index.ts';
import type { AdmissionRequest } from '../../src/registry/index.ts';
import { createStore } from '../../src/store/index.ts';

const group = 'admissionregistration.k8s.io';
const resources = [
  { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
  { group, version: 'v1', plural: 'validatingadmissionpolicies', kind: 'ValidatingAdmissionPolicy', namespaced: false },
  { group, version: 'v1', plural: 'validatingadmissionpolicybindings', kind: 'ValidatingAdmissionPolicyBinding', namespaced: false },
] as const;
const [, policies, bindings] = resources;
const jane = { username: 'jane', uid: '7', groups: ['dev', 'system:authenticated'], extra: { b: ['c'], a: ['d', 'e'] } };
const shownJane = '&{jane 7 [dev system:authenticated] map[a:[d e] b:[c]]}';
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Returns the message of the refusal, and what the authorizer was asked. */
function check(kind: 'policy' | 'binding', spec: object, request: Partial<AdmissionRequest> = {}, isAllowed = false) {
  const store = createStore();
  store.create(policies, { name: 'p' }, { metadata: { name: 'p' }, spec: { paramKind } } as unknown as ApiObject);
  store.create(policies, { name: 'unknown' }, {
    metadata: { name: 'unknown' },
    spec: { paramKind: { apiVersion: 'a/v1', kind: 'X' } },
  } as unknown as ApiObject);
  const asked: unknown[] = [];
  const authorizer = {
    authorize({ user: _, ...attributes }: object & { readonly user: object }) {
      asked.push(attributes);
      return { isAllowed, reason: '' };
    },
    listRules: () => ({ rules: [], isIncomplete: false, problem: '' }),
  };
  const { validate } = createParamsCheck(authorizer, () => ({ resources, store }));
  const object = { metadata: { name: 'x' }, spec } as unknown as ApiObject;
  const resource = kind === 'policy' ? policies : bindings;
  try {
    validate({ operation: 'CREATE', resource, key: { name: 'x' }, object, dryRun: false, user: jane, options: {}, ...request });
    return { asked };
  } catch (error) {
    return { message: (error as Error).message, asked };
  }
}

describe('the check of params', () => {
  it('requires permission to get all objects of a paramKind', () => {
    expect(check('policy', { paramKind })).toStrictEqual({
      message:
        `ValidatingAdmissionPolicy.${group} "x" is invalid: spec.paramKind: Forbidden: user ${shownJane} must have "get" permission on all ` +
        'objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)',
      asked: [{ group: '', version: 'v1', resource: 'configmaps', verb: 'get', name: '*', namespace: '*' }],
    });
    expect(check('policy', { paramKind: { apiVersion: 'a/v1', kind: 'X' } }, {}, true)).toStrictEqual({
      asked: [{ group: 'a', version: 'v1', resource: '*', verb: 'get', name: '*', namespace: '*' }],
    });
  });

  it.each([
    ['a paramKind is missing', 'policy', {}, {}],
    ['the paramKind is unchanged', 'policy', { paramKind }, { operation: 'UPDATE', old: { metadata: {}, spec: { paramKind } } }],
    ['the user may do everything', 'policy', { paramKind }, { user: { username: 'root', groups: ['system:masters'] } }],
    ['a paramRef is missing', 'binding', { policyName: 'p' }, {}],
    ['the status is written', 'policy', { paramKind }, { subresource: 'status' }],
  ] as const)('asks nothing if %s', (_, kind, spec, request) => {
    expect(check(kind, spec, request as unknown as Partial<AdmissionRequest>)).toStrictEqual({ asked: [] });
  });

  it.each([
    ['p', `user ${shownJane} does not have "get" permission on the object referenced by paramRef`, ['', 'v1', 'configmaps']],
    [
      'gone',
      `unable to get policy gone to determine minimum required permissions and user ${shownJane} does not have "get" permission for all ` +
        'groups, versions and resources',
      ['*', '*', '*'],
    ],
    [
      'unknown',
      `unable to resolve paramKind &{a/v1 X} to determine minimum required permissions and user ${shownJane} does not have "get" permission ` +
        'for all groups, versions and resources',
      ['a', 'v1', '*'],
    ],
  ])('requires permission for the params of a binding to the policy %s', (policyName, problem, [paramGroup, version, resource]) => {
    expect(check('binding', { policyName, paramRef: { name: 'n', namespace: 'ns' } })).toStrictEqual({
      message: `ValidatingAdmissionPolicyBinding.${group} "x" is invalid: spec.paramRef: Forbidden: ${problem}`,
      asked: [{ group: paramGroup, version, resource, verb: 'get', name: 'n', namespace: 'ns' }],
    });
  });

  it('requires permission to list params that are selected', () => {
    expect(check('binding', { policyName: 'p', paramRef: { selector: {} } }, {}, true).asked).toStrictEqual([
      { group: '', version: 'v1', resource: 'configmaps', verb: 'list', name: '' },
    ]);
  });
});
