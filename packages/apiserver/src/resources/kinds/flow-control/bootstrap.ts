import type { ApiObject, Resource } from 'kube-endpoints/port';

const group = 'flowcontrol.apiserver.k8s.io';
const version = 'v1';

export const flowSchemas: Resource = { group, version, plural: 'flowschemas', kind: 'FlowSchema', namespaced: false };
export const priorityLevels: Resource = {
  group,
  version,
  plural: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  namespaced: false,
};

/** The objects that the server assumes even if they are not stored. */
export const mandatoryName = { exempt: 'exempt', catchAll: 'catch-all' } as const;

/**
 * One priority level per line: name, nominal concurrency shares, lendable percent, and queues, hand size and queue length limit if requests
 * may wait. `exempt` has no limit.
 */
const priorityLevelTable = `
system 30 33 64 6 50
node-high 40 25 64 6 50
leader-election 10 0 16 4 50
workload-high 40 50 128 6 50
workload-low 100 90 128 6 50
global-default 20 50 128 6 50
catch-all 5 0
exempt 0 0
`;

/**
 * One FlowSchema per line: name, priority level, matching precedence, distinguisher method, subjects, and what they request: everything, a
 * path, or the resources in parentheses as VERBS:GROUP:RESOURCES, with a final `+` if also cluster-scoped ones.
 */
const flowSchemaTable = `
system-nodes system 500 ByUser group:system:nodes everything
system-node-high node-high 400 ByUser group:system:nodes (*::nodes,nodes/status+) (*:coordination.k8s.io:leases)
probes exempt 2 - group:system:unauthenticated,group:system:authenticated get:/healthz,/readyz,/livez
system-leader-election leader-election 100 ByUser user:system:kube-controller-manager,user:system:kube-scheduler,serviceaccount:kube-system/* (get,create,update:coordination.k8s.io:leases)
kube-controller-manager workload-high 800 ByNamespace user:system:kube-controller-manager everything
kube-scheduler workload-high 800 ByNamespace user:system:kube-scheduler everything
kube-system-service-accounts workload-high 900 ByNamespace serviceaccount:kube-system/* everything
service-accounts workload-low 9000 ByUser group:system:serviceaccounts everything
global-default global-default 9900 ByUser group:system:unauthenticated,group:system:authenticated everything
exempt exempt 1 - group:system:masters everything
catch-all catch-all 10000 ByUser group:system:unauthenticated,group:system:authenticated everything
`;

export interface BootstrapObject {
  readonly resource: Resource;
  readonly object: ApiObject;
}

/**
 * Returns the FlowSchemas and PriorityLevelConfigurations of a new cluster. Mirrors apiserver/pkg/apis/flowcontrol/bootstrap/default.go
 * (1.36).
 */
export const createBootstrapObjects = (): readonly BootstrapObject[] => [
  ...linesOf(priorityLevelTable).map((words) => ({ resource: priorityLevels, object: createPriorityLevel(words) })),
  ...linesOf(flowSchemaTable).map((words) => ({ resource: flowSchemas, object: createFlowSchema(words) })),
];

const linesOf = (table: string): readonly (readonly string[])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' '));

const createObject = ({ version: v, group: g, kind }: Resource, name: string, spec: object): ApiObject => ({
  apiVersion: `${g}/${v}`,
  kind,
  metadata: { name, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
  spec,
});

function createPriorityLevel([name = '', ...numbers]: readonly string[]): ApiObject {
  const [nominalConcurrencyShares, lendablePercent, queues, handSize, queueLengthLimit] = numbers.map(Number);
  const shares = { nominalConcurrencyShares, lendablePercent };
  if (name === mandatoryName.exempt) return createObject(priorityLevels, name, { type: 'Exempt', exempt: shares });
  const limitResponse = queues === undefined ? { type: 'Reject' } : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } };
  return createObject(priorityLevels, name, { type: 'Limited', limited: { ...shares, limitResponse } });
}

function createFlowSchema([name = '', level = '', precedence = '', method = '', subjects = '', ...rules]: readonly string[]): ApiObject {
  return createObject(flowSchemas, name, {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: Number(precedence),
    ...(method !== '-' && { distinguisherMethod: { type: method } }),
    rules: [{ subjects: subjects.split(',').map(parseSubject), ...parseRules(rules) }],
  });
}

function parseSubject(text: string): object {
  const [kind = '', ...rest] = text.split(':');
  const name = rest.join(':');
  if (kind === 'user') return { kind: 'User', user: { name } };
  if (kind === 'group') return { kind: 'Group', group: { name } };
  const [namespace, account] = name.split('/');
  return { kind: 'ServiceAccount', serviceAccount: { namespace, name: account } };
}

const all = ['*'];

function parseRules(rules: readonly string[]): object {
  const [first = ''] = rules;
  if (first === 'everything') {
    const resourceRule = { verbs: all, apiGroups: all, resources: all, clusterScope: true, namespaces: all };
    return { resourceRules: [resourceRule], nonResourceRules: [{ verbs: all, nonResourceURLs: all }] };
  }
  if (first.startsWith('(')) return { resourceRules: rules.map(parseResourceRule) };
  const [verb, paths = ''] = first.split(':');
  return { nonResourceRules: [{ verbs: [verb], nonResourceURLs: paths.split(',') }] };
}

function parseResourceRule(text: string): object {
  const [, verbs = '', apiGroup = '', resources = '', clusterScope] = /^\((.*):(.*):(.*?)(\+?)\)$/.exec(text) ?? [];
  return {
    verbs: verbs.split(','),
    apiGroups: [apiGroup],
    resources: resources.split(','),
    ...(clusterScope !== '' && { clusterScope: true }),
    namespaces: all,
  };
}
