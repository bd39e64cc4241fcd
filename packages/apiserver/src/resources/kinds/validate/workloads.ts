import { dns1123Label } from '../../../formats/names.ts';
import { asJson, type Causes, validateFormat } from '../../field/causes.ts';
import { validateLabelSelector } from '../../field/label-selector.ts';
import { child, entries, type Fields, has, list, number, sameValue, text } from '../../field/read.ts';
import { validateLabels } from '../../metadata/validate.ts';
import { readTemplateGeneration } from '../defaults.ts';
import { isValidSelector } from '../tables/cells.ts';
import {
  hasRequirements,
  intOrPercent,
  selectorOf,
  toPrintedSelector,
  validateAlwaysRestarted,
  validateAtMost,
  validateAtMost100Percent,
  validateImmutable,
  validateIntOrPercent,
  validateNonNegative,
  validatePodTemplate,
  validateRequiredSelector,
  validateTemplateLabels,
} from './rules.ts';

/** Mirrors ValidateDeploymentSpec (pkg/apis/apps/validation, 1.36), as do the other functions of this file. */
export function validateDeployment(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  validateNonNegative(spec, ['replicas'], 'spec', causes);
  validateReplicated(spec, causes);
  validateDeploymentStrategy(child(spec, 'strategy'), causes);
  validateNonNegative(spec, ['minReadySeconds', 'revisionHistoryLimit'], 'spec', causes);
  if (!has(spec, 'progressDeadlineSeconds')) return;
  validateNonNegative(spec, ['progressDeadlineSeconds'], 'spec', causes);
  const seconds = number(spec, 'progressDeadlineSeconds');
  if (seconds <= number(spec, 'minReadySeconds')) {
    causes.invalid('spec.progressDeadlineSeconds', seconds, 'must be greater than minReadySeconds');
  }
}

export function validateReplicaSet(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  validateNonNegative(spec, ['replicas', 'minReadySeconds'], 'spec', causes);
  validateReplicated(spec, causes);
}

export function validateImmutableSelector(object: Fields, old: Fields, causes: Causes): void {
  const selector = selectorOf(child(object, 'spec'));
  validateImmutable(selector, selectorOf(child(old, 'spec')), 'spec.selector', causes, toPrintedSelector(selector));
}

/** Selector and template of a Deployment or ReplicaSet. */
function validateReplicated(spec: Fields, causes: Causes): void {
  validateRequiredSelector(spec, 'deployment', causes);
  const selector = selectorOf(spec);
  if (selector && !isValidSelector(selector)) {
    causes.invalid('spec.selector', toPrintedSelector(selector), 'invalid label selector');
    return;
  }
  if (!selector || hasRequirements(selector)) validateTemplateLabels(spec, causes);
  validatePodTemplate(child(spec, 'template'), 'spec.template', causes);
  validateAlwaysRestarted(spec, 'ReplicaSet', causes);
}

function validateDeploymentStrategy(strategy: Fields, causes: Causes): void {
  const field = 'spec.strategy';
  const { type } = strategy;
  if (type === 'Recreate') {
    if (has(strategy, 'rollingUpdate')) {
      causes.forbidden(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'");
    }
  } else if (type === 'RollingUpdate') {
    const { maxUnavailable, maxSurge } = child(strategy, 'rollingUpdate');
    validateIntOrPercent(maxUnavailable, `${field}.rollingUpdate.maxUnavailable`, causes);
    validateIntOrPercent(maxSurge, `${field}.rollingUpdate.maxSurge`, causes);
    if (intOrPercent(maxUnavailable) === 0 && intOrPercent(maxSurge) === 0) {
      causes.invalid(`${field}.rollingUpdate.maxUnavailable`, asJson(maxUnavailable), 'may not be 0 when `maxSurge` is 0');
    }
    validateAtMost100Percent(maxUnavailable, `${field}.rollingUpdate.maxUnavailable`, causes);
  } else causes.notSupported(field, strategy, ['Recreate', 'RollingUpdate']);
}

export function validateDaemonSet(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  const selector = selectorOf(spec);
  if (selector) validateLabelSelector(selector, 'spec.selector', causes);
  validateTemplateLabels(spec, causes);
  if (selector && !hasRequirements(selector)) {
    causes.invalid('spec.selector', toPrintedSelector(selector), 'empty selector is invalid for daemonset');
  }
  validatePodTemplate(child(spec, 'template'), 'spec.template', causes);
  validateAlwaysRestarted(spec, 'DaemonSet', causes);
  validateNonNegative(spec, ['minReadySeconds'], 'spec', causes);
  validateNonNegative({ templateGeneration: readTemplateGeneration(object) }, ['templateGeneration'], 'spec', causes);
  validateDaemonSetStrategy(child(spec, 'updateStrategy'), causes);
  validateNonNegative(spec, ['revisionHistoryLimit'], 'spec', causes);
}

function validateDaemonSetStrategy(strategy: Fields, causes: Causes): void {
  const field = 'spec.updateStrategy';
  if (strategy['type'] === 'OnDelete') return;
  if (strategy['type'] !== 'RollingUpdate') {
    causes.notSupported(field, strategy, ['RollingUpdate', 'OnDelete']);
    return;
  }
  const { maxUnavailable, maxSurge } = child(strategy, 'rollingUpdate');
  const [unavailableField, surgeField] = [`${field}.rollingUpdate.maxUnavailable`, `${field}.rollingUpdate.maxSurge`];
  validateIntOrPercent(maxUnavailable, unavailableField, causes);
  validateIntOrPercent(maxSurge, surgeField, causes);
  validateAtMost100Percent(maxUnavailable, unavailableField, causes);
  validateAtMost100Percent(maxSurge, surgeField, causes);
  const [hasUnavailable, hasSurge] = [intOrPercent(maxUnavailable) !== 0, intOrPercent(maxSurge) !== 0];
  if (hasUnavailable && hasSurge) causes.invalid(surgeField, asJson(maxSurge), 'may not be set when maxUnavailable is non-zero');
  if (!hasUnavailable && !hasSurge) causes.required(unavailableField, 'cannot be 0 when maxSurge is 0');
}

export function validateReplicationController(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  validateNonNegative(spec, ['minReadySeconds', 'replicas'], 'spec', causes);
  const labels = entries(spec, 'selector');
  if (labels.length === 0) causes.required('spec.selector');
  if (!has(spec, 'template')) {
    causes.required('spec.template');
    return;
  }
  if (labels.length > 0) validateTemplateLabels({ ...spec, selector: { matchLabels: spec['selector'] } }, causes);
  validatePodTemplate(child(spec, 'template'), 'spec.template', causes);
  validateAlwaysRestarted(spec, 'ReplicationController', causes);
}

export function validateStatefulSet(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  validateManagement(spec, causes);
  for (const name of ['whenDeleted', 'whenScaled']) {
    const policy = child(spec, 'persistentVolumeClaimRetentionPolicy')[name];
    if (policy === 'Retain' || policy === 'Delete') continue;
    causes.notSupported(`spec.persistentVolumeClaimRetentionPolicy.${name}`, asJson(policy ?? ''), ['Retain', 'Delete']);
  }
  validateNonNegative(spec, ['replicas', 'minReadySeconds'], 'spec', causes);
  validateNonNegative(child(spec, 'ordinals'), ['start'], 'spec.ordinals', causes);
  validateRequiredSelector(spec, 'statefulset', causes);
  const selector = selectorOf(spec);
  if (selector && !isValidSelector(selector)) causes.invalid('spec.selector', toPrintedSelector(selector), '');
  else {
    if (!selector || hasRequirements(selector)) validateTemplateLabels(spec, causes);
    validatePodTemplate(withClaimVolumes(spec), 'spec.template', causes);
    // Upstream validates these labels twice.
    validateLabels(entries(child(child(spec, 'template'), 'metadata'), 'labels'), 'spec.template.labels', causes);
  }
  validateAlwaysRestarted(spec, 'StatefulSet', causes);
}

function validateManagement(spec: Fields, causes: Causes): void {
  const policy = text(spec, 'podManagementPolicy');
  if (policy === '') causes.required('spec.podManagementPolicy');
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    causes.invalid('spec.podManagementPolicy', asJson(policy), "must be 'OrderedReady' or 'Parallel'");
  }
  const strategy = child(spec, 'updateStrategy');
  const type = text(strategy, 'type');
  const field = 'spec.updateStrategy';
  if (type === 'OnDelete') {
    if (has(strategy, 'rollingUpdate')) {
      causes.invalid(`${field}.rollingUpdate`, strategy['rollingUpdate'], "only allowed for updateStrategy 'RollingUpdate'");
    }
  } else if (type === 'RollingUpdate') {
    const rollingUpdate = child(strategy, 'rollingUpdate');
    validateNonNegative(rollingUpdate, ['partition'], `${field}.rollingUpdate`, causes);
    if (!has(rollingUpdate, 'maxUnavailable')) return;
    const { maxUnavailable } = rollingUpdate;
    validateIntOrPercent(maxUnavailable, `${field}.rollingUpdate.maxUnavailable`, causes);
    if (intOrPercent(maxUnavailable) === 0) causes.invalid(`${field}.rollingUpdate.maxUnavailable`, asJson(maxUnavailable), 'cannot be 0');
    validateAtMost100Percent(maxUnavailable, `${field}.rollingUpdate.maxUnavailable`, causes);
  } else causes.invalid(field, strategy, "must be 'RollingUpdate' or 'OnDelete'");
}

/** The template with a volume for each claim, and without the fields that the controller sets. */
function withClaimVolumes(spec: Fields): Fields {
  const template = child(spec, 'template');
  const { subdomain: _, hostname: __, ...podSpec } = child(template, 'spec');
  const claims = [...new Set(list(spec, 'volumeClaimTemplates').map((claim) => text(child(claim, 'metadata'), 'name')))];
  if (claims.length === 0) return { ...template, spec: podSpec };
  const volumes = [
    ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...list(podSpec, 'volumes').filter((volume) => !claims.includes(text(volume, 'name'))),
  ];
  return { ...template, spec: { ...podSpec, volumes } };
}

/** The service name of a new StatefulSet; it is immutable. */
export function validateServiceName(object: Fields, causes: Causes): void {
  const name = text(child(object, 'spec'), 'serviceName');
  if (name !== '') validateFormat(name, dns1123Label, 'spec.serviceName', causes);
}

const mutableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

export function validateStatefulSetUpdate(object: Fields, old: Fields, causes: Causes): void {
  const fixedFields = (spec: Fields): Fields => Object.fromEntries(Object.entries(spec).filter(([name]) => !isMutable(name)));
  if (sameValue(fixedFields(child(object, 'spec')), fixedFields(child(old, 'spec')))) return;
  const names = mutableFields.map((name) => `'${name}'`);
  causes.forbidden(
    'spec',
    `updates to statefulset spec for fields other than ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are forbidden`,
  );
}

const isMutable = (name: string): boolean => (mutableFields as readonly string[]).includes(name);

/** How many pods a status counts: names that are not negative, names limited by `replicas`, and whether readyReplicas limits availableReplicas. */
export const replicaStatus =
  (names: readonly string[], limitedNames: readonly string[], readyDetail?: string) =>
  (object: Fields, causes: Causes): void => {
    const status = child(object, 'status');
    validateNonNegative(status, names, 'status', causes);
    validateAtMost(status, limitedNames, 'replicas', 'status', 'cannot be greater than status.replicas', causes);
    if (readyDetail !== undefined) validateAtMost(status, ['availableReplicas'], 'readyReplicas', 'status', readyDetail, causes);
  };

export function validateCollisionCount(object: Fields, old: Fields, causes: Causes): void {
  const [count, oldCount] = [number(child(object, 'status'), 'collisionCount'), child(old, 'status')['collisionCount']];
  if (typeof oldCount === 'number' && count < oldCount) causes.invalid('status.collisionCount', count, 'cannot be decremented');
}
