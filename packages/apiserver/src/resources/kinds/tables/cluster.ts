import { compareText } from 'kube-endpoints/internal/apimachinery';
import { child, entries, type Fields, list, text, texts } from '../../field/read.ts';
import {
  aged,
  booleanAt,
  column,
  countAt,
  formatDuration,
  integerAt,
  named,
  readFields,
  readPath,
  readText,
  type TableColumn,
  type TableColumns,
  textAt,
  textual,
  wide,
} from '../../table/columns.ts';

const paramKind = textual('ParamKind', (object) => {
  const kind = readFields(object, 'spec.paramKind');
  return kind ? `${text(kind, 'apiVersion')}/${text(kind, 'kind')}` : '<unset>';
});

const policyBinding: TableColumns = [named, textAt('PolicyName', 'spec.policyName'), textual('ParamRef', printParamRef), aged];

const roleBinding: TableColumns = [
  named,
  textual('Role', (object) => {
    const role = readFields(object, 'roleRef') ?? {};
    return `${text(role, 'kind')}/${text(role, 'name')}`;
  }),
  aged,
  wide('Users', (object) => printSubjects(object, 'User')),
  wide('Groups', (object) => printSubjects(object, 'Group')),
  wide('ServiceAccounts', (object) => printSubjects(object, 'ServiceAccount')),
];

/** Shows the numbers of a limited priority level, whose absent fields are 0. */
const limitedAt = (name: string, parentPath: string, field: string): TableColumn => ({
  ...column(name),
  cell(object) {
    const parent = readFields(object, parentPath);
    return parent ? ((parent[field] ?? 0) as number) : '<none>';
  },
});

const queuingPath = 'spec.limited.limitResponse.queuing';

/** The tables of access control, admission, certificates, quotas, flow control, scheduling, devices and extensions of the API. */
export const clusterTables: Readonly<Record<string, TableColumns>> = {
  APIService: [
    named,
    textual('Service', (object) => {
      const service = readFields(object, 'spec.service');
      return service ? `${text(service, 'namespace')}/${text(service, 'name')}` : 'Local';
    }),
    textual('Available', printAvailable),
    aged,
  ],
  CertificateSigningRequest: [
    named,
    aged,
    textual('SignerName', (object) => readText(object, 'spec.signerName') || '<none>'),
    textAt('Requestor', 'spec.username'),
    textual('RequestedDuration', (object) => {
      const seconds = readPath(object, 'spec.expirationSeconds');
      return typeof seconds === 'number' ? formatDuration(seconds) : '<none>';
    }),
    textual('Condition', printDecision),
  ],
  ClusterRoleBinding: roleBinding,
  ComponentStatus: [
    named,
    textual('Status', (object) => {
      const health = healthOf(object);
      if (!health) return 'Unknown';
      return text(health, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
    }),
    textual('Message', (object) => text(healthOf(object) ?? {}, 'message')),
    textual('Error', (object) => text(healthOf(object) ?? {}, 'error')),
  ],
  DeviceClass: [named, aged],
  FlowSchema: [
    named,
    textAt('PriorityLevel', 'spec.priorityLevelConfiguration.name'),
    { ...integerAt('MatchingPrecedence', 'spec.matchingPrecedence'), type: 'string' },
    textAt('DistinguisherMethod', 'spec.distinguisherMethod.type', '<none>'),
    aged,
    textual('MissingPL', (object) => {
      const dangling = list(child(object, 'status'), 'conditions').find((each) => text(each, 'type') === 'Dangling');
      return dangling ? text(dangling, 'status') : '?';
    }),
  ],
  MutatingAdmissionPolicy: [named, countAt('Mutations', 'spec.mutations'), paramKind, aged],
  MutatingAdmissionPolicyBinding: policyBinding,
  PriorityClass: [
    named,
    integerAt('Value', 'value'),
    booleanAt('Global-Default', 'globalDefault'),
    aged,
    textAt('PreemptionPolicy', 'preemptionPolicy'),
  ],
  PriorityLevelConfiguration: [
    named,
    textAt('Type', 'spec.type'),
    limitedAt('NominalConcurrencyShares', 'spec.limited', 'nominalConcurrencyShares'),
    limitedAt('Queues', queuingPath, 'queues'),
    limitedAt('HandSize', queuingPath, 'handSize'),
    limitedAt('QueueLengthLimit', queuingPath, 'queueLengthLimit'),
    aged,
  ],
  ResourceClaim: [named, textual('State', printClaimState), aged],
  ResourceClaimTemplate: [named, aged],
  ResourceQuota: [
    named,
    textual('Request', (object) => printQuota(object, false)),
    textual('Limit', (object) => printQuota(object, true)),
    aged,
  ],
  ResourceSlice: [named, textAt('Node', 'spec.nodeName'), textAt('Driver', 'spec.driver'), textAt('Pool', 'spec.pool.name'), aged],
  RoleBinding: roleBinding,
  RuntimeClass: [named, textAt('Handler', 'handler'), aged],
  ValidatingAdmissionPolicy: [named, countAt('Validations', 'spec.validations'), paramKind, aged],
  ValidatingAdmissionPolicyBinding: policyBinding,
};

const healthOf = (object: Fields): Fields | undefined => list(object, 'conditions').find((each) => text(each, 'type') === 'Healthy');

function printParamRef(object: Fields): string {
  const reference = readFields(object, 'spec.paramRef') ?? {};
  const [name, selector] = [text(reference, 'name'), readFields(reference, 'selector')];
  if (name !== '') return `${text(reference, 'namespace') || '*'}/${name}`;
  return selector ? printGoSelector(selector) : '<unset>';
}

/** A selector as Go's generated String method prints it. */
function printGoSelector(selector: Fields): string {
  const labels = [...entries(selector, 'matchLabels')].sort(([a], [b]) => compareText(a, b)).map(([key, value]) => `${key}: ${value},`);
  const requirements = list(selector, 'matchExpressions').map(
    (each) =>
      `LabelSelectorRequirement{Key:${text(each, 'key')},Operator:${text(each, 'operator')},Values:[${texts(each, 'values').join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}

const printSubjects = (object: Fields, kind: string): string =>
  list(object, 'subjects')
    .filter((subject) => text(subject, 'kind') === kind)
    .map((subject) => (kind === 'ServiceAccount' ? `${text(subject, 'namespace')}/` : '') + text(subject, 'name'))
    .join(', ');

function printAvailable(object: Fields): string {
  const condition = list(child(object, 'status'), 'conditions').find((each) => text(each, 'type') === 'Available');
  if (!condition) return 'Unknown';
  const [status, reason] = [text(condition, 'status'), text(condition, 'reason')];
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}

function printDecision(object: Fields): string {
  const types = list(child(object, 'status'), 'conditions').map((condition) => text(condition, 'type'));
  const decision = ['Denied', 'Approved'].find((type) => types.includes(type)) ?? 'Pending';
  const isIssued = readText(object, 'status.certificate') !== '';
  return `${decision}${types.includes('Failed') ? ',Failed' : ''}${isIssued ? ',Issued' : ''}`;
}

function printClaimState(object: Fields): string {
  const isDeleted = readPath(object, 'metadata.deletionTimestamp') !== undefined;
  const isAllocated = readPath(object, 'status.allocation') !== undefined;
  const states = [
    isDeleted && 'deleted',
    !isAllocated && !isDeleted && 'pending',
    isAllocated && 'allocated',
    isAllocated && list(child(object, 'status'), 'reservedFor').length > 0 && 'reserved',
  ];
  return states.filter(Boolean).join(',');
}

function printQuota(object: Fields, isLimit: boolean): string {
  const status = child(object, 'status');
  const [hard, used] = [child(status, 'hard'), child(status, 'used')];
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === isLimit)
    .sort(compareText)
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name] ?? '0'}`)
    .join(', ');
}
