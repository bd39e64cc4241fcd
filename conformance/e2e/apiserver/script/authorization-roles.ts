import {
  apply,
  createNamespace,
  editedAnswer,
  get,
  mergePatch,
  post,
  put,
  remove,
  type Step,
  type Topic,
  withAccept,
} from '../compare/step.ts';
import { clusterRole, clusterRoleBinding, groupSubject, RBAC, role, roleBinding, rolePath, rule, userSubject } from './rbac-objects.ts';

const NAMESPACE = 'a-roles';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io;includeObject=None';
const account = (fields: object): object => ({ kind: 'ServiceAccount', name: 'cart', ...fields });
const rolesPath = rolePath(NAMESPACE, 'roles');
const bindings = rolePath(NAMESPACE, 'rolebindings');

const INVALID_RULES: readonly object[] = [
  {},
  { verbs: [] },
  { verbs: ['get'] },
  { verbs: ['get'], apiGroups: [''] },
  { verbs: ['get'], resources: ['pods'] },
  { verbs: ['get'], nonResourceURLs: ['/a'] },
  { verbs: ['get'], nonResourceURLs: ['/a'], resources: ['pods'] },
  { verbs: ['get'], apiGroups: [''], resources: ['pods'], unknown: 1 },
];

const INVALID_AGGREGATIONS: readonly object[] = [
  {},
  { clusterRoleSelectors: [] },
  { clusterRoleSelectors: [{ matchLabels: { a: '-' } }] },
  { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Maybe' }] }] },
  { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] },
];

const INVALID_SUBJECTS: readonly object[] = [
  { kind: 'User' },
  { kind: 'User', name: 'a', apiGroup: 'x' },
  { kind: 'Group', name: '' },
  { kind: 'ServiceAccount', name: 'A' },
  { kind: 'ServiceAccount', name: 'a', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'ServiceAccount', name: 'a', namespace: 'b' },
  { kind: 'Robot', name: 'a' },
  { name: 'a' },
];

const INVALID_REFERENCES: readonly object[] = [
  {},
  { kind: 'Role', name: 'a' },
  { apiGroup: 'x', kind: 'ClusterRole', name: 'a' },
  { apiGroup: 'rbac.authorization.k8s.io', kind: 'Pod', name: 'a' },
  { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a/b' },
  { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '..' },
];

const refusals: readonly Step[] = [
  ...INVALID_RULES.flatMap((each) => [
    post(rolesPath, role('refused', [each])),
    post(`${RBAC}/clusterroles?dryRun=All`, clusterRole('refused', [each])),
  ]),
  ...INVALID_AGGREGATIONS.map((aggregationRule) => post(`${RBAC}/clusterroles`, clusterRole('refused', [], { aggregationRule }))),
  ...INVALID_SUBJECTS.flatMap((subject) => [
    post(`${bindings}?dryRun=All`, roleBinding('refused', 'a', [subject])),
    post(`${RBAC}/clusterrolebindings?dryRun=All`, clusterRoleBinding('refused', 'a', [subject])),
  ]),
  ...INVALID_REFERENCES.flatMap((roleRef) => [
    post(`${bindings}?dryRun=All`, roleBinding('refused', 'a', [], { roleRef })),
    post(`${RBAC}/clusterrolebindings?dryRun=All`, clusterRoleBinding('refused', 'a', [], { roleRef })),
  ]),
  post(rolesPath, role('a/b', [])),
  post(rolesPath, role('%', [])),
  post(rolesPath, role('..', [])),
  post(`${rolePath('a-gone', 'roles')}`, role('a', [])),
];

export const roles: Topic = {
  name: 'roles and bindings',
  steps: [
    createNamespace(NAMESPACE),
    ...refusals,
    // Names that other kinds do not allow, defaults, and empty fields.
    post(rolesPath, role('With:Colons And Spaces', [rule(['get'], ['pods'])])),
    get(`${rolesPath}/With:Colons%20And%20Spaces`),
    post(rolesPath, role('empty', [])),
    post(rolesPath, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'bare' } }),
    post(
      `${RBAC}/clusterroles`,
      clusterRole('a-one', [rule(['get'], ['pods', 'pods/log']), { verbs: ['get'], nonResourceURLs: ['/a/*'] }]),
    ),
    post(
      bindings,
      roleBinding('defaults', 'empty', [{ kind: 'User', name: 'u' }, { kind: 'Group', name: 'g' }, account({})], {
        roleRef: { kind: 'Role', name: 'empty' },
      }),
      {
        saveAs: 'defaults',
      },
    ),
    post(bindings, roleBinding('none', 'gone', [])),
    post(
      `${RBAC}/clusterrolebindings`,
      clusterRoleBinding('a-one', 'a-one', [userSubject('u'), groupSubject('g'), account({ namespace: NAMESPACE })]),
    ),
    ...[rolesPath, bindings].flatMap((path) => [get(path), withAccept(TABLE, get(path))]),
    withAccept(TABLE, get(`${RBAC}/clusterrolebindings/a-one`)),
    withAccept(TABLE, get(`${RBAC}/clusterroles/a-one`)),
    // Updates: the role of a binding never changes.
    put(`${bindings}/defaults`, editedAnswer('defaults', { subjects: [userSubject('v')] })),
    put(`${bindings}/defaults`, editedAnswer('defaults', { metadata: { resourceVersion: null }, roleRef: { name: 'other' } })),
    mergePatch(`${bindings}/defaults`, { roleRef: { kind: 'ClusterRole' } }),
    mergePatch(`${rolesPath}/empty`, { rules: [rule(['get'], ['secrets'])] }),
    mergePatch(`${rolesPath}/empty`, { rules: null }),
    put(`${rolesPath}/created-by-put`, role('created-by-put', [rule(['get'], ['secrets'])])),
    put(`${bindings}/created-by-put`, roleBinding('created-by-put', 'created-by-put', [userSubject('u')])),
    apply(`${rolesPath}/applied?fieldManager=m`, role('applied', [rule(['get'], ['secrets'])])),
    apply(`${rolesPath}/applied?fieldManager=n`, role('applied', [rule(['list'], ['secrets'])])),
    apply(`${rolesPath}/applied?fieldManager=n&force=true`, role('applied', [rule(['list'], ['secrets'])])),
    apply(`${bindings}/applied?fieldManager=m`, roleBinding('applied', 'applied', [userSubject('u')])),
    get(`${rolesPath}?labelSelector=a%3Db`),
    get(`${rolesPath}?fieldSelector=metadata.name%3Dapplied`),
    get(`${rolesPath}?fieldSelector=rules%3Dapplied`),
    remove(`${rolesPath}/applied`),
    remove(`${bindings}`),
    remove(`${RBAC}/clusterroles/a-one`),
  ],
};
