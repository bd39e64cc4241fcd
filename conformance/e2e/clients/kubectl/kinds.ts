import { type Command, type CommandGroup, kubectl, withInput, withKnownDifference } from '../../apiserver/kubectl/command.ts';

const NAMESPACE = 'k-kinds';
const OTHER_DESCRIPTIONS = 'the descriptions of types and fields differ';
const NO_FLOW_CONDITIONS = 'no controller of this server sets the conditions of FlowSchemas';
const pod = { containers: [{ name: 'c', image: 'registry.example/c:1' }] };
const labels = { app: 'kinds' };
const podTemplate = { metadata: { labels }, spec: pod };
const scheduledJob = { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } } } };

/** An object of each kind, by apiVersion and resource: cluster-scoped ones first. Without the field metadata. */
const clusterScoped: readonly (readonly [string, string, object])[] = [
  ['v1', 'PersistentVolume', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } }],
  ['storage.k8s.io/v1', 'StorageClass', { provisioner: 'example.com/disk' }],
  ['storage.k8s.io/v1', 'CSIDriver', { spec: { attachRequired: false } }],
  ['networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'example.com/ingress' } }],
  ['networking.k8s.io/v1', 'ServiceCIDR', { spec: { cidrs: ['192.0.2.0/24'] } }],
  ['node.k8s.io/v1', 'RuntimeClass', { handler: 'fast' }],
  ['scheduling.k8s.io/v1', 'PriorityClass', { value: 7 }],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  [
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
    { spec: { priorityLevelConfiguration: { name: 'global-default' }, matchingPrecedence: 9000 } },
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    {
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
        },
        validations: [{ expression: 'true' }],
      },
    },
  ],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', { spec: { policyName: 'kinds', validationActions: ['Deny'] } }],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {}],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', {}],
];

const namespaced: readonly (readonly [string, string, object])[] = [
  [
    'v1',
    'PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } } },
  ],
  ['v1', 'PodTemplate', { template: podTemplate }],
  ['v1', 'ReplicationController', { spec: { replicas: 0, selector: labels, template: podTemplate } }],
  ['v1', 'ResourceQuota', { spec: { hard: { 'count/things.example.com': '3' } } }],
  ['v1', 'LimitRange', { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } }],
  ['v1', 'ServiceAccount', {}],
  ['v1', 'Endpoints', { subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] }],
  ['apps/v1', 'Deployment', { spec: { replicas: 0, selector: { matchLabels: labels }, template: podTemplate } }],
  ['apps/v1', 'ReplicaSet', { spec: { replicas: 0, selector: { matchLabels: labels }, template: podTemplate } }],
  ['apps/v1', 'StatefulSet', { spec: { replicas: 0, serviceName: 'x', selector: { matchLabels: labels }, template: podTemplate } }],
  [
    'apps/v1',
    'DaemonSet',
    { spec: { selector: { matchLabels: labels }, template: { ...podTemplate, spec: { ...pod, nodeSelector: { no: 'node' } } } } },
  ],
  ['apps/v1', 'ControllerRevision', { revision: 1, data: { a: 1 } }],
  ['batch/v1', 'Job', { spec: { suspend: true, template: { spec: { ...pod, restartPolicy: 'Never' } } } }],
  ['batch/v1', 'CronJob', { spec: { ...scheduledJob, suspend: true } }],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'absent' } } },
  ],
  ['policy/v1', 'PodDisruptionBudget', { spec: { maxUnavailable: '10%', selector: { matchLabels: { app: 'no' } } } }],
  ['networking.k8s.io/v1', 'Ingress', { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } }],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } }],
  ['rbac.authorization.k8s.io/v1', 'Role', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'kinds' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
    },
  ],
  ['coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'x', leaseDurationSeconds: 5 } }],
  ['discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ port: 80 }] }],
  ['storage.k8s.io/v1', 'CSIStorageCapacity', { storageClassName: 'kinds', capacity: '1Gi' }],
  [
    'resource.k8s.io/v1',
    'ResourceClaim',
    { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } } },
  ],
];

/** The name of an object of one of the kinds. */
const NAME = 'kinds';

const createObject = ([apiVersion, kind, fields]: readonly [string, string, object]): object => ({
  apiVersion,
  kind,
  metadata: { name: NAME },
  ...fields,
});

/** Creates an object, prints it, and explains its kind. */
function commandsFor(row: readonly [string, string, object], inNamespace = ''): Command[] {
  const [apiVersion, kind] = row;
  const resource = apiVersion.includes('/') ? `${kind}.${apiVersion.split('/')[0]}` : kind;
  return [
    withInput(createObject(row), kubectl(`create -f -${inNamespace}`, `${NAME} created`)),
    withFlowConditions(kind, kubectl(`get ${resource} ${NAME}${inNamespace} -o yaml`, `kind: ${kind}`)),
    withKnownDifference(OTHER_DESCRIPTIONS, kubectl(`explain ${kind} --api-version=${apiVersion} --recursive`, `KIND:       ${kind}`)),
  ];
}

const withFlowConditions = (kind: string, command: Command): Command =>
  kind === 'FlowSchema' ? withKnownDifference(NO_FLOW_CONDITIONS, command) : command;

/** Commands for all objects at once. */
function commandsForAll(rows: readonly (readonly [string, string, object])[], inNamespace = ''): Command[] {
  const list = { apiVersion: 'v1', kind: 'List', items: rows.map(createObject) };
  const kind = rows.some((row) => row[1] === 'FlowSchema') ? 'FlowSchema' : '';
  return [
    withFlowConditions(kind, kubectl(`get -f - -o wide${inNamespace}`, /NAME\s+.*AGE/)),
    withFlowConditions(kind, kubectl(`describe -f -${inNamespace}`, `Name:`)),
    kubectl(`label -f - checked=yes${inNamespace}`, `${NAME} labeled`),
    kubectl(`apply -f - --server-side --force-conflicts${inNamespace}`, `${NAME} serverside-applied`),
    kubectl(`delete -f -${inNamespace}`, `"${NAME}" deleted`),
  ].map((command) => withInput(list, command));
}

const IN_NS = ` -n ${NAMESPACE}`;

/** Every kind in every output format, in comparison with the real server. */
export const kinds: CommandGroup = {
  name: 'all kinds',
  commands: [
    kubectl(`create namespace ${NAMESPACE}`, 'created'),
    ...clusterScoped.flatMap((row) => commandsFor(row)),
    ...commandsForAll(clusterScoped),
    ...namespaced.flatMap((row) => commandsFor(row, IN_NS)),
    ...commandsForAll(namespaced, IN_NS),
    withKnownDifference(OTHER_DESCRIPTIONS, kubectl('explain deployment.spec.strategy', 'rollingUpdate\t<RollingUpdateDeployment>')),
    withKnownDifference(OTHER_DESCRIPTIONS, kubectl('explain pods.spec.containers', 'livenessProbe\t<Probe>')),
    kubectl(`create ingress web${IN_NS} --rule=shop.example.com/*=web:80 --class=public`, 'ingress.networking.k8s.io/web created'),
    kubectl(`get ingress web${IN_NS}`, /web\s+public\s+shop\.example\.com\s+80/),
    withKnownDifference('this server has no ComponentStatuses', kubectl('api-resources --sort-by=name', 'deployments')),
    kubectl('api-resources --namespaced=true -o wide', 'controllerrevisions'),
    kubectl('api-versions', 'apps/v1', 'batch/v1'),
    kubectl(`delete namespace ${NAMESPACE} --wait=false`, 'deleted'),
  ],
};
