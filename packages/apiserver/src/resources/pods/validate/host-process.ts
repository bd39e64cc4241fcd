import type { Causes } from '../../field/causes.ts';
import { child, type Fields, flag, has } from '../../field/read.ts';
import { containersWithPaths } from '../warnings/containers.ts';

/** Mirrors validateWindowsHostProcessPod (pkg/apis/core/validation, 1.36) with privileged containers disallowed. */
export function validateHostProcess(spec: Fields, causes: Causes): void {
  const ofPod = optionsOf(spec);
  const containers = containersWithPaths(spec).map(({ container, path }) => ({ options: optionsOf(container), path }));
  for (const { options, path } of containers) {
    if (!has(ofPod, name) || !has(options, name) || flag(ofPod, name) === flag(options, name)) continue;
    const detail = `pod hostProcess value must be identical if both are specified, was ${flag(ofPod, name)}`;
    causes.invalid(`${path}.securityContext.windowsOptions.hostProcess`, flag(options, name), detail);
  }
  const count = containers.filter(({ options }) => flag(has(options, name) ? options : ofPod, name)).length;
  if (count === 0) return;
  if (count < containers.length) {
    causes.invalid('spec', '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers');
  }
  if (!flag(spec, 'hostNetwork')) {
    causes.invalid('spec.hostNetwork', false, 'hostNetwork must be true if pod contains any hostProcess containers');
  }
  causes.forbidden('spec', 'hostProcess containers are disallowed by cluster policy');
}

const name = 'hostProcess';

const optionsOf = (object: Fields): Fields => child(child(object, 'securityContext'), 'windowsOptions');
