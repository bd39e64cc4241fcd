import { compareText } from 'kube-endpoints/internal/apimachinery';
import { createTextReader, type ListObjects } from '../description.ts';
import { child, type Draft, ensureChild, type Fields, flag, has, list, sameValue, text } from '../field/read.ts';
import { checkClaimLimits } from '../limit-ranges.ts';
import { validateMetadataUpdate } from '../metadata/validate.ts';
import { findDefaultPriorityClass } from '../pods/admit.ts';
import { policyExtensions } from '../policies/policies.ts';
import { createStatusStrategy, incrementGeneration, type KindExtension, restoreField } from './description.ts';
import { validateConditions, validateFlowSchema, validatePriorityLevel } from './flow-control/validate.ts';
import { rbacExtensions } from './rbac.ts';
import { validateIngressClass, validateIngressClassUpdate, validateRuntimeClass, validateRuntimeClassUpdate } from './validate/classes.ts';
import { validateIPAddress, validateIPAddressUpdate, validateServiceCIDR, validateServiceCIDRUpdate } from './validate/service-ranges.ts';
import { validatePriorityClass, validatePriorityClassUpdate } from './validate/simple.ts';
import { workloadExtensions } from './workload-extensions.ts';

/** What resources do in addition to the generic strategy, by plural and group. */
export const kindExtensions: Readonly<Record<string, KindExtension>> = {
  ...policyExtensions,
  ...rbacExtensions,
  ...workloadExtensions,
  'certificatesigningrequests.certificates.k8s.io': {
    selectableFields: { 'spec.signerName': createTextReader('spec', 'signerName') },
    prepareForUpdate: (draft, old) => restoreField(draft, old, 'spec'),
    subresources: {
      approval: {
        ...createStatusStrategy(['spec', 'status.certificate']),
      },
      status: {
        resetFields: ['spec', 'status.conditions'],
        prepareForUpdate(draft, old) {
          restoreField(draft, old, 'spec');
          keepDecision(draft, old);
        },
        validateUpdate(object, old, causes) {
          validateMetadataUpdate(object, old, {}, causes);
          for (const type of decisions) {
            if (!sameValue(conditionsOf(object, type), conditionsOf(old, type))) {
              causes.forbidden('status.conditions', `updates may not add or remove a condition of type "${type}"`);
            }
          }
        },
      },
    },
  },
  'flowschemas.flowcontrol.apiserver.k8s.io': {
    validate: validateFlowSchema,
    validateStatus: (object, _old, causes) => validateConditions(object, causes),
  },
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': {
    validate: validatePriorityLevel,
    validateStatus: (object, _old, causes) => validateConditions(object, causes),
  },
  'ingressclasses.networking.k8s.io': { validate: validateIngressClass, validateUpdate: validateIngressClassUpdate },
  'runtimeclasses.node.k8s.io': { validate: validateRuntimeClass, validateUpdate: validateRuntimeClassUpdate },
  'ipaddresses.networking.k8s.io': { validate: validateIPAddress, validateUpdate: validateIPAddressUpdate },
  'servicecidrs.networking.k8s.io': { validateCreate: validateServiceCIDR, validateUpdate: validateServiceCIDRUpdate },
  'ingresses.networking.k8s.io': { admit: setDefaultIngressClass },
  'persistentvolumes.': {
    prepareForCreate(draft) {
      const lastPhaseTransitionTime = child(draft, 'metadata')['creationTimestamp'];
      draft['status'] = { phase: 'Pending', ...(lastPhaseTransitionTime !== undefined && { lastPhaseTransitionTime }) };
    },
  },
  'persistentvolumeclaims.': {
    prepareForCreate(draft) {
      draft['status'] = { phase: 'Pending' };
    },
    admit(draft, old, listObjects) {
      if (old) return undefined;
      setDefaultStorageClass(draft, listObjects);
      return checkClaimLimits(draft, listObjects('limitranges.', text(child(draft, 'metadata'), 'namespace')));
    },
  },
  'priorityclasses.scheduling.k8s.io': {
    validateCreate: validatePriorityClass,
    validateUpdate: validatePriorityClassUpdate,
    admit(draft, _old, listObjects) {
      if (!flag(draft, 'globalDefault')) return undefined;
      const current = findDefaultPriorityClass(listObjects('priorityclasses.scheduling.k8s.io'));
      return current && nameOf(current) !== nameOf(draft)
        ? `PriorityClass ${nameOf(current)} is already marked as default. Only one default can exist`
        : undefined;
    },
  },
  'csidrivers.storage.k8s.io': { prepareForUpdate: (draft, old) => incrementGeneration(draft, old, 'spec') },
  'resourceslices.resource.k8s.io': {
    prepareForCreate: dateTaints,
    prepareForUpdate: dateTaints,
    selectableFields: { 'spec.driver': createTextReader('spec', 'driver'), 'spec.nodeName': createTextReader('spec', 'nodeName') },
  },
};

/** The conditions that only the subresource approval may add or remove. */
const decisions = ['Approved', 'Denied'] as const;

const conditionsOf = (object: Fields, type: string): readonly Fields[] =>
  list(child(object, 'status'), 'conditions').filter((condition) => condition['type'] === type);

/** Restores the Approved and Denied conditions, unless some were added or removed, which validation refuses. */
function keepDecision(draft: Draft, old: Fields): void {
  const status = child(draft, 'status') as Draft;
  if (!has(status, 'conditions')) return;
  for (const type of decisions) {
    const oldConditions = [...conditionsOf(old, type)];
    if (conditionsOf(draft, type).length !== oldConditions.length) continue;
    status['conditions'] = list(status, 'conditions').map((condition) => (condition['type'] === type ? oldConditions.shift() : condition));
  }
}

const nameOf = (object: Fields): string => text(child(object, 'metadata'), 'name');

/** Mirrors plugin/pkg/admission/storage/storageclass/setdefault (1.36). */
function setDefaultStorageClass(claim: Draft, listObjects: ListObjects): void {
  const spec = child(claim, 'spec') as Draft;
  if (has(spec, 'storageClassName') || has(child(child(claim, 'metadata'), 'annotations'), 'volume.beta.kubernetes.io/storage-class'))
    return;
  const name = findDefaultClass(listObjects('storageclasses.storage.k8s.io'), 'storageclass.kubernetes.io/is-default-class');
  if (name !== undefined) ensureChild(claim, 'spec')['storageClassName'] = name;
}

/** Mirrors plugin/pkg/admission/network/defaultingressclass (1.36). */
function setDefaultIngressClass(ingress: Draft, old: Fields | undefined, listObjects: ListObjects): string | undefined {
  const spec = child(ingress, 'spec');
  if (old || has(spec, 'ingressClassName') || has(child(child(ingress, 'metadata'), 'annotations'), 'kubernetes.io/ingress.class'))
    return undefined;
  const name = findDefaultClass(listObjects('ingressclasses.networking.k8s.io'), 'ingressclass.kubernetes.io/is-default-class');
  if (name !== undefined) ensureChild(ingress, 'spec')['ingressClassName'] = name;
  return undefined;
}

/** The name of the newest class with the annotation; of several of the same second, the first by name. */
function findDefaultClass(classes: readonly Fields[], annotation: string): string | undefined {
  const created = (each: Fields): string => text(child(each, 'metadata'), 'creationTimestamp');
  const [newest] = classes
    .filter((each) => text(child(child(each, 'metadata'), 'annotations'), annotation) === 'true')
    .sort((a, b) => compareText(created(b), created(a)) || compareText(nameOf(a), nameOf(b)));
  return newest && nameOf(newest);
}

/** Sets when taints without a time were added. Upstream sets the current time as a default. */
function dateTaints(draft: Draft): void {
  const timeAdded = child(draft, 'metadata')['creationTimestamp'];
  for (const device of list(child(draft, 'spec'), 'devices')) {
    for (const taint of list(device, 'taints') as readonly Draft[]) if (!has(taint, 'timeAdded')) taint['timeAdded'] = timeAdded;
  }
}
