import type { ApiType, Field, StructType } from '../../api-types/index.ts';
import { child, copyOf, type Draft, draftList, ensureChild, type Fields, has, isFields, list, text } from '../field/read.ts';
import { roundResources } from '../field/resource-list.ts';
import { defaultPodTemplate } from '../pods/defaults/pod.ts';
import { dropRoundTripAnnotations, toAutoscalingV1, toAutoscalingV2 } from './autoscaling/convert.ts';

type Defaulter = (draft: Draft) => void;

/**
 * Sets the defaults of a type after those of the types that its fields contain. The type of a field decides, as in upstream's generated
 * functions, wherever the field is.
 */
const defaultsByType: Readonly<Record<string, Defaulter>> = {
  'admissionregistration.MatchResources': setAbsent({ matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }),
  'admissionregistration.MutatingAdmissionPolicySpec': setAbsent({ failurePolicy: 'Fail' }),
  'admissionregistration.NamedRuleWithOperations': setAbsent({ scope: '*' }),
  'admissionregistration.ValidatingAdmissionPolicySpec': setAbsent({ failurePolicy: 'Fail' }),
  'apiregistration.ServiceReference': setAbsent({ port: 443 }),
  'apps.DaemonSet': (daemonSet) => {
    // The internal version has a field for this annotation.
    const annotations = ensureChild(ensureChild(daemonSet, 'metadata'), 'annotations');
    annotations[templateGeneration] = String(readTemplateGeneration(daemonSet));
  },
  'apps.DaemonSetSpec': (spec) => {
    setAbsent({ revisionHistoryLimit: 10 })(spec);
    defaultRollingUpdate(ensureChild(spec, 'updateStrategy'), { maxUnavailable: 1, maxSurge: 0 });
  },
  'apps.DeploymentSpec': (spec) => {
    setAbsent({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })(spec);
    defaultRollingUpdate(ensureChild(spec, 'strategy'), { maxUnavailable: '25%', maxSurge: '25%' });
  },
  'apps.ReplicaSetSpec': setAbsent({ replicas: 1 }),
  'apps.StatefulSetSpec': (spec) => {
    setAbsent({ podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 })(spec);
    const updateStrategy = ensureChild(spec, 'updateStrategy');
    if (text(updateStrategy, 'type') === '') setAbsent({ type: 'RollingUpdate', rollingUpdate: {} })(updateStrategy);
    if (text(updateStrategy, 'type') === 'RollingUpdate' && has(updateStrategy, 'rollingUpdate'))
      setAbsent({ partition: 0 })(ensureChild(updateStrategy, 'rollingUpdate'));
    setAbsent({ whenDeleted: 'Retain', whenScaled: 'Retain' })(ensureChild(spec, 'persistentVolumeClaimRetentionPolicy'));
    for (const claim of draftList(spec, 'volumeClaimTemplates')) Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
  },
  'autoscaling.HorizontalPodAutoscaler': (autoscaler) => {
    setAbsent({ minReplicas: 1 })(ensureChild(autoscaler, 'spec'));
    // The conversion sets the default of the utilization, which depends on the metrics in annotations.
    autoscaler['spec'] = toAutoscalingV1(toAutoscalingV2(autoscaler))['spec'];
  },
  'autoscaling/v2.HorizontalPodAutoscaler': dropRoundTripAnnotations,
  'autoscaling/v2.HorizontalPodAutoscalerSpec': (spec) => {
    setAbsent({ minReplicas: 1, metrics: [cpuUtilizationMetric] })(spec);
    if (!has(spec, 'behavior')) return;
    for (const [name, rules] of Object.entries(scalingRules)) setAbsent(rules)(ensureChild(ensureChild(spec, 'behavior'), name));
  },
  'batch.CronJobSpec': setAbsent({ concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
  'batch.Job': (job) => {
    const labels = child(child(child(job, 'spec'), 'template'), 'metadata')['labels'];
    defaultLabels(job, labels);
    defaultJobSpec(ensureChild(job, 'spec'));
  },
  'batch.PodFailurePolicyOnPodConditionsPattern': setAbsent({ status: 'True' }),
  'core.LimitRangeItem': defaultLimitRangeItem,
  'core.PersistentVolume': (volume) => {
    setAbsent({ phase: 'Pending' })(ensureChild(volume, 'status'));
    setAbsent({ persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })(ensureChild(volume, 'spec'));
  },
  'core.HostPathVolumeSource': setAbsent({ type: '' }),
  'core.PersistentVolumeClaim': (claim) => setAbsent({ phase: 'Pending' })(ensureChild(claim, 'status')),
  'core.PersistentVolumeClaimSpec': setAbsent({ volumeMode: 'Filesystem' }),
  'core.PodTemplateSpec': defaultPodTemplate,
  'core.ReplicationController': (controller) => {
    const template = child(child(controller, 'spec'), 'template');
    const labels = child(template, 'metadata')['labels'];
    if (labels !== undefined && Object.keys(child(child(controller, 'spec'), 'selector')).length === 0)
      ensureChild(controller, 'spec')['selector'] = copyOf(labels);
    defaultLabels(controller, labels);
  },
  'flowcontrol.ExemptPriorityLevelConfiguration': setAbsent({ nominalConcurrencyShares: 0, lendablePercent: 0 }),
  'flowcontrol.FlowSchemaSpec': setAbsent({ matchingPrecedence: 1000 }),
  'flowcontrol.LimitedPriorityLevelConfiguration': setAbsent({ nominalConcurrencyShares: 30, lendablePercent: 0 }),
  'flowcontrol.QueuingConfiguration': setAbsent({ handSize: 8, queues: 64, queueLengthLimit: 50 }),
  'networking.IngressClassParametersReference': setAbsent({ scope: 'Cluster' }),
  'networking.NetworkPolicyPort': setAbsent({ protocol: 'TCP' }),
  'networking.NetworkPolicySpec': (spec) => {
    if (list(spec, 'policyTypes').length === 0) spec['policyTypes'] = list(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  },
  'rbac.RoleRef': setAbsent({ apiGroup: 'rbac.authorization.k8s.io' }),
  'rbac.Subject': (subject) => {
    if (['User', 'Group'].includes(text(subject, 'kind'))) setAbsent({ apiGroup: 'rbac.authorization.k8s.io' })(subject);
  },
  'resource.DeviceSubRequest': defaultDeviceCount,
  'resource.ExactDeviceRequest': defaultDeviceCount,
  'scheduling.PriorityClass': setAbsent({ preemptionPolicy: 'PreemptLowerPriority' }),
  'storage.CSIDriverSpec': setAbsent({
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  }),
  'storage.StorageClass': setAbsent({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
};

/** The annotation of a DaemonSet that counts the changes of its template. */
export const templateGeneration = 'deprecated.daemonset.template.generation';

/** The count in the annotation; 0 if it is absent or not an integer. */
export const readTemplateGeneration = (daemonSet: Fields): number => {
  const value = text(child(child(daemonSet, 'metadata'), 'annotations'), templateGeneration);
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
};

/** Returns a function that sets the fields that are absent. */
function setAbsent(values: Fields): Defaulter {
  return (draft) => {
    for (const [name, value] of Object.entries(values)) if (!has(draft, name)) draft[name] = copyOf(value);
  };
}

function defaultRollingUpdate(strategy: Draft, values: Fields): void {
  setAbsent({ type: 'RollingUpdate' })(strategy);
  if (strategy['type'] === 'RollingUpdate') setAbsent(values)(ensureChild(strategy, 'rollingUpdate'));
}

const cpuUtilizationMetric: Fields = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

/** Mirrors GenerateHPAScaleUpRules and GenerateHPAScaleDownRules (pkg/apis/autoscaling/v2/defaults.go, 1.36). */
const scalingRules: Readonly<Record<'scaleUp' | 'scaleDown', Fields>> = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  },
  scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
};

function defaultLabels(draft: Draft, labels: unknown): void {
  const metadata = ensureChild(draft, 'metadata');
  if (labels !== undefined && Object.keys(child(metadata, 'labels')).length === 0) metadata['labels'] = copyOf(labels);
}

/** Mirrors SetDefaults_Job (pkg/apis/batch/v1/defaults.go, 1.36). */
function defaultJobSpec(spec: Draft): void {
  if (!has(spec, 'completions') && !has(spec, 'parallelism')) spec['completions'] = 1;
  setAbsent({
    parallelism: 1,
    backoffLimit: has(spec, 'backoffLimitPerIndex') ? 2 ** 31 - 1 : 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: has(spec, 'podFailurePolicy') ? 'Failed' : 'TerminatingOrFailed',
    manualSelector: false,
  })(spec);
}

/** Limits default to the maximum; requests default to the limits, then to the minimum. */
function defaultLimitRangeItem(item: Draft): void {
  if (text(item, 'type') !== 'Container') return;
  const [limits, requests] = [ensureChild(item, 'default'), ensureChild(item, 'defaultRequest')];
  setAbsent(child(item, 'max'))(limits);
  setAbsent(limits)(requests);
  setAbsent(child(item, 'min'))(requests);
  for (const name of ['default', 'defaultRequest']) if (Object.keys(child(item, name)).length === 0) delete item[name];
}

function defaultDeviceCount(request: Draft): void {
  setAbsent({ allocationMode: 'ExactCount' })(request);
  if (request['allocationMode'] === 'ExactCount') setAbsent({ count: 1 })(request);
}

/** Creates the function that sets all defaults of a kind. It is compiled at first use. */
export function createDefaulter(type: StructType): Defaulter {
  let defaulter: Defaulter | undefined;
  return (draft) => {
    defaulter ??= compileStruct(type, new Map()) ?? noDefaults;
    defaulter(draft);
  };
}

const noDefaults: Defaulter = () => undefined;

/** A struct that is being compiled has no entry yet in the map: recursive types have no defaults. */
type Compiled = Map<StructType, Defaulter | undefined>;

function compileStruct(type: StructType, compiled: Compiled): Defaulter | undefined {
  if (compiled.has(type)) return compiled.get(type);
  compiled.set(type, undefined);
  const own = defaultsByType[type.name];
  const steps =
    type.name === 'core.PodTemplateSpec' || type.name === 'meta.ObjectMeta'
      ? []
      : [...type.fields.values()].flatMap((field) => compileField(field, compiled));
  const defaulter =
    steps.length === 0
      ? own
      : (draft: Draft): void => {
          for (const step of steps) step(draft);
          own?.(draft);
        };
  compiled.set(type, defaulter);
  return defaulter;
}

function compileField({ name, type, default: value }: Field, compiled: Compiled): readonly Defaulter[] {
  // The zero value of a field that is not a pointer means absent.
  if (value !== undefined && (value || type.kind === 'pointer')) return [setAbsent({ [name]: value })];
  const apply = compileValue(type, compiled);
  if (!apply) return [];
  // A struct that is not a pointer always exists, even if the object omits it.
  if (type.kind === 'struct')
    return [
      (draft) => {
        const nested = ensureChild(draft, name);
        apply(nested);
        if (Object.keys(nested).length === 0) delete draft[name];
      },
    ];
  return [(draft) => (has(draft, name) ? apply(draft[name]) : undefined)];
}

function compileValue(type: ApiType, compiled: Compiled): ((value: unknown) => void) | undefined {
  if (type.kind === 'pointer') return compileValue(type.to, compiled);
  if (type.kind === 'struct') {
    const apply = compileStruct(type, compiled);
    return apply && ((value) => (isFields(value) ? apply(value as Draft) : undefined));
  }
  if (type.kind !== 'list' && type.kind !== 'map') return undefined;
  if (type.go === 'v1.ResourceList') return (quantities) => roundResources(quantities as Draft);
  const applyItem = compileValue(type.of, compiled);
  return applyItem && ((value) => Object.values(value as object).forEach(applyItem));
}
