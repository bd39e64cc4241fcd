import { corePath, createNamespace, get, post, type Step, type Topic } from '../compare/step.ts';
import { configMap } from './objects.ts';
import { as, clusterRole, clusterRoleBinding, onceAllowed, RBAC, rule, type TestUser, userSubject } from './rbac-objects.ts';

const NAMESPACE = 'a-imp';
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const who = (headers: Readonly<Record<string, string>>): Step =>
  post(WHO, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }, { headers: { ...headers } });

const ACCOUNT = `system:serviceaccount:${NAMESPACE}:cart`;

/** Identities without repeated headers, which the real server reads in random order. */
const IDENTITIES: readonly Readonly<Record<string, string>>[] = [
  { 'impersonate-user': 'dave' },
  { 'impersonate-user': 'dave', 'impersonate-group': 'dev' },
  { 'impersonate-user': 'dave', 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'dave', 'impersonate-uid': 'u1' },
  { 'impersonate-user': 'dave', 'impersonate-extra-example.com%2fteam': 'blue' },
  { 'impersonate-user': 'dave', 'impersonate-extra-Team': 'blue' },
  { 'impersonate-user': 'system:anonymous' },
  { 'impersonate-user': 'dave', 'impersonate-group': 'system:unauthenticated' },
  { 'impersonate-user': ACCOUNT },
  { 'impersonate-user': ACCOUNT, 'impersonate-group': 'dev' },
  { 'impersonate-user': 'system:serviceaccount:A:b' },
  { 'impersonate-user': 'system:node:n1' },
  { 'impersonate-user': 'system:node:N1' },
  { 'impersonate-user': '' },
  { 'impersonate-group': 'dev' },
  { 'impersonate-uid': 'u1' },
  { 'impersonate-extra-team': 'blue' },
  { 'impersonate-user': '', 'impersonate-group': 'dev' },
];

const asEach = (user: TestUser | undefined): readonly Step[] =>
  IDENTITIES.map((headers) => (user === undefined ? who(headers) : as(user, who(headers))));

export const impersonation: Topic = {
  name: 'impersonation',
  steps: [
    createNamespace(NAMESPACE),
    ...asEach(undefined),
    ...asEach('bob'),
    // Alice may impersonate with the verb "impersonate", for all requests.
    post(
      `${RBAC}/clusterroles`,
      clusterRole('i-legacy', [
        { ...rule(['impersonate'], ['users']), resourceNames: ['dave', 'system:anonymous'] },
        rule(['impersonate'], ['groups', 'serviceaccounts']),
        rule(['impersonate'], ['uids', 'userextras/example.com/team'], ['authentication.k8s.io']),
      ]),
    ),
    post(`${RBAC}/clusterrolebindings`, clusterRoleBinding('i-legacy', 'i-legacy', [userSubject('alice')])),
    onceAllowed(as('alice', who({ 'impersonate-user': 'dave' }))),
    ...asEach('alice'),
    as('alice', get(corePath(NAMESPACE, 'configmaps'), { headers: { 'impersonate-user': 'dave' } })),
    as(
      'alice',
      get(corePath(NAMESPACE, 'configmaps'), { headers: { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' } }),
    ),
    as('alice', get(corePath(NAMESPACE, 'configmaps'), { headers: { 'impersonate-user': 'dave', 'impersonate-group': 'system:masters' } })),
    as('alice', post(corePath(NAMESPACE, 'configmaps'), configMap('a'), { headers: { 'impersonate-user': 'dave' } })),
    as('alice', get('/metrics', { headers: { 'impersonate-user': 'dave' } })),
    // Carol may send certain requests as other users, as a node and as service accounts.
    post(
      `${RBAC}/clusterroles`,
      clusterRole('i-limited', [
        rule(['impersonate:user-info'], ['users', 'groups', 'uids', 'userextras/example.com/team'], ['authentication.k8s.io']),
        rule(['impersonate:arbitrary-node', 'impersonate:serviceaccount'], ['nodes', 'serviceaccounts'], ['authentication.k8s.io']),
        rule(
          ['impersonate-on:user-info:create', 'impersonate-on:arbitrary-node:create', 'impersonate-on:serviceaccount:create'],
          ['selfsubjectreviews'],
          ['authentication.k8s.io'],
        ),
      ]),
    ),
    post(`${RBAC}/clusterrolebindings`, clusterRoleBinding('i-limited', 'i-limited', [userSubject('carol')])),
    onceAllowed(as('carol', who({ 'impersonate-user': 'erin' }))),
    ...asEach('carol'),
    as('carol', get(corePath(NAMESPACE, 'configmaps'), { headers: { 'impersonate-user': 'dave' } })),
    as('carol', get('/metrics', { headers: { 'impersonate-user': 'dave' } })),
  ],
};
