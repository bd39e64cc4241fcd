import { makePod, makeService } from '../spec/objects.ts';
import {
  namedPortService,
  podsOverCapacity,
  podsOverCapacityWithTwoPorts,
  podWithNamedPort,
  type ReasonFixture,
  targetPath,
  tolerateAnnotation,
  tolerateAnnotationPath,
  toleratingService,
} from './reason-fixtures.ts';

const headless = makeService({ clusterIP: 'None' });

/** Every reason about a Service. */
export const serviceFixtures: readonly ReasonFixture[] = [
  {
    code: 'ServiceIsExternalName',
    service: makeService({ type: 'ExternalName' }),
    severity: 'info',
    message: 'A Service of type ExternalName gets no Endpoints; its selector is ignored.',
    path: 'service.spec.type',
    since: '1.27',
  },
  {
    code: 'ServiceHasNoSelector',
    service: makeService({ selector: undefined }),
    severity: 'info',
    message: 'The Service has no selector, so the endpoints controller does not write its Endpoints.',
    path: 'service.spec.selector',
  },
  {
    code: 'ServiceHasNoSelector',
    service: makeService({ selector: null }),
    current: { subsets: [{ addresses: [{ ip: '1.1.1.1' }], notReadyAddresses: [{ ip: '1.1.1.2' }] }] },
    severity: 'info',
    message: 'The Service has no selector, so the endpoints controller does not write its Endpoints; the existing ones have 2 addresses.',
    path: 'service.spec.selector',
  },
  {
    code: 'ServiceHasNoPorts',
    service: makeService({ ports: null }),
    severity: 'error',
    message: 'The Service has no ports and is not headless, so no pod becomes an endpoint.',
    path: 'service.spec.ports',
  },
  {
    code: 'SelectorMatchesNothing',
    service: makeService({ selector: { app: 'web', tier: 'x' } }),
    pods: [
      makePod('far', { metadata: { labels: { app: 'db' } } }),
      makePod('near'),
      makePod('also'),
      makePod('out', { metadata: { namespace: 'other' } }),
    ],
    severity: 'error',
    message: 'The selector app=web,tier=x matches no pod: the closest, near, lacks tier=x; namespace "shop" has 3 pods.',
    path: 'service.spec.selector',
  },
  {
    code: 'SelectorMatchesNothing',
    pods: [makePod('far', { metadata: { labels: { app: 'db' } } })],
    severity: 'error',
    message: 'The selector app=web matches no pod: the closest, far, has app=db instead of app=web; namespace "shop" has 1 pod.',
    path: 'service.spec.selector',
  },
  {
    code: 'SelectorMatchesNothing',
    service: makeService({ selector: { toString: 'x' } }),
    pods: [makePod('far', { metadata: { labels: { app: 'db' } } })],
    severity: 'error',
    message: 'The selector toString=x matches no pod; namespace "shop" has 1 pod.',
    path: 'service.spec.selector',
  },
  {
    code: 'SelectorIsEmpty',
    service: makeService({ selector: {} }),
    severity: 'warning',
    message: 'The selector is empty, so it selects every pod in namespace "shop".',
    path: 'service.spec.selector',
  },
  {
    code: 'NoPodEligible',
    pods: [
      makePod('a', { status: { podIP: '', podIPs: [] } }),
      makePod('b', { status: { phase: 'Failed' } }),
      makePod('c', { status: { phase: 'Failed' } }),
    ],
    severity: 'error',
    message: 'No selected pod can be an endpoint: 1 pod has no IP, 2 pods have ended.',
    path: 'service.spec.selector',
  },
  {
    code: 'NoPodReady',
    pods: [makePod('a', { ready: false }), makePod('b', { status: { phase: 'Failed' } })],
    severity: 'error',
    message: "None of the Service's endpoints is ready.",
    path: 'service.spec.selector',
  },
  {
    code: 'PortFoundInNoPod',
    service: namedPortService,
    severity: 'error',
    message: 'No selected pod has the TCP port "web" for the Service port http; the containers declare no ports.',
    path: targetPath,
  },
  {
    code: 'PortMissingInSomePods',
    service: namedPortService,
    pods: [podWithNamedPort('a'), podWithNamedPort('b'), makePod('c')],
    severity: 'warning',
    message: '1 of 3 selected pods (c) lacks the TCP port "web" for the Service port http; the containers declare no ports.',
    path: targetPath,
  },
  {
    code: 'PortFoundInNoPod',
    service: namedPortService,
    pods: [
      makePod('a', {
        spec: {
          containers: [
            {
              ports: [
                { name: 'http', containerPort: 8080, protocol: 'TCP' },
                { containerPort: 53, protocol: 'UDP' },
              ],
            },
          ],
          initContainers: [
            { name: 'setup', ports: [{ name: 'web', containerPort: 1, protocol: 'TCP' }] },
            { name: 'mesh', restartPolicy: 'Always', ports: [{ name: 'mesh', containerPort: 2 }] },
          ],
        },
      }),
    ],
    severity: 'error',
    message:
      'No selected pod has the TCP port "web" for the Service port http; the containers declare http (8080/TCP), 53/UDP, mesh (2/TCP).',
    path: targetPath,
  },
  {
    code: 'PortFoundInNoPod',
    version: '1.31',
    service: namedPortService,
    pods: [
      makePod('a', {
        spec: {
          containers: [{}],
          initContainers: [{ name: 'mesh', restartPolicy: 'Always', ports: [{ name: 'web', containerPort: 2, protocol: 'TCP' }] }],
        },
      }),
    ],
    severity: 'error',
    message:
      'No selected pod has the TCP port "web" for the Service port http; the containers declare web (2/TCP in a sidecar, which counts from 1.32 on).',
    path: targetPath,
  },
  {
    code: 'TargetPortUndeclared',
    pods: [makePod('a', { spec: { containers: [{ ports: [{ name: 'http', containerPort: 9090 }] }] } })],
    severity: 'warning',
    message: 'No selected pod declares the target port 8080/TCP of the Service port http; the containers declare http (9090/TCP).',
    path: targetPath,
  },
  {
    code: 'NotReadyPodsPublished',
    service: makeService({ publishNotReadyAddresses: true }),
    pods: [makePod('a'), makePod('b', { ip: '10.0.0.2', ready: false })],
    severity: 'warning',
    message: '1 of 2 endpoints are not ready, but get traffic, because publishNotReadyAddresses is true: b.',
    path: 'service.spec.publishNotReadyAddresses',
  },
  {
    code: 'OverCapacityWarned',
    version: '1.21',
    pods: podsOverCapacity,
    severity: 'warning',
    message: 'The Endpoints have 1003 addresses, but should have at most 1000; later releases truncate them.',
    path: 'endpoints.subsets',
    since: '1.21',
    until: '1.21',
  },
  {
    code: 'OverCapacityTruncated',
    version: '1.22',
    pods: podsOverCapacity,
    severity: 'warning',
    message: '3 of 1003 addresses are missing, because Endpoints are truncated to 1000.',
    path: 'endpoints.subsets',
    since: '1.22',
  },
  {
    code: 'EndpointsRefused',
    service: namedPortService,
    pods: podsOverCapacityWithTwoPorts,
    severity: 'warning',
    message:
      '1 of 2 subsets have no address after truncation; the API server rejects such Endpoints, so the existing Endpoints stay unchanged.',
    path: 'endpoints.subsets',
    since: '1.22',
  },
  {
    code: 'AnnotationWithoutEffect',
    service: toleratingService('true'),
    severity: 'warning',
    message: `The annotation ${tolerateAnnotation} is no longer read.`,
    path: tolerateAnnotationPath,
    since: '1.24',
  },
  {
    code: 'AnnotationUnreadable',
    version: '1.23',
    service: toleratingService('yes'),
    severity: 'warning',
    message: `The annotation ${tolerateAnnotation} has the value "yes", which is not a boolean, and is ignored.`,
    path: tolerateAnnotationPath,
    until: '1.23',
  },
  {
    code: 'EmptyIPFamiliesPanic',
    version: '1.34.8',
    service: makeService({ ipFamilies: [] }),
    severity: 'warning',
    message:
      'The Service has no ipFamilies, which makes the endpoints controller of this release panic; the result is that of the fixed releases.',
    path: 'service.spec.ipFamilies',
    since: '1.33',
    until: '1.34.8',
  },
  ...[
    { service: makeService({}, { labels: { 'service.kubernetes.io/headless': '' } }) },
    { service: makeService({}, { labels: { 'endpoints.kubernetes.io/managed-by': 'me' } }) },
    { service: headless, version: '1.19.2' },
  ].map(
    (objects): ReasonFixture => ({
      ...objects,
      code: 'RewrittenAtEverySync',
      severity: 'warning',
      message:
        'The controller rewrites the Endpoints at every sync, because the labels it writes never compare equal to those of the Service.',
      path: 'service.metadata.labels',
    }),
  ),
];
