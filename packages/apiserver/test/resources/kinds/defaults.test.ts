import type { ApiObject, Resource } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createApiServer } from '../../../src/index.ts';
import { builtInResources } from '../../../src/registry/catalog.ts';

const findResource = (group: string, plural: string): Resource => {
  const found = builtInResources().findLast(({ resource }) => resource.group === group && resource.plural === plural);
  if (!found) throw new Error(`no ${plural} in ${group}`);
  return found.resource;
};

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
const selector = { matchLabels: { app: 'web' } };

const createObject = ({ group, version, kind, namespaced }: Resource, fields: object): ApiObject =>
  ({
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { name: 'web', ...(namespaced && { namespace: 'default' }) },
    ...fields,
  }) as ApiObject;

/** Defaults of Kubernetes 1.36.3 (pkg/apis/*): the group and plural, the fields of the request, and the fields that the server adds. */
test.each<[string, string, object, object]>([
  [
    'apps',
    'deployments',
    { spec: { selector, template } },
    {
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      },
    },
  ],
  ['apps', 'deployments', { spec: { selector, template, strategy: { type: 'Recreate' } } }, { spec: { strategy: { type: 'Recreate' } } }],
  [
    'apps',
    'daemonsets',
    { spec: { selector, template } },
    { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } },
  ],
  [
    'apps',
    'statefulsets',
    { spec: { selector, template, serviceName: 'web' } },
    {
      spec: {
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      },
    },
  ],
  [
    'autoscaling',
    'horizontalpodautoscalers',
    { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'web' } } },
    {
      spec: {
        minReplicas: 1,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
    },
  ],
  [
    'batch',
    'cronjobs',
    { spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } },
    { spec: { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 } },
  ],
  [
    'batch',
    'jobs',
    { spec: { template } },
    {
      metadata: { labels: { app: 'web' } },
      spec: { parallelism: 1, completions: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false },
    },
  ],
  [
    '',
    'limitranges',
    { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { memory: '1Mi' } }] } },
    {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '1' },
            min: { memory: '1Mi' },
            default: { cpu: '1' },
            defaultRequest: { cpu: '1', memory: '1Mi' },
          },
        ],
      },
    },
  ],
  [
    '',
    'persistentvolumeclaims',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    { spec: { volumeMode: 'Filesystem' } },
  ],
  [
    '',
    'replicationcontrollers',
    { spec: { template } },
    { metadata: { labels: { app: 'web' } }, spec: { replicas: 1, selector: { app: 'web' } } },
  ],
  [
    'flowcontrol.apiserver.k8s.io',
    'flowschemas',
    { spec: { priorityLevelConfiguration: { name: 'x' } } },
    { spec: { matchingPrecedence: 1000 } },
  ],
  [
    'networking.k8s.io',
    'networkpolicies',
    { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } },
    { spec: { policyTypes: ['Ingress', 'Egress'], egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }] } },
  ],
  [
    'rbac.authorization.k8s.io',
    'rolebindings',
    { roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'User', name: 'u' }] },
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'u' }],
    },
  ],
  [
    'scheduling.k8s.io',
    'priorityclasses',
    { value: 10 },
    { value: 10, preemptionPolicy: 'PreemptLowerPriority', metadata: { generation: 1 } },
  ],
  ['storage.k8s.io', 'storageclasses', { provisioner: 'p' }, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
  [
    'admissionregistration.k8s.io',
    'validatingadmissionpolicies',
    {
      spec: {
        matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] }] },
        validations: [{ expression: 'true' }],
      },
    },
    {
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [{ scope: '*' }] },
      },
    },
  ],
])('%s %s have the defaults of Kubernetes', async (group, plural, fields, expected) => {
  await using server = await createApiServer();
  const resource = findResource(group, plural);
  expect(await server.client.create(resource, createObject(resource, fields))).toMatchObject(expected);
});

test('the pod template of a workload has the defaults of a PodSpec', async () => {
  await using server = await createApiServer();
  const resource = findResource('apps', 'deployments');
  const { spec } = await server.client.create(resource, createObject(resource, { spec: { selector, template } }));
  expect((spec as { template: unknown }).template).toStrictEqual({
    metadata: { labels: { app: 'web' } },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'web:1',
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    },
  });
});

test('an update of the spec increments the generation and keeps the status; an update of the status keeps the spec', async () => {
  await using server = await createApiServer();
  const resource = findResource('apps', 'deployments');
  const { client } = server;
  const created = await client.create(resource, createObject(resource, { spec: { selector, template }, status: { replicas: 9 } }));
  expect(created).toMatchObject({ metadata: { generation: 1 }, status: {} });
  expect(created['status']).toStrictEqual({});
  const scaled = await client.update(resource, {
    ...created,
    spec: { ...(created['spec'] as object), replicas: 5 },
    status: { replicas: 9 },
  } as ApiObject);
  expect(scaled).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 } });
  expect(scaled['status']).toStrictEqual({});
  const withStatus = await client.update(
    resource,
    {
      ...scaled,
      spec: { ...(scaled['spec'] as object), replicas: 7 },
      status: { replicas: 5 },
    } as ApiObject,
    { subresource: 'status' },
  );
  expect(withStatus).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 }, status: { replicas: 5 } });
});
