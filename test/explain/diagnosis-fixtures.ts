import { makePod, makeService } from '../spec/objects.ts';
import { type DiagnosisFixture, makeReadyNode, makeWorkload } from './diagnosis-parts.ts';

/** Causes in workloads, namespaces, nodes and the fields of a Service. */
export const diagnosisFixtures: readonly DiagnosisFixture[] = [
  {
    name: 'a workload without replicas',
    service: makeService(),
    objects: { pods: [], workloads: [makeWorkload('Deployment', 'web', { replicas: 0 })] },
    expected: {
      code: 'WorkloadScaledToZero',
      severity: 'error',
      message: 'The selector matches the pod template of Deployment web, which has replicas 0, so there are no pods.',
      objects: ['deployment/shop/web'],
      evidence: [{ object: 'Deployment shop/web', path: 'spec.replicas', value: '0' }],
      command: 'kubectl -n shop scale deployment web --replicas=1',
    },
  },
  {
    name: 'a suspended CronJob',
    service: makeService(),
    objects: { pods: [], workloads: [makeWorkload('CronJob', 'web', { suspend: true })] },
    expected: {
      code: 'WorkloadScaledToZero',
      severity: 'error',
      message: 'The selector matches the pod template of CronJob web, which has suspend true, so there are no pods.',
      objects: ['cronjob/shop/web'],
      evidence: [{ object: 'CronJob shop/web', path: 'spec.suspend', value: 'true' }],
      command: 'kubectl -n shop patch cronjob web -p \'{"spec":{"suspend":false}}\'',
    },
  },
  {
    name: 'a workload whose pods are rejected',
    service: makeService(),
    objects: {
      pods: [],
      workloads: [
        makeWorkload(
          'Deployment',
          'web',
          { replicas: 2 },
          { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota.' }] },
        ),
      ],
    },
    expected: {
      code: 'WorkloadHasNoPods',
      severity: 'error',
      message: 'The selector matches the pod template of Deployment web, which has no pods (FailedCreate: exceeded quota).',
      objects: ['deployment/shop/web'],
      evidence: [
        {
          object: 'Deployment shop/web',
          path: 'status.conditions[0]',
          value: '{"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"exceeded quota."}',
        },
      ],
      command: 'kubectl -n shop describe deployment web',
    },
  },
  {
    name: 'a template with other labels',
    service: makeService(),
    objects: { pods: [], workloads: [makeWorkload('Deployment', 'web', { template: { metadata: { labels: { app: 'webapp' } } } })] },
    expected: {
      code: 'TemplateLabelsDoNotMatch',
      severity: 'error',
      message: 'The selector app=web matches no pod; the closest pod template, that of Deployment web, has app=webapp instead of app=web.',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.selector', value: '{"app":"web"}' }],
      command: 'kubectl -n shop patch service web -p \'{"spec":{"selector":{"app":"webapp"}}}\'',
    },
  },
  {
    name: 'pods in another namespace',
    service: makeService(),
    objects: { pods: [makePod('a', { metadata: { namespace: 'ops' } })] },
    expected: {
      code: 'PodsInOtherNamespace',
      severity: 'error',
      message: 'The selector app=web matches no pod in namespace "shop", but 1 pod in namespace "ops".',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'metadata.namespace', value: '"shop"' }],
      command: 'kubectl get pods -A -l app=web',
    },
  },
  {
    name: 'a DaemonSet without nodes',
    service: makeService(),
    objects: {
      pods: [],
      workloads: [
        makeWorkload(
          'DaemonSet',
          'web',
          { template: { metadata: { labels: { app: 'web' } }, spec: { nodeSelector: { disk: 'ssd' } } } },
          { desiredNumberScheduled: 0 },
        ),
      ],
    },
    expected: {
      code: 'NoNodeForDaemonSet',
      severity: 'error',
      message: 'The pod template of DaemonSet web fits no node (node selector disk=ssd), so there are no pods.',
      objects: ['daemonset/shop/web'],
      evidence: [{ object: 'DaemonSet shop/web', path: 'status.desiredNumberScheduled', value: '0' }],
      command: 'kubectl get nodes --show-labels',
    },
  },
  {
    name: 'a namespace that is being deleted',
    service: makeService(),
    objects: { pods: [], namespaces: [{ metadata: { name: 'shop' }, status: { phase: 'Terminating' } }] },
    expected: {
      code: 'NamespaceTerminating',
      severity: 'error',
      message: 'Namespace "shop" is being deleted, with everything in it; no new pod can start there.',
      objects: ['namespace/shop'],
      evidence: [{ object: 'Namespace shop', path: 'status.phase', value: '"Terminating"' }],
      command: 'kubectl describe namespace shop',
    },
  },
  {
    name: 'a mistyped field',
    service: makeService({ ports: [{ port: 80, protocol: 'TCP', targetPort: 80, targetport: 8080 } as never] }),
    objects: { pods: [makePod()], unknownFields: () => [{ path: 'spec.ports[0].targetport', nearest: 'targetPort' }] },
    expected: {
      code: 'UnknownField',
      severity: 'warning',
      message: 'spec.ports[0].targetport is not a field of a Service and is ignored; the nearest is targetPort.',
      objects: ['service/shop/web'],
      evidence: [{ object: 'Service shop/web', path: 'spec.ports[0].targetport', value: '8080' }],
      command: 'kubectl -n shop edit service web',
    },
  },
  {
    name: 'a node that is not ready',
    service: makeService(),
    objects: {
      pods: [makePod('a', { ready: false })],
      nodes: [makeReadyNode('n1', 'Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.')],
    },
    expected: {
      code: 'NodeNotReady',
      severity: 'error',
      message: 'Pod a: the node n1 is not ready (NodeStatusUnknown: Kubelet stopped posting node status).',
      objects: ['pod/shop/a'],
      evidence: [
        {
          object: 'Node n1',
          path: 'status.conditions[Ready]',
          value: '{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown","message":"Kubelet stopped posting node status."}',
        },
      ],
      command: 'kubectl describe node n1',
    },
  },
  {
    name: 'a node that does not exist',
    service: makeService(),
    objects: { pods: [makePod()], nodes: [makeReadyNode('n2')] },
    expected: {
      code: 'NodeNotFound',
      severity: 'error',
      message: 'Pod a: the node n1 does not exist.',
      objects: ['pod/shop/a'],
      evidence: [{ object: 'Pod shop/a', path: 'spec.nodeName', value: '"n1"' }],
      command: 'kubectl -n shop delete pod a',
    },
  },
];
