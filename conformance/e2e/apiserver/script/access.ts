import { corePath, get, post, type Topic, watch } from '../compare/step.ts';
import { configMap } from './objects.ts';

const withToken = (authorization: string): { headers: Record<string, string> } => ({ headers: { authorization } });

const viewHealthPaths = (body: unknown): unknown =>
  (body as { readonly paths?: readonly string[] }).paths?.filter((path) => /^\/(?:healthz|livez|readyz)/.test(path));

export const access: Topic = {
  name: 'health, version, users',
  steps: [
    ...['/healthz', '/livez', '/readyz', '/healthz/ping', '/readyz/ping', '/livez/ping', '/healthz/nothing', '/healthz?exclude=ping'].map(
      (path) => get(path),
    ),
    ...['/healthz', '/livez', '/readyz'].flatMap((path) => [get(`${path}?verbose`), get(`${path}?verbose&exclude=etcd&exclude=nothing`)]),
    ...['/livez/etcd', '/readyz/etcd-readiness', '/livez/etcd-readiness', '/healthz/poststarthook/crd-informer-synced'].map((path) =>
      get(path),
    ),
    get('/', { view: viewHealthPaths }),
    get('/version'),
    get('/version/'),
    get('/metrics', { view: (body) => /^# (?:HELP|TYPE) /.test(String(body)) }),
    // Wrong and malformed credentials, also for public and unknown paths, a write and a watch.
    ...['Bearer wrong', 'Bearer ', 'Bearer', 'Basic YTpi', 'Nonsense', ''].map((authorization) =>
      get('/api/v1/namespaces', withToken(authorization)),
    ),
    get('/version', withToken('Bearer wrong')),
    get('/healthz', withToken('Bearer wrong')),
    get('/nothing', withToken('Bearer wrong')),
    post(corePath('default', 'configmaps'), configMap('x'), withToken('Bearer wrong')),
    watch('/api/v1/namespaces?watch=1', { events: 1 }, [], withToken('Bearer wrong')),
    // Impersonation, and the APIs that report the user and its permissions.
    get('/api/v1/namespaces/default', { headers: { 'impersonate-user': 'someone' } }),
    post('/apis/authentication.k8s.io/v1/selfsubjectreviews', { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
    post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
    }),
  ],
};
