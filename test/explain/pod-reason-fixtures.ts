import { makePod, makeService } from '../spec/objects.ts';
import {
  namedPortService,
  podsOverCapacity,
  type ReasonFixture,
  targetPath,
  tolerateAnnotation,
  tolerateAnnotationPath,
  toleratingService,
} from './reason-fixtures.ts';

const readyPath = 'pod.status.conditions[Ready].status';
const terminatingMetadata = { deletionTimestamp: '2026-01-31T12:00:00Z' };
const headless = makeService({ clusterIP: 'None' });

/** Every reason about a pod: it applies to the last of `pods`. */
export const podFixtures: readonly ReasonFixture[] = [
  { code: 'PodReady', message: 'The pod is ready.', path: readyPath },
  {
    code: 'PodNotReady',
    pods: [makePod('a', { status: { conditions: [] } })],
    message: 'The pod is not ready: it has no Ready condition.',
    path: 'pod.status.conditions',
  },
  {
    code: 'PodNotReady',
    pods: [makePod('a', { ready: false })],
    message: 'The pod is not ready: its Ready condition is "False".',
    path: readyPath,
  },
  {
    code: 'PodNotReady',
    pods: [makePod('a', { status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeLost', message: 'no news' }] } })],
    message: 'The pod is not ready: its Ready condition is "Unknown" (NodeLost, no news).',
    path: readyPath,
  },
  {
    code: 'PodNotReady',
    pods: [makePod('a', { status: { conditions: [{ type: 'Ready', reason: 'ContainersNotReady' }] } })],
    message: 'The pod is not ready: its Ready condition has no status (ContainersNotReady).',
    path: readyPath,
  },
  {
    code: 'PodNotReady',
    pods: [makePod('a', { ready: false, metadata: { uid: 'same' } }), makePod('b', { metadata: { uid: 'same' } })],
    message: 'The pod is not ready: another pod with its IP and UID is not ready.',
    path: readyPath,
  },
  {
    code: 'PodPublishedNotReady',
    service: makeService({ publishNotReadyAddresses: true }),
    pods: [makePod('a', { ready: false })],
    message: 'The Service publishes pods that are not ready or terminating as ready (publishNotReadyAddresses is true).',
    path: 'service.spec.publishNotReadyAddresses',
  },
  {
    code: 'PodPublishedNotReady',
    service: makeService({ publishNotReadyAddresses: true }),
    pods: [makePod('a', { metadata: terminatingMetadata })],
    message: 'The Service publishes pods that are not ready or terminating as ready (publishNotReadyAddresses is true).',
    path: 'service.spec.publishNotReadyAddresses',
  },
  {
    code: 'PodPublishedNotReady',
    version: '1.23',
    service: toleratingService('T'),
    pods: [makePod('a', { ready: false })],
    message: `The Service publishes pods that are not ready or terminating as ready (${tolerateAnnotation} is "T").`,
    path: tolerateAnnotationPath,
  },
  {
    code: 'PodInOtherNamespace',
    pods: [makePod('a', { metadata: { namespace: 'other' } })],
    message: 'The pod is in namespace "other", the Service in namespace "shop".',
    path: 'pod.metadata.namespace',
  },
  {
    code: 'PodInOtherNamespace',
    pods: [makePod('a', { metadata: { namespace: null } })],
    message: 'The pod is in namespace none, the Service in namespace "shop".',
    path: 'pod.metadata.namespace',
  },
  {
    code: 'PodLabelsDoNotMatch',
    pods: [makePod('a', { metadata: { labels: { app: 'db' } } })],
    message: 'The selector requires app=web; the pod has app=db.',
    path: 'pod.metadata.labels.app',
  },
  {
    code: 'PodLabelsDoNotMatch',
    service: makeService({ selector: { 'app.kubernetes.io/name': 'web' } }),
    message: 'The selector requires app.kubernetes.io/name=web; the pod has no label app.kubernetes.io/name.',
    path: 'pod.metadata.labels["app.kubernetes.io/name"]',
  },
  {
    code: 'PodLabelsDoNotMatch',
    pods: [makePod('a', { metadata: { labels: null } })],
    message: 'The selector requires app=web; the pod has no label app.',
    path: 'pod.metadata.labels.app',
  },
  {
    code: 'PodTerminal',
    pods: [makePod('a', { status: { phase: 'Succeeded' } })],
    message: 'The pod has ended with phase Succeeded and never becomes an endpoint again.',
    path: 'pod.status.phase',
    since: '1.25',
  },
  {
    code: 'PodFinished',
    version: '1.22.10',
    pods: [makePod('a', { ready: false, spec: { restartPolicy: 'Never' }, status: { phase: 'Failed' } })],
    message: 'The pod is not ready, has ended with phase Failed and is not restarted (restartPolicy Never).',
    path: 'pod.status.phase',
    until: '1.22.10',
  },
  {
    code: 'PodHasNoIP',
    pods: [makePod('a', { status: { podIP: '', podIPs: [] } })],
    message: 'The pod has no IP yet.',
    path: 'pod.status.podIP',
  },
  {
    code: 'PodHasNoIP',
    pods: [
      makePod('a', {
        status: {
          phase: 'Pending',
          podIP: '',
          podIPs: [],
          conditions: [
            { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient cpu.' },
          ],
        },
      }),
    ],
    message: 'The pod has no IP, because it is not scheduled (Unschedulable: 0/3 nodes are available: 3 Insufficient cpu).',
    path: 'pod.status.conditions[PodScheduled]',
  },
  {
    code: 'PodTerminating',
    pods: [makePod('a', { metadata: terminatingMetadata })],
    message: 'The pod is being deleted, with the deadline 2026-01-31T12:00:00Z.',
    path: 'pod.metadata.deletionTimestamp',
  },
  {
    code: 'PodTerminating',
    pods: [makePod('a', { metadata: { deletionTimestamp: new Date('2026-01-31T12:00:00Z') } })],
    message: 'The pod is being deleted, with the deadline 2026-01-31T12:00:00.000Z.',
    path: 'pod.metadata.deletionTimestamp',
  },
  {
    code: 'PodHasNoIPOfFamily',
    service: makeService({ ipFamilies: ['IPv6'] }),
    message: 'The pod has no IPv6 address (podIPs: 10.0.0.1); the Service requires IPv6 (spec.ipFamilies[0]).',
    path: 'pod.status.podIPs',
    since: '1.21',
  },
  {
    code: 'PodHasNoIPOfFamily',
    service: makeService({ ipFamilies: [], clusterIP: 'fd00::a' }),
    pods: [makePod('a', { status: { podIPs: [] } })],
    message: 'The pod has no IPv6 address (podIPs is empty); the Service requires IPv6 (spec.clusterIP).',
    path: 'pod.status.podIPs',
    since: '1.21',
  },
  {
    code: 'PodHasNoIPOfFamily',
    service: makeService({ ipFamilies: null, clusterIP: 'None' }),
    pods: [makePod('a', { ip: 'fd00::1', status: { podIPs: null } })],
    message: 'The pod has no IPv6 address (podIPs is empty); the Service requires IPv6 (that of podIP "fd00::1").',
    path: 'pod.status.podIPs',
    since: '1.21',
  },
  {
    code: 'PodIPInvalid',
    pods: [makePod('a', { ip: '10.0.0.300' })],
    message: 'The pod IP "10.0.0.300" is invalid; it would be written as "<nil>", which the API server rejects.',
    path: 'pod.status.podIPs',
    since: '1.33',
  },
  {
    code: 'PortNotFound',
    service: namedPortService,
    message: 'No container has a port named "web" with protocol "TCP" for the Service port http; the containers declare no ports.',
    path: targetPath,
  },
  {
    code: 'PortNotFound',
    service: makeService({ ports: [{ port: 80, targetPort: 'web' }] }),
    message: 'No container has a port named "web" with protocol none for the Service port 80; the containers declare no ports.',
    path: targetPath,
  },
  {
    code: 'PortHasNoNumber',
    service: makeService({ ports: [{ port: 80 }] }),
    message: 'The target port of Service port 80 is 0, so the address is listed without that port.',
    path: targetPath,
  },
  {
    code: 'HostnameLeftOut',
    service: headless,
    pods: [makePod('a', { spec: { hostname: 'db-0', subdomain: 'db' } })],
    message: 'The host name "db-0" is not published: the subdomain is "db", the Service is named "web".',
    path: 'pod.spec.subdomain',
  },
  {
    code: 'CutByCapacity',
    pods: podsOverCapacity,
    message: "Endpoints are truncated to 1000 addresses, and the pod's address is not among them.",
    path: 'endpoints.subsets',
    since: '1.22',
  },
  {
    code: 'ServiceHasNoPorts',
    service: makeService({ ports: [] }),
    message: 'The Service has no ports and is not headless, so no pod becomes an endpoint.',
    path: 'service.spec.ports',
  },
  {
    code: 'ServiceIsExternalName',
    service: makeService({ type: 'ExternalName' }),
    message: 'A Service of type ExternalName gets no Endpoints; its selector is ignored.',
    path: 'service.spec.type',
    since: '1.27',
  },
  {
    code: 'ServiceHasNoSelector',
    service: makeService({ selector: null }),
    message: 'The Service has no selector, so the endpoints controller does not write its Endpoints.',
    path: 'service.spec.selector',
  },
];
