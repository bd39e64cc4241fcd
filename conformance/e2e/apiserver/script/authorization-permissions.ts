import { apply, corePath, createNamespace, get, mergePatch, post, put, remove, type Topic, watch, withAccept } from '../compare/step.ts';
import { configMap, pod } from './objects.ts';
import {
  as,
  clusterRole,
  clusterRoleBinding,
  groupSubject,
  onceAllowed,
  onceForbidden,
  RBAC,
  role,
  roleBinding,
  rolePath,
  rule,
  userSubject,
} from './rbac-objects.ts';

const NAMESPACE = 'a-perm';
const configMaps = corePath(NAMESPACE, 'configmaps');
const pods = corePath(NAMESPACE, 'pods');

export const permissions: Topic = {
  name: 'permissions',
  steps: [
    createNamespace(NAMESPACE),
    createNamespace('a-other'),
    post(configMaps, configMap('one')),
    post(pods, pod('web')),
    // Denied requests of every kind.
    ...[
      get(pods),
      get(`${pods}/web`),
      get(`${pods}/web/log`),
      get('/api/v1/pods'),
      get('/api/v1/nodes'),
      get(`/api/v1/namespaces/${NAMESPACE}`),
      get('/api/v1/namespaces'),
      get('/apis/apps/v1/deployments'),
      get('/apis/nothing/v1/things'),
      get(`/api/v1/namespaces/${NAMESPACE}/nothing/a/b/c`),
      get('/apis/example.com/v1/namespaces/a/things/b'),
      get(`${pods}?fieldSelector=metadata.name%3Dweb`),
      get(`${pods}?watch=1`),
      get(`/api/v1/watch/namespaces/${NAMESPACE}/pods`),
      get(`${pods}?limit=nonsense`),
      post(pods, pod('two')),
      post(`${pods}/web/eviction`, {}),
      post(`${pods}/web/binding`, 'nonsense'),
      put(`${configMaps}/one`, configMap('one')),
      put(`/api/v1/namespaces/${NAMESPACE}/finalize`, {}),
      mergePatch(`${configMaps}/one`, {}),
      apply(`${configMaps}/one?fieldManager=m`, configMap('one')),
      remove(`${configMaps}/one`),
      remove(configMaps),
      { method: 'OPTIONS', path: pods },
      { method: 'HEAD', path: pods },
      { method: 'POST', path: '/healthz' },
      withAccept('application/yaml', get(pods)),
      withAccept('text/plain', get(pods)),
      get('/api/v1/namespaces/a%2Fb/pods/%3Cscript%3E'),
    ].map((step) => as('alice', step)),
    as(undefined, get(pods)),
    // Roles in a namespace.
    post(
      rolePath(NAMESPACE, 'roles'),
      role('edit', [rule(['get', 'list', 'create', 'update', 'patch'], ['configmaps']), rule(['get'], ['pods/log'])]),
    ),
    post(rolePath(NAMESPACE, 'rolebindings'), roleBinding('edit', 'edit', [groupSubject('dev')])),
    onceAllowed(as('alice', get(configMaps))),
    as('alice', get(`${configMaps}/one`)),
    as('alice', post(configMaps, configMap('two'))),
    as('alice', mergePatch(`${configMaps}/two`, { data: { a: 'b' } })),
    as('alice', apply(`${configMaps}/three?fieldManager=m`, configMap('three'))),
    as('alice', remove(`${configMaps}/two`)),
    as('alice', get(corePath('a-other', 'configmaps'))),
    as('alice', get('/api/v1/configmaps')),
    as('alice', get(`${pods}/web`)),
    as('bob', get(configMaps)),
    // An update that creates the object needs the verb create.
    post(
      rolePath(NAMESPACE, 'roles'),
      role('update', [rule(['get', 'update', 'patch'], ['configmaps', 'leases'], ['', 'coordination.k8s.io'])]),
    ),
    post(rolePath(NAMESPACE, 'rolebindings'), roleBinding('update', 'update', [userSubject('bob')])),
    onceAllowed(as('bob', get(`${configMaps}/one`))),
    as('bob', apply(`${configMaps}/four?fieldManager=m`, configMap('four'))),
    as('bob', put(`/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/a`, { metadata: { name: 'a' }, spec: {} })),
    as('bob', mergePatch(`${configMaps}/four`, {})),
    // Names: they restrict lists and watches that select one name.
    post(
      rolePath(NAMESPACE, 'roles'),
      role('one', [{ ...rule(['get', 'list', 'watch', 'delete', 'deletecollection'], ['secrets']), resourceNames: ['one'] }]),
    ),
    post(rolePath(NAMESPACE, 'rolebindings'), roleBinding('one', 'one', [userSubject('bob')])),
    onceAllowed(as('bob', get(`${corePath(NAMESPACE, 'secrets')}/one`))),
    as('bob', get(`${corePath(NAMESPACE, 'secrets')}?fieldSelector=metadata.name%3Done`)),
    as('bob', get(`${corePath(NAMESPACE, 'secrets')}?fieldSelector=metadata.name%3Dtwo`)),
    as('bob', get(`${corePath(NAMESPACE, 'secrets')}?fieldSelector=metadata.name!%3Done`)),
    as('bob', get(corePath(NAMESPACE, 'secrets'))),
    as('bob', remove(`${corePath(NAMESPACE, 'secrets')}?fieldSelector=metadata.name%3Done`)),
    as(
      'bob',
      watch(`${corePath(NAMESPACE, 'secrets')}?watch=1&fieldSelector=metadata.name%3Done`, { events: 1 }, [
        post(corePath(NAMESPACE, 'secrets'), { metadata: { name: 'one' } }),
      ]),
    ),
    as('bob', remove(`${corePath(NAMESPACE, 'secrets')}/one`)),
    // ClusterRoles: everywhere, and in one namespace; subresources of all resources; paths.
    post(
      `${RBAC}/clusterroles`,
      clusterRole('a-scale', [
        rule(['get', 'patch'], ['*/scale'], ['*']),
        rule(['get'], ['namespaces']),
        { verbs: ['get'], nonResourceURLs: ['/readyz/*'] },
      ]),
    ),
    post(`${RBAC}/clusterrolebindings`, clusterRoleBinding('a-scale', 'a-scale', [userSubject('carol')])),
    onceAllowed(as('carol', get('/readyz/ping'))),
    as('carol', get('/livez/ping')),
    as('carol', get(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/gone/scale`)),
    as('carol', get(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/gone`)),
    as('carol', get(`/api/v1/namespaces/${NAMESPACE}`)),
    post(
      rolePath(NAMESPACE, 'rolebindings'),
      roleBinding('view', 'system:aggregate-to-view', [userSubject('carol')], { kind: 'ClusterRole' }),
    ),
    onceAllowed(as('carol', get(pods))),
    as('carol', get(corePath('a-other', 'pods'))),
    as('carol', get(corePath(NAMESPACE, 'secrets'))),
    // Service accounts, of this and of another namespace.
    post(
      rolePath('a-other', 'rolebindings'),
      roleBinding('accounts', 'system:aggregate-to-view', [{ kind: 'ServiceAccount', name: 'cart' }], { kind: 'ClusterRole' }),
    ),
    onceAllowed(get(corePath('a-other', 'pods'), { headers: { 'impersonate-user': 'system:serviceaccount:a-other:cart' } })),
    get(corePath('a-other', 'pods'), { headers: { 'impersonate-user': `system:serviceaccount:${NAMESPACE}:cart` } }),
    get(pods, { headers: { 'impersonate-user': 'system:serviceaccount:a-other:cart' } }),
    // A binding of a missing role is a reason, which is reported with a denial.
    post(rolePath(NAMESPACE, 'rolebindings'), roleBinding('gone', 'gone', [userSubject('bob')])),
    { ...as('bob', get(corePath(NAMESPACE, 'services'))), until: ({ body }) => JSON.stringify(body).includes('RBAC: ') },
    post(`${RBAC}/clusterrolebindings`, clusterRoleBinding('a-gone', 'a-gone', [userSubject('bob')])),
    { ...as('bob', get(corePath(NAMESPACE, 'services'))), until: ({ body }) => JSON.stringify(body).includes('RBAC: [') },
    remove(`${RBAC}/clusterrolebindings/a-gone`),
    // Permissions end with their binding or role.
    remove(rolePath(NAMESPACE, 'rolebindings', '/edit')),
    onceForbidden(as('alice', get(configMaps))),
    remove(rolePath(NAMESPACE, 'roles', '/update')),
    onceForbidden(as('bob', get(`${configMaps}/one`, { view: () => undefined }))),
    remove(rolePath(NAMESPACE, 'rolebindings')),
    remove(rolePath('a-other', 'rolebindings')),
    remove(`${RBAC}/clusterrolebindings/a-scale`),
  ],
};
