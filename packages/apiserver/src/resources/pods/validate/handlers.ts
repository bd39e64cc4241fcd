import { httpHeaderName } from '../../../formats/names.ts';
import { asJson, type Causes } from '../../field/causes.ts';
import { child, type Fields, has, list, number, text, texts } from '../../field/read.ts';
import { validatePortNumberOrName } from '../../services/ports.ts';

/** Mirrors validateLivenessProbe, validateReadinessProbe and validateStartupProbe (pkg/apis/core/validation, 1.36). */
export function validateProbes(container: Fields, field: string, causes: Causes): void {
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (!has(container, name)) continue;
    const [probe, probeField] = [child(container, name), `${field}.${name}`];
    validateProbe(probe, probeField, causes);
    if (name === 'readinessProbe') {
      if (!has(probe, 'terminationGracePeriodSeconds')) continue;
      causes.invalid(
        `${probeField}.terminationGracePeriodSeconds`,
        probe['terminationGracePeriodSeconds'],
        'must not be set for readinessProbes',
      );
    } else if (number(probe, 'successThreshold') !== 1) {
      causes.invalid(`${probeField}.successThreshold`, number(probe, 'successThreshold'), 'must be 1');
    }
  }
}

const nonnegativeFields: readonly string[] = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];

function validateProbe(probe: Fields, field: string, causes: Causes): void {
  validateHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], undefined, field, causes);
  validateNonnegative(probe, nonnegativeFields, field, causes);
  const gracePeriodSeconds = number(probe, 'terminationGracePeriodSeconds');
  if (has(probe, 'terminationGracePeriodSeconds') && gracePeriodSeconds <= 0) {
    causes.invalid(`${field}.terminationGracePeriodSeconds`, gracePeriodSeconds, 'must be greater than 0');
  }
}

/** Mirrors validateLifecycle. stopSignal is not validated: its feature gate is off by default. */
export function validateLifecycle(lifecycle: Fields, spec: Fields, field: string, causes: Causes): void {
  const gracePeriodSeconds = has(spec, 'terminationGracePeriodSeconds') ? number(spec, 'terminationGracePeriodSeconds') : undefined;
  for (const name of ['postStart', 'preStop']) {
    if (!has(lifecycle, name)) continue;
    validateHandler(child(lifecycle, name), ['exec', 'httpGet', 'tcpSocket', 'sleep'], gracePeriodSeconds, `${field}.${name}`, causes);
  }
}

function validateHandler(
  handler: Fields,
  handlerTypes: readonly string[],
  gracePeriodSeconds: number | undefined,
  field: string,
  causes: Causes,
): void {
  const [first, ...others] = handlerTypes.filter((kind) => has(handler, kind));
  if (first === undefined) {
    causes.required(field, 'must specify a handler type');
    return;
  }
  handlerChecks[first]?.(child(handler, first), `${field}.${first}`, causes, gracePeriodSeconds);
  for (const other of others) causes.forbidden(`${field}.${other}`, 'may not specify more than 1 handler type');
}

type HandlerCheck = (action: Fields, field: string, causes: Causes, gracePeriodSeconds: number | undefined) => void;

const handlerChecks: Readonly<Record<string, HandlerCheck>> = {
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
  sleep: (action, field, causes, gracePeriodSeconds) => {
    const seconds = number(action, 'seconds');
    if (gracePeriodSeconds === undefined || (seconds >= 0 && seconds <= gracePeriodSeconds)) return;
    causes.invalid(field, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriodSeconds})`);
  },
};

/** Mirrors ValidateNonnegativeField for several fields. */
function validateNonnegative(object: Fields, names: readonly string[], field: string, causes: Causes): void {
  for (const name of names) {
    if (number(object, name) < 0) causes.invalid(`${field}.${name}`, number(object, name), 'must be greater than or equal to 0');
  }
}
