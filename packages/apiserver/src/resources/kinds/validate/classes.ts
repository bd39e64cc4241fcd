import { bytesOf, dns1123Label, dns1123Subdomain, pathSegment } from '../../../formats/names.ts';
import { asJson, type Causes, validateFormat, validateRequiredFormat } from '../../field/causes.ts';
import { child, entries, type Fields, has, list, text } from '../../field/read.ts';
import { validateLabels } from '../../metadata/validate.ts';
import { validateRequirements } from '../../pods/validate/resources.ts';
import { validateTolerations } from '../../pods/validate/tolerations.ts';
import { validateDomainPath, validateImmutable } from './rules.ts';

/** Mirrors ValidateIngressClass (pkg/apis/networking/validation, 1.36). */
export function validateIngressClass(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  const controller = text(spec, 'controller');
  if (bytesOf(controller) > maxControllerBytes) causes.tooLong('spec.controller', maxControllerBytes);
  validateDomainPath(controller, 'spec.controller', causes);
  if (has(spec, 'parameters')) validateParameters(child(spec, 'parameters'), 'spec.parameters', causes);
}

const maxControllerBytes = 250;
const scopes = ['Cluster', 'Namespace'];

function validateParameters(parameters: Fields, field: string, causes: Causes): void {
  if (has(parameters, 'apiGroup')) validateFormat(text(parameters, 'apiGroup'), dns1123Subdomain, `${field}.apiGroup`, causes);
  for (const name of ['kind', 'name']) validateRequiredFormat(text(parameters, name), pathSegment, `${field}.${name}`, causes);
  if (!has(parameters, 'scope')) {
    causes.required(`${field}.scope`);
    return;
  }
  const scope = text(parameters, 'scope');
  const hasNamespace = has(parameters, 'namespace');
  if (!scopes.includes(scope)) causes.notSupported(`${field}.scope`, asJson(scope), scopes);
  else if (scope === 'Cluster') {
    if (hasNamespace) causes.forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'");
  } else if (hasNamespace) validateFormat(text(parameters, 'namespace'), dns1123Label, `${field}.namespace`, causes);
  else causes.required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'");
}

export function validateIngressClassUpdate(object: Fields, old: Fields, causes: Causes): void {
  validateImmutable(text(child(object, 'spec'), 'controller'), text(child(old, 'spec'), 'controller'), 'spec.controller', causes);
}

/** Mirrors ValidateRuntimeClass (pkg/apis/node/validation, 1.36). */
export function validateRuntimeClass(object: Fields, causes: Causes): void {
  validateRequiredFormat(text(object, 'handler'), dns1123Label, 'handler', causes);
  if (has(object, 'overhead')) {
    validateRequirements({ limits: child(child(object, 'overhead'), 'podFixed') }, 'overhead', 'container', causes);
  }
  const scheduling = child(object, 'scheduling');
  validateLabels(entries(scheduling, 'nodeSelector'), 'scheduling.nodeSelector', causes);
  const tolerations = list(scheduling, 'tolerations');
  validateTolerations(tolerations, 'scheduling.tolerations', causes);
  const keys = tolerations.map((each) => JSON.stringify(['key', 'operator', 'value', 'effect'].map((name) => text(each, name))));
  for (const [i, key] of keys.entries()) if (keys.indexOf(key) < i) causes.duplicate(`scheduling.tolerations[${i}]`, tolerations[i]);
}

export function validateRuntimeClassUpdate(object: Fields, old: Fields, causes: Causes): void {
  validateImmutable(text(object, 'handler'), text(old, 'handler'), 'handler', causes);
}
