import type { Json } from './generate.ts';

/** Valid objects, by kind and apiVersion, whose mutations are validated: without metadata. */

const labels = { app: 'web' };
const selector = { matchLabels: labels };
const podSpec = { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] }] };
const template = { metadata: { labels }, spec: podSpec };
const jobTemplate = { metadata: { labels }, spec: { ...podSpec, restartPolicy: 'Never' } };
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };

export const bases: Readonly<Record<string, readonly Json[]>> = {
  'apps/v1 ControllerRevision': [{ revision: 1, data: { a: 1 } }],
  'apps/v1 DaemonSet': [{ spec: { selector, template } }],
  'apps/v1 Deployment': [
    { spec: { selector, template } },
    { spec: { selector, template, replicas: 2, minReadySeconds: 5, strategy: { type: 'Recreate' } } },
  ],
  'apps/v1 ReplicaSet': [{ spec: { selector, template } }],
  'apps/v1 StatefulSet': [
    { spec: { selector, template, serviceName: 'web', ordinals: { start: 1 } } },
    { spec: { selector, template, serviceName: 'web', volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec }] } },
  ],
  'autoscaling/v2 HorizontalPodAutoscaler': [
    { spec: { scaleTargetRef, maxReplicas: 3 } },
    { spec: { scaleTargetRef, maxReplicas: 3, minReplicas: 2, metrics: [cpu], behavior: { scaleUp: { stabilizationWindowSeconds: 10 } } } },
  ],
  'batch/v1 CronJob': [
    { spec: { schedule: '*/5 * * * *', timeZone: 'Etc/UTC', jobTemplate: { spec: { template: jobTemplate } } } },
    { spec: { schedule: '@daily', startingDeadlineSeconds: 10, jobTemplate: { spec: { template: jobTemplate } } } },
  ],
  'batch/v1 Job': [
    { spec: { template: jobTemplate } },
    { spec: { template: jobTemplate, completions: 3, completionMode: 'Indexed', backoffLimitPerIndex: 1, maxFailedIndexes: 2 } },
  ],
  'flowcontrol.apiserver.k8s.io/v1 FlowSchema': [
    {
      spec: {
        priorityLevelConfiguration: { name: 'web' },
        matchingPrecedence: 500,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'jane' } }],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/api/*'] }],
          },
          {
            subjects: [
              { kind: 'ServiceAccount', serviceAccount: { namespace: 'default', name: '*' } },
              { kind: 'Group', group: { name: 'dev' } },
            ],
            resourceRules: [{ verbs: ['*'], apiGroups: [''], resources: ['pods'], namespaces: ['default'] }],
          },
        ],
      },
    },
  ],
  'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration': [
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 10, limitResponse: { type: 'Reject' } } } },
    {
      spec: {
        type: 'Limited',
        limited: { lendablePercent: 50, limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } } },
      },
    },
  ],
  'networking.k8s.io/v1 IPAddress': [
    {
      metadata: { name: '10.0.0.1', uid: 'e2f4a6b8-0000-4000-8000-000000000000', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'web' } },
    },
  ],
  'networking.k8s.io/v1 IngressClass': [
    { spec: { controller: 'example.com/web' } },
    { spec: { controller: 'example.com/web', parameters: { kind: 'Settings', name: 'web', scope: 'Namespace', namespace: 'default' } } },
  ],
  'networking.k8s.io/v1 NetworkPolicy': [
    { spec: { podSelector: selector, ingress: [{ from: [{ podSelector: selector }], ports: [{ port: 80 }] }] } },
    {
      spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }] },
    },
  ],
  'networking.k8s.io/v1 ServiceCIDR': [{ spec: { cidrs: ['10.0.0.0/16'] } }, { spec: { cidrs: ['10.0.0.0/16', 'fd00::/112'] } }],
  'node.k8s.io/v1 RuntimeClass': [
    { handler: 'fast' },
    {
      handler: 'fast',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: labels, tolerations: [{ key: 'a', operator: 'Exists' }] },
    },
  ],
  'policy/v1 PodDisruptionBudget': [{ spec: { selector, minAvailable: 1 } }, { spec: { selector, maxUnavailable: '20%' } }],
  'rbac.authorization.k8s.io/v1 ClusterRole': [
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
    { aggregationRule: { clusterRoleSelectors: [selector] } },
  ],
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': [
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'web' }, subjects: [{ kind: 'User', name: 'jane' }] },
  ],
  'rbac.authorization.k8s.io/v1 Role': [{ rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  'rbac.authorization.k8s.io/v1 RoleBinding': [
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'web' },
      subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'default' }],
    },
  ],
  'scheduling.k8s.io/v1 PriorityClass': [{ value: 10 }],
  'storage.k8s.io/v1 StorageClass': [{ provisioner: 'example.com/disk', parameters: { type: 'ssd' } }],
  'v1 PodTemplate': [{ template }],
  'v1 ReplicationController': [{ spec: { selector: labels, template } }],
};
