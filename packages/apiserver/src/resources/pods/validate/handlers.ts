import { httpHeaderName } from '../../../formats/names.ts';
import { asJson, type Causes } from '../../field/causes.ts';
import { child, type Fields, has, list, number, text, texts } from '../../field/read.ts';
import { validatePortNumberOrName } from '../../services/ports.ts';

/** Mirrors validateLivenessProbe, validateReadinessProbe and validateStartupProbe (pkg/apis/core/validation, 1.36). */
export function validateProbes(container: Fields, field: string, causes: Causes): void {
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (!has(container, name)) continue;
    const [probe, own] = [child(container, name), `${field}.${name}`];
    validateProbe(probe, own, causes);
    if (name === 'readinessProbe') {
      if (!has(probe, 'terminationGracePeriodSeconds')) continue;
      causes.invalid(`${own}.terminationGracePeriodSeconds`, probe['terminationGracePeriodSeconds'], 'must not be set for readinessProbes');
    } else if (number(probe, 'successThreshold') !== 1) {
      causes.invalid(`${own}.successThreshold`, number(probe, 'successThreshold'), 'must be 1');
    }
  }
}

const counts: readonly string[] = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function validateProbe(probe: Fields, field: string, causes: Causes): void {
  validateHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], undefined, field, causes);
  validateNonnegative(probe, counts, field, causes);
  const grace = number(probe, 'terminationGracePeriodSeconds');
  if (has(probe, 'terminationGracePeriodSeconds') && grace <= 0) {
    causes.invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0');
  }
}

/** Mirrors validateLifecycle; stopSignal is off by default. */
export function validateLifecycle(lifecycle: Fields, spec: Fields, field: string, causes: Causes): void {
  const grace = has(spec, 'terminationGracePeriodSeconds') ? number(spec, 'terminationGracePeriodSeconds') : undefined;
  for (const name of ['postStart', 'preStop']) {
    if (!has(lifecycle, name)) continue;
    validateHandler(child(lifecycle, name), ['exec', 'httpGet', 'tcpSocket', 'sleep'], grace, `${field}.${name}`, causes);
  }
}

function validateHandler(handler: Fields, kinds: readonly string[], grace: number | undefined, field: string, causes: Causes): void {
  const [first, ...others] = kinds.filter((kind) => has(handler, kind));
  if (first === undefined) {
    causes.required(field, 'must specify a handler type');
    return;
  }
  checks[first]?.(child(handler, first), `${field}.${first}`, causes, grace);
  for (const other of others) causes.forbidden(`${field}.${other}`, 'may not specify more than 1 handler type');
}

type Check = (action: Fields, field: string, causes: Causes, grace: number | undefined) => void;

const checks: Readonly<Record<string, Check>> = {
  exec: (action, field, causes) => {
    if (texts(action, 'command').length === 0) causes.required(`${field}.command`);
  },
  httpGet: (action, field, causes) => {
    if (text(action, 'path') === '') causes.required(`${field}.path`);
    validatePortNumberOrName(action['port'], `${field}.port`, causes);
    const scheme = text(action, 'scheme');
    if (scheme !== 'HTTP' && scheme !== 'HTTPS') causes.notSupported(`${field}.scheme`, asJson(scheme), ['HTTP', 'HTTPS']);
    for (const header of list(action, 'httpHeaders')) {
      const name = text(header, 'name');
      for (const message of httpHeaderName(name)) causes.invalid(`${field}.httpHeaders`, name, message);
    }
  },
  tcpSocket: (action, field, causes) => validatePortNumberOrName(action['port'], `${field}.port`, causes),
  grpc: (action, field, causes) => validatePortNumberOrName(action['port'], `${field}.port`, causes),
  sleep: (action, field, causes, grace) => {
    const seconds = number(action, 'seconds');
    if (grace === undefined || (seconds >= 0 && seconds <= grace)) return;
    causes.invalid(field, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`);
  },
};

/** Mirrors ValidateNonnegativeField for each. */
function validateNonnegative(object: Fields, names: readonly string[], field: string, causes: Causes): void {
  for (const name of names) {
    if (number(object, name) < 0) causes.invalid(`${field}.${name}`, number(object, name), 'must be greater than or equal to 0');
  }
}
