import { corePath, createNamespace, groupPath, mergePatch, post, put, type Topic, watchToEnd, withAccept } from '../compare/step.ts';

const NS = 'c-forms';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const deployments = groupPath('apps/v1', NS, 'deployments');
const scaleOf = (replicas: unknown): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'web', namespace: NS },
  spec: { replicas },
});
const networkPolicy = (name: string, port: object): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name },
  spec: { podSelector: {}, ingress: [{ ports: [port] }] },
});
const accessReview = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
};
const tokenRequest = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'], expirationSeconds: 3600 } };
/** A token and its expiration differ at each request. */
const withoutStatus = (body: unknown): unknown => ({ ...(body as object), status: undefined });

export const representations: Topic = {
  name: 'scales, reviews and tokens',
  steps: [
    createNamespace(NS),
    post(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    }),
    put(`${deployments}/web/scale`, scaleOf(-1)),
    put(`${deployments}/web/scale`, scaleOf(2)),
    mergePatch(`${deployments}/web/scale`, { spec: { replicas: -2 } }),
    withAccept(TABLE, post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', accessReview)),
    withAccept(PARTIAL_LIST, watchToEnd(`${deployments}?watch=1&timeoutSeconds=1`)),
    withAccept(PARTIAL_LIST, watchToEnd(`${corePath(NS, 'configmaps')}?watch=1&timeoutSeconds=1`)),
    post(corePath(NS, 'serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'account' } }),
    post(corePath(NS, 'serviceaccounts', '/account/token'), tokenRequest, { view: withoutStatus }),
    post(corePath(NS, 'serviceaccounts', '/account/token?fieldManager=m'), tokenRequest, { view: withoutStatus }),
    ...[
      { port: 80, endPort: 90 },
      { port: 80, endPort: 70 },
      { endPort: 90 },
      { port: 'http', endPort: 90 },
      { port: 80, endPort: 0 },
      { port: 80, endPort: 70000 },
      { port: 80, endPort: 80, protocol: 'SCTP' },
    ].map((port, i) => post(groupPath('networking.k8s.io/v1', NS, 'networkpolicies'), networkPolicy(`p${i}`, port))),
  ],
};
