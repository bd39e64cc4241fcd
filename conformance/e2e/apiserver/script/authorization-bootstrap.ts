import { get, type Topic, withAccept } from '../compare/step.ts';
import { as, RBAC } from './rbac-objects.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const lists = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map((plural) => `${RBAC}/${plural}`);

export const bootstrapRoles: Topic = {
  name: 'roles of a new cluster',
  steps: [
    ...lists.map((path) => get(path)),
    ...lists.map((path) => withAccept(TABLE, get(`${path}?limit=20`))),
    get(`${RBAC}/clusterroles/admin`),
    get(`${RBAC}/namespaces/kube-system/roles/system:controller:token-cleaner`),
    get('/readyz?verbose'),
    get('/healthz/poststarthook/rbac/bootstrap-roles'),
    // What every user may do, and an anonymous one.
    ...(['bob', undefined] as const).flatMap((user) =>
      ['/healthz', '/readyz', '/readyz/etcd', '/version', '/api', '/apis', '/openapi/v3', '/metrics', '/', '/nothing', '/logs'].map(
        (path) => as(user, get(path, { view: (body) => (JSON.stringify(body).includes('forbidden') ? body : undefined) })),
      ),
    ),
  ],
};
