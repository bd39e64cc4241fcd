import type { Causes } from '../../field/causes.ts';
import { child, type Fields, flag, has } from '../../field/read.ts';
import { containersWithPaths } from '../warnings/containers.ts';

/** Mirrors validateWindowsHostProcessPod (pkg/apis/core/validation, 1.36) with privileged containers disallowed. */
export function validateHostProcess(spec: Fields, causes: Causes): void {
  const podOptions = optionsOf(spec);
  const containers = containersWithPaths(spec).map(({ container, path }) => ({ options: optionsOf(container), path }));
  for (const { options, path } of containers) {
    if (!has(podOptions, hostProcess) || !has(options, hostProcess) || flag(podOptions, hostProcess) === flag(options, hostProcess))
      continue;
    const detail = `pod hostProcess value must be identical if both are specified, was ${flag(podOptions, hostProcess)}`;
    causes.invalid(`${path}.securityContext.windowsOptions.hostProcess`, flag(options, hostProcess), detail);
  }
  const hostProcessCount = containers.filter(({ options }) => flag(has(options, hostProcess) ? options : podOptions, hostProcess)).length;
  if (hostProcessCount === 0) return;
  if (hostProcessCount < containers.length) {
    causes.invalid('spec', '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers');
  }
  if (!flag(spec, 'hostNetwork')) {
    causes.invalid('spec.hostNetwork', false, 'hostNetwork must be true if pod contains any hostProcess containers');
  }
  causes.forbidden('spec', 'hostProcess containers are disallowed by cluster policy');
}

const hostProcess = 'hostProcess';

const optionsOf = (object: Fields): Fields => child(child(object, 'securityContext'), 'windowsOptions');
