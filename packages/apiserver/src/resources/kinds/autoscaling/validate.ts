import { dns1123Label, pathSegment } from '../../../formats/names.ts';
import { asJson, type Causes, validateFormat } from '../../field/causes.ts';
import { child, type Fields, has, list, number, text } from '../../field/read.ts';
import { isStandardContainerResource, isStandardResource, nanosOf } from '../../field/resource-list.ts';

/** Mirrors validateHorizontalPodAutoscalerSpec (pkg/apis/autoscaling/validation, 1.36). */
export function validateAutoscaler(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  const [minReplicas, maxReplicas] = [number(spec, 'minReplicas'), number(spec, 'maxReplicas')];
  if (has(spec, 'minReplicas') && minReplicas < 1) causes.invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1');
  if (maxReplicas === 0) causes.required('spec.maxReplicas', 'must be set and greater than 0');
  else if (maxReplicas < 0) causes.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1');
  if (has(spec, 'minReplicas') && maxReplicas < minReplicas) {
    causes.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  validateReferenceNames(child(spec, 'scaleTargetRef'), 'spec.scaleTargetRef', causes);
  const metrics = list(spec, 'metrics');
  for (const [i, metric] of metrics.entries()) validateMetric(metric, `spec.metrics[${i}]`, causes);
  const scalesToZero = has(spec, 'minReplicas') && minReplicas === 0;
  if (scalesToZero && !metrics.some((metric) => ['Object', 'External'].includes(text(metric, 'type')))) {
    causes.forbidden('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas');
  }
  for (const name of ['scaleUp', 'scaleDown']) {
    const behavior = child(spec, 'behavior');
    if (has(behavior, name)) validateScalingRules(child(behavior, name), `spec.behavior.${name}`, causes);
  }
}

/** Validates the apiVersion of the target, unless an update keeps target kind and apiVersion. */
export function validateTargetVersion(object: Fields, old: Fields | undefined, causes: Causes): void {
  const [target, oldTarget] = [object, old ?? {}].map((each) => child(child(each, 'spec'), 'scaleTargetRef')) as [Fields, Fields];
  const isKept = old && ['kind', 'apiVersion'].every((name) => text(target, name) === text(oldTarget, name));
  if (!isKept) validateApiVersion(target, text(target, 'kind') === 'ReplicationController', 'spec.scaleTargetRef', causes);
}

function validateApiVersion(reference: Fields, mayLackGroup: boolean, field: string, causes: Causes): void {
  const apiVersion = text(reference, 'apiVersion');
  const slashes = apiVersion.split('/').length - 1;
  if (slashes > 1) causes.invalid(`${field}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  else if (!mayLackGroup && (slashes === 0 || apiVersion.startsWith('/'))) {
    causes.invalid(`${field}.apiVersion`, apiVersion, 'apiVersion must specify API group');
  }
}

function validateReferenceNames(reference: Fields, field: string, causes: Causes): void {
  for (const name of ['kind', 'name']) {
    const value = text(reference, name);
    if (value === '') causes.required(`${field}.${name}`);
    else validateFormat(value, pathSegment, `${field}.${name}`, causes);
  }
}

/** The fields of the types of metrics, in the order of validation. */
const sourceFields: Readonly<Record<string, string>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

const metricTypes = Object.keys(sourceFields).sort();

function validateMetric(metric: Fields, field: string, causes: Causes): void {
  const type = text(metric, 'type');
  if (type === '') causes.required(`${field}.type`, 'must specify a metric source type');
  const expected = sourceFields[type];
  // Upstream reports an unknown type twice.
  if (expected === undefined) for (let i = 0; i < 2; i++) causes.notSupported(`${field}.type`, asJson(type), metricTypes);
  const present = Object.values(sourceFields).filter((name) => has(metric, name));
  const [first] = present;
  if (first !== undefined) validateSource(child(metric, first), first, `${field}.${first}`, causes);
  if (expected !== undefined && !has(metric, expected)) {
    causes.required(`${field}.${expected}`, 'must populate information for the given metric source');
  }
  if (present.length === 1) return;
  for (const name of present) if (name !== expected) causes.forbidden(`${field}.${name}`, 'must populate the given metric source only');
}

function validateSource(source: Fields, name: string, field: string, causes: Causes): void {
  const target = child(source, 'target');
  const targetField = `${field}.target`;
  if (name === 'object') {
    validateReferenceNames(child(source, 'describedObject'), `${field}.describedObject`, causes);
    validateApiVersion(child(source, 'describedObject'), true, `${field}.describedObject`, causes);
  }
  if (name === 'resource' || name === 'containerResource') {
    const resource = text(source, 'name');
    if (resource === '') causes.required(`${field}.name`, 'must specify a resource name');
    else if (name === 'containerResource' && !resource.includes('/') && !isStandardContainerResource(resource)) {
      // Upstream also reports names that are no standard resource at all.
      if (!isStandardResource(resource)) causes.invalid(`${field}.name`, resource, 'must be a standard resource type or fully qualified');
      causes.invalid(`${field}.name`, resource, 'must be a standard resource for containers');
    }
    if (name === 'containerResource') validateContainer(text(source, 'container'), `${field}.container`, causes);
    validateTarget(target, targetField, causes);
    const [hasUtilization, hasValue] = [has(target, 'averageUtilization'), has(target, 'averageValue')];
    if (!hasUtilization && !hasValue) {
      causes.required(`${targetField}.averageUtilization`, 'must set either a target raw value or a target utilization');
    }
    if (hasUtilization && hasValue) {
      causes.forbidden(`${targetField}.averageValue`, 'may not set both a target raw value and a target utilization');
    }
    return;
  }
  const metricName = text(child(source, 'metric'), 'name');
  if (metricName === '') causes.required(`${field}.metric.name`, 'must specify a metric name');
  else validateFormat(metricName, pathSegment, `${field}.metric.name`, causes);
  validateTarget(target, targetField, causes);
  const [hasValue, hasAverage] = [has(target, 'value') && name !== 'pods', has(target, 'averageValue')];
  if (!hasValue && !hasAverage) causes.required(`${targetField}.averageValue`, missingTarget[name]);
  if (name === 'external' && hasValue && hasAverage) {
    causes.forbidden(`${targetField}.value`, 'may not set both a target value for metric and a per-pod target');
  }
}

const missingTarget: Readonly<Record<string, string>> = {
  object: 'must set either a target value or averageValue',
  external: 'must set either a target value for metric or a per-pod target',
  pods: 'must specify a positive target averageValue',
};

function validateContainer(container: string, field: string, causes: Causes): void {
  if (container === '') causes.required(field, 'must specify a container');
  else validateFormat(container, dns1123Label, field, causes);
}

function validateTarget(target: Fields, field: string, causes: Causes): void {
  const type = text(target, 'type');
  if (type === '') causes.required(`${field}.type`, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    causes.invalid(`${field}.type`, asJson(type), 'must be either Utilization, Value, or AverageValue');
  }
  for (const name of ['value', 'averageValue']) {
    if (has(target, name) && nanosOf(text(target, name)) <= 0n) {
      causes.invalid(`${field}.${name}`, asJson(text(target, name)), 'must be positive');
    }
  }
  if (has(target, 'averageUtilization') && number(target, 'averageUtilization') < 1) {
    causes.invalid(`${field}.averageUtilization`, number(target, 'averageUtilization'), 'must be greater than 0');
  }
}

const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

function validateScalingRules(rules: Fields, field: string, causes: Causes): void {
  const window = number(rules, 'stabilizationWindowSeconds');
  const windowField = `${field}.stabilizationWindowSeconds`;
  if (window < 0) causes.invalid(windowField, window, 'must be greater than or equal to zero');
  if (window > maxWindowSeconds) causes.invalid(windowField, window, `must be less than or equal to ${maxWindowSeconds}`);
  const choices = ['Disabled', 'Max', 'Min'];
  const policy = text(rules, 'selectPolicy');
  if (has(rules, 'selectPolicy') && !choices.includes(policy)) causes.notSupported(`${field}.selectPolicy`, asJson(policy), choices);
  const policies = list(rules, 'policies');
  if (policies.length === 0) causes.required(`${field}.policies`, 'must specify at least one Policy');
  for (const [i, each] of policies.entries()) validatePolicy(each, `${field}.policies[${i}]`, causes);
  const tolerance = text(rules, 'tolerance');
  if (nanosOf(tolerance) < 0n) causes.invalid(`${field}.tolerance`, tolerance, 'must be greater than or equal to 0');
}

function validatePolicy(policy: Fields, field: string, causes: Causes): void {
  const type = text(policy, 'type');
  if (type !== 'Pods' && type !== 'Percent') causes.notSupported(`${field}.type`, asJson(type), ['Percent', 'Pods']);
  for (const name of ['value', 'periodSeconds']) {
    if (number(policy, name) <= 0) causes.invalid(`${field}.${name}`, number(policy, name), 'must be greater than zero');
  }
  const period = number(policy, 'periodSeconds');
  if (period > maxPeriodSeconds) causes.invalid(`${field}.periodSeconds`, period, `must be less than or equal to ${maxPeriodSeconds}`);
}
