import { dns1123Label } from '../../../formats/names.ts';
import { asJson, type Causes, validateRequiredChoice, validateRequiredFormat } from '../../field/causes.ts';
import { child, type Fields, has, list, text } from '../../field/read.ts';
import { claimNames } from './claims.ts';
import { validateEnvironment } from './env.ts';
import { validateLifecycle, validateProbes } from './handlers.ts';
import { type Volumes, validateDevices, validateMounts } from './mounts.ts';
import { validateContainerPorts, validateUniqueHostPorts } from './ports.ts';
import { validateRequirements } from './resources.ts';
import { validateResizePolicy, validateRestartPolicy } from './restart.ts';
import { validateContainerSecurity } from './security.ts';

/** Mirrors validateContainers (pkg/apis/core/validation, 1.36). */
export function validateContainers(spec: Fields, volumes: Volumes, causes: Causes): void {
  const containers = list(spec, 'containers');
  if (containers.length === 0) {
    causes.required('spec.containers');
    return;
  }
  const names = new Set<string>();
  for (const [i, container] of containers.entries()) {
    const field = `spec.containers[${i}]`;
    validateCommonFields(container, spec, volumes, field, causes);
    const name = text(container, 'name');
    if (names.has(name)) causes.duplicate(`${field}.name`, name);
    names.add(name);
    validateHooksAndProbes(container, spec, field, causes);
    validateRestartPolicy(container, false, field, causes);
  }
  validateUniqueHostPorts(containers, (i) => `spec.containers[${i}]`, causes);
}

/** Mirrors validateInitContainers: init containers that are not sidecars have neither probes nor lifecycle hooks. */
export function validateInitContainers(spec: Fields, volumes: Volumes, causes: Causes): void {
  const names = new Set(list(spec, 'containers').map((container) => text(container, 'name')));
  for (const [i, container] of list(spec, 'initContainers').entries()) {
    const field = `spec.initContainers[${i}]`;
    validateCommonFields(container, spec, volumes, field, causes);
    validateRestartPolicy(container, true, field, causes);
    const name = text(container, 'name');
    if (names.has(name)) causes.duplicate(`${field}.name`, name);
    else if (name !== '') names.add(name);
    // Upstream always reports the path of the first init container.
    validateUniqueHostPorts([container], () => 'spec.initContainers[0]', causes);
    if (text(container, 'restartPolicy') === 'Always') validateHooksAndProbes(container, spec, field, causes);
    else validateRegularInitContainer(container, field, causes);
  }
}

function validateHooksAndProbes(container: Fields, spec: Fields, field: string, causes: Causes): void {
  if (has(container, 'lifecycle')) validateLifecycle(child(container, 'lifecycle'), spec, `${field}.lifecycle`, causes);
  validateProbes(container, field, causes);
}

function validateRegularInitContainer(container: Fields, field: string, causes: Causes): void {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (has(container, name)) causes.forbidden(`${field}.${name}`, 'may not be set for init containers without restartPolicy=Always');
  }
  for (const [j, policy] of list(container, 'resizePolicy').entries()) {
    const value = text(policy, 'restartPolicy');
    if (value !== 'RestartContainer') continue;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    causes.invalid(`${field}.resizePolicy[${j}].restartPolicy`, asJson(value), detail);
  }
}

/** Mirrors validateContainerCommon. */
function validateCommonFields(container: Fields, spec: Fields, volumes: Volumes, field: string, causes: Causes): void {
  const name = text(container, 'name');
  validateRequiredFormat(name, dns1123Label, `${field}.name`, causes);
  if (text(container, 'image') === '') causes.required(`${field}.image`);
  const policies = ['File', 'FallbackToLogsOnError'];
  validateRequiredChoice(container, 'terminationMessagePolicy', `${field}.terminationMessagePolicy`, policies, causes);
  validateContainerPorts(list(container, 'ports'), `${field}.ports`, causes);
  validateEnvironment(container, field, causes);
  validateMounts(container, volumes, field, causes);
  validateDevices(container, volumes, field, causes);
  validatePullPolicy(container, 'imagePullPolicy', `${field}.imagePullPolicy`, causes);
  validateRequirements(child(container, 'resources'), `${field}.resources`, 'container', causes, claimNames(spec));
  validateResizePolicy(container, text(spec, 'restartPolicy'), `${field}.resizePolicy`, causes);
  if (has(container, 'securityContext')) {
    validateContainerSecurity(child(container, 'securityContext'), spec['hostUsers'] !== false, `${field}.securityContext`, causes);
  }
}

export function validatePullPolicy(object: Fields, name: string, field: string, causes: Causes): void {
  validateRequiredChoice(object, name, field, ['Always', 'IfNotPresent', 'Never'], causes);
}
