import { createNamespace, get, post, type Step, type Topic, withAccept } from '../compare/step.ts';
import { testUsers } from '../target/target.ts';
import { as, groupSubject, onceAllowed, role, roleBinding, rolePath, rule, userSubject } from './rbac-objects.ts';

const NAMESPACE = 'a-rev';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const bodyOf = (group: string, kind: string, spec: object, fields: object = {}): object => ({
  apiVersion: `${group}/v1`,
  kind,
  spec,
  ...fields,
});

const subjectReview = (spec: object, fields: object = {}): Step =>
  post(`${AUTHORIZATION}/subjectaccessreviews`, bodyOf('authorization.k8s.io', 'SubjectAccessReview', spec, fields));
const selfReview = (spec: object, fields: object = {}): Step =>
  post(`${AUTHORIZATION}/selfsubjectaccessreviews`, bodyOf('authorization.k8s.io', 'SelfSubjectAccessReview', spec, fields));
const localReview = (spec: object, namespace = NAMESPACE, fields: object = {}): Step =>
  post(
    `${AUTHORIZATION}/namespaces/${namespace}/localsubjectaccessreviews`,
    bodyOf('authorization.k8s.io', 'LocalSubjectAccessReview', spec, fields),
  );
const tokenReview = (spec: object, fields: object = {}): Step =>
  post(`${AUTHENTICATION}/tokenreviews`, bodyOf('authentication.k8s.io', 'TokenReview', spec, fields));

/** Sorts the rules, which the real server lists in random order. */
const viewRules = (body: unknown): unknown => {
  const { status, ...rest } = body as { status?: Record<string, unknown> };
  const sorted = Object.entries(status ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value,
  ]);
  return { ...rest, status: typeof status === 'object' ? Object.fromEntries(sorted) : status };
};
const rulesReview = (spec: object): Step =>
  post(`${AUTHORIZATION}/selfsubjectrulesreviews`, bodyOf('authorization.k8s.io', 'SelfSubjectRulesReview', spec), { view: viewRules });

const PODS = { verb: 'get', resource: 'pods', namespace: NAMESPACE };

const ATTRIBUTES: readonly object[] = [
  { resourceAttributes: PODS },
  { resourceAttributes: { ...PODS, verb: 'delete' } },
  { resourceAttributes: { ...PODS, subresource: 'log', name: 'web', version: 'v1', group: '' } },
  { resourceAttributes: { ...PODS, namespace: '' } },
  { resourceAttributes: { ...PODS, group: 'apps' } },
  { resourceAttributes: {} },
  { resourceAttributes: { verb: '*', resource: '*' } },
  { nonResourceAttributes: { path: '/apis', verb: 'get' } },
  { nonResourceAttributes: { path: '/metrics', verb: 'get' } },
  { nonResourceAttributes: {} },
  {},
  { resourceAttributes: PODS, nonResourceAttributes: { path: '/', verb: 'get' } },
  { resourceAttributes: 'nonsense' },
];

const SELECTORS: readonly object[] = [
  {},
  { rawSelector: 'a=b' },
  { rawSelector: 'nonsense,,' },
  { rawSelector: 'a in (b' },
  { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
  { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
  { requirements: [{ key: 'a', operator: 'In' }] },
  { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
  { requirements: [{ key: 'a', operator: 'Exists' }] },
  { requirements: [{ key: 'a', operator: 'New', values: ['b'] }] },
  {
    requirements: [
      { key: 'a', operator: 'In', values: ['b'] },
      { key: 'a', operator: 'NotIn', values: ['b', 'c'] },
    ],
  },
  { requirements: [{ key: '', operator: 'In', values: ['b'] }] },
  { requirements: [{ key: 'a', operator: 'NotIn', values: ['-'] }] },
];

export const reviews: Topic = {
  name: 'reviews',
  steps: [
    createNamespace(NAMESPACE),
    post(rolePath(NAMESPACE, 'roles'), role('r', [rule(['get', 'list'], ['pods', 'pods/log'])])),
    post(rolePath(NAMESPACE, 'rolebindings'), roleBinding('r', 'r', [groupSubject('readers'), userSubject('alice')])),
    onceAllowed(as('alice', get(`/api/v1/namespaces/${NAMESPACE}/pods`))),
    ...ATTRIBUTES.flatMap((spec) => [
      as('alice', selfReview(spec)),
      subjectReview({ ...spec, user: 'dave', groups: ['readers'] }),
      subjectReview({ ...spec, user: 'dave', uid: 'u', groups: ['others'], extra: { a: ['b'] } }),
      localReview({ ...spec, groups: ['readers'] }),
    ]),
    ...SELECTORS.flatMap((selector) => [
      selfReview({ resourceAttributes: { ...PODS, fieldSelector: selector } }),
      selfReview({ resourceAttributes: { ...PODS, labelSelector: selector } }),
    ]),
    subjectReview({ resourceAttributes: PODS }),
    subjectReview({ resourceAttributes: PODS, groups: [] }),
    subjectReview({ resourceAttributes: PODS, user: 'root', groups: ['system:masters'] }),
    subjectReview({ resourceAttributes: PODS, user: 'dave' }, { metadata: { name: 'a', labels: { b: 'c' } } }),
    selfReview({ resourceAttributes: PODS }, { metadata: { namespace: NAMESPACE } }),
    selfReview({ resourceAttributes: PODS }, { status: { allowed: false } }),
    selfReview({ resourceAttributes: PODS, unknown: 1 }),
    localReview({ resourceAttributes: { ...PODS, namespace: 'x' }, user: 'dave' }),
    localReview({ resourceAttributes: PODS, user: 'dave' }, 'a-gone'),
    localReview({ resourceAttributes: { ...PODS, namespace: 'a-gone' }, user: 'dave' }, 'a-gone'),
    localReview({ resourceAttributes: PODS, user: 'dave' }, NAMESPACE, { metadata: { name: 'a' } }),
    localReview({ resourceAttributes: PODS, user: 'dave' }, NAMESPACE, { metadata: { namespace: 'x' } }),
    as('bob', subjectReview({ resourceAttributes: PODS, user: 'bob' })),
    as('bob', localReview({ resourceAttributes: PODS, user: 'bob' })),
    rulesReview({ namespace: NAMESPACE }),
    rulesReview({ namespace: 'a-gone' }),
    rulesReview({}),
    as('alice', rulesReview({ namespace: NAMESPACE })),
    as('bob', rulesReview({ namespace: NAMESPACE })),
    ...[{}, { metadata: { name: 'a' } }, { status: { userInfo: { username: 'x' } } }, { spec: {} }].flatMap((fields) => {
      const step = post(`${AUTHENTICATION}/selfsubjectreviews`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'SelfSubjectReview',
        ...fields,
      });
      return [step, as('alice', step), as(undefined, step)];
    }),
    ...['wrong', testUsers[0]?.token].flatMap((token) =>
      [undefined, [], ['https://kubernetes.default.svc'], ['vault', 'https://kubernetes.default.svc'], ['vault']].map((audiences) =>
        tokenReview({ token, ...(audiences && { audiences }) }),
      ),
    ),
    tokenReview({}),
    tokenReview({ token: '' }),
    tokenReview({ token: 'wrong' }, { metadata: { name: 'a' }, status: { authenticated: true } }),
    as('alice', tokenReview({ token: 'wrong' })),
    // Other verbs, formats and options.
    get(`${AUTHENTICATION}/tokenreviews`),
    get(`${AUTHORIZATION}/subjectaccessreviews/a`),
    { method: 'DELETE', path: `${AUTHORIZATION}/subjectaccessreviews` },
    post(
      `${AUTHORIZATION}/localsubjectaccessreviews`,
      bodyOf('authorization.k8s.io', 'LocalSubjectAccessReview', { user: 'a', resourceAttributes: {} }),
    ),
    post(
      `${AUTHORIZATION}/selfsubjectaccessreviews?dryRun=All&fieldManager=m`,
      bodyOf('authorization.k8s.io', 'SelfSubjectAccessReview', { resourceAttributes: PODS }),
    ),
    post(
      `${AUTHORIZATION}/selfsubjectaccessreviews?fieldValidation=Strict`,
      bodyOf('authorization.k8s.io', 'SelfSubjectAccessReview', { resourceAttributes: PODS, x: 1 }),
    ),
    post(`${AUTHORIZATION}/selfsubjectaccessreviews`, bodyOf('authorization.k8s.io', 'SubjectAccessReview', { resourceAttributes: PODS })),
    post(`${AUTHORIZATION}/selfsubjectaccessreviews`, {}),
    withAccept('application/yaml', selfReview({ resourceAttributes: PODS })),
    withAccept('application/json;as=Table;v=v1;g=meta.k8s.io', selfReview({ resourceAttributes: PODS })),
    withAccept('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', selfReview({ resourceAttributes: PODS })),
    get(AUTHORIZATION),
    get(AUTHENTICATION),
    get('/apis/authorization.k8s.io'),
  ],
};
