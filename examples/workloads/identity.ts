import type { NamespaceTable } from './model.ts';

/** Sign-in and profiles. */
export const identity: NamespaceTable = {
  namespace: 'identity',
  services: [
    { name: 'keycloak', spec: { selector: { app: 'keycloak' }, ports: [{ name: 'https', port: 443, targetPort: 'https' }] } },
    { name: 'keycloak-discovery', spec: { clusterIP: 'None', selector: { app: 'keycloak' } } },
    {
      // From 1.33 on, this managed-by label makes the controller write the Endpoints at every sync.
      name: 'oauth2-proxy',
      labels: { app: 'oauth2-proxy', 'endpoints.kubernetes.io/managed-by': 'platform-team' },
      spec: { selector: { app: 'oauth2-proxy' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    { name: 'ldap', spec: { ports: [{ name: 'ldaps', port: 636 }] } },
    {
      name: 'user-profile',
      annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': 'copied by mistake' },
      spec: {
        ipFamilyPolicy: 'PreferDualStack',
        ipFamilies: ['IPv6', 'IPv4'],
        selector: { app: 'user-profile', stage: 'live' },
        ports: [{ name: 'http', port: 80, targetPort: 'http' }],
      },
    },
  ],
  endpoints: [{ name: 'ldap', subsets: [{ addresses: [{ ip: '198.51.100.9' }], ports: [{ name: 'ldaps', port: 636 }] }] }],
  workloads: [
    {
      kind: 'StatefulSet',
      name: 'keycloak',
      labels: { app: 'keycloak' },
      subdomain: 'keycloak-discovery',
      revisions: [{ hash: 'keycloak-7d6c9f8b54', image: 'keycloak:26.0', ports: ['https:8443'], pods: { ready: 2, starting: 1 } }],
    },
    {
      kind: 'Deployment',
      name: 'oauth2-proxy',
      labels: { app: 'oauth2-proxy' },
      revisions: [{ hash: '5c9b8f7d64', image: 'oauth2-proxy:7.8.1', ports: ['http:4180'], pods: { ready: 2 } }],
    },
    {
      kind: 'Deployment',
      name: 'user-profile',
      labels: { app: 'user-profile', stage: 'live' },
      // IPv4 addresses first, then IPv6.
      families: '46',
      revisions: [{ hash: '6b7d8c9f54', image: 'user-profile:4.4.0', ports: ['http:8080'], pods: { ready: 5, crashing: 1 } }],
    },
    {
      kind: 'Deployment',
      name: 'user-profile-shadow',
      labels: { app: 'user-profile', stage: 'shadow' },
      families: '46',
      revisions: [{ hash: '9d8b7c6f54', image: 'user-profile:5.0.0-beta.1', ports: ['http:8080'], pods: { ready: 2 } }],
    },
  ],
};
