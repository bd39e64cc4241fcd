import { portNumber } from '../../formats/names.ts';
import { asJson, type Causes } from '../field/causes.ts';
import { type Fields, has, number, text } from '../field/read.ts';
import { internal, isExternal, needsHealthCheck } from './defaults.ts';

/** Mirrors validateServiceExternalTrafficPolicy (pkg/apis/core/validation, 1.36). */
export function validateExternalTraffic(spec: Fields, causes: Causes): void {
  const policy = text(spec, 'externalTrafficPolicy');
  const field = 'spec.externalTrafficPolicy';
  if (!isExternal(spec)) {
    if (policy !== '') causes.invalid(field, asJson(policy), 'may only be set for externally-accessible services');
  } else if (policy === '') causes.required(field);
  else if (!policies.includes(policy)) causes.notSupported(field, asJson(policy), policies);
  const port = number(spec, 'healthCheckNodePort');
  const portField = 'spec.healthCheckNodePort';
  if (!needsHealthCheck(spec)) {
    if (port === 0) return;
    causes.invalid(portField, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  } else if (port === 0) causes.required(portField);
  else for (const message of portNumber(port)) causes.invalid(portField, port, message);
}

const policies: readonly string[] = ['Cluster', 'Local'];

/** Mirrors validateServiceInternalTrafficFieldsValue. */
export function validateInternalTraffic(spec: Fields, causes: Causes): void {
  const policy = text(spec, 'internalTrafficPolicy');
  if (!has(spec, 'internalTrafficPolicy')) {
    if (internal.includes(text(spec, 'type'))) causes.required('spec.internalTrafficPolicy');
  } else if (!policies.includes(policy)) causes.notSupported('spec.internalTrafficPolicy', asJson(policy), policies);
}

/** Mirrors validateServiceTrafficDistribution. */
export function validateTrafficDistribution(spec: Fields, causes: Causes): void {
  if (!has(spec, 'trafficDistribution')) return;
  const value = text(spec, 'trafficDistribution');
  if (!distributions.includes(value)) causes.notSupported('spec.trafficDistribution', value, distributions);
}

const distributions: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
