import { parseRelease } from 'kube-endpoints/internal';
import { type DelayRange, type DelayRanges, delays } from '../engine/delays.ts';
import type { ApplicationSettings } from '../network/application.ts';
import type { NetworkSettings } from '../network/network.ts';
import type { ClientSettings } from './drop.ts';
import { boolean, type Fields, isMap, list, oneOf, optional, type Read, record, text, wholeNumber } from './fields.ts';

/** What surrounds a change. All fields have documented defaults. */
export interface Environment {
  readonly clients?: Partial<ClientSettings>;
  /** Replaces ranges of delays, in milliseconds. */
  readonly ranges?: DelayRanges;
  readonly network?: NetworkSettings;
  /** How all processes behave. */
  readonly application?: Partial<ApplicationSettings>;
}

/** A range of a delay, in milliseconds. */
const range: Read<DelayRange> = (path, value) => {
  const { min, max } = (isMap(value) ? value : {}) as { readonly min?: unknown; readonly max?: unknown };
  if (isTime(min) && isTime(max) && min <= max) return { min, max };
  throw new RangeError(`${path}: give min and max in milliseconds, such as {"min": 0, "max": 500}`);
};

const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const milliseconds = optional(wholeNumber(0, 86_400_000));
const count = optional(wholeNumber(0, 1000));
const names = list(text('a name'), 1000);

export const applicationFields: Read<Partial<ApplicationSettings>> = record({
  onTerminate: optional(oneOf('finish', 'close', 'ignore')),
  drainSeconds: optional(wholeNumber(0, 86_400)),
  isReadyWhileDraining: optional(boolean),
  start: optional(range),
  exit: optional(range),
  exitAfterSeconds: optional(wholeNumber(1, 86_400)),
}) as Read<Partial<ApplicationSettings>>;

/** Fields of load balancers, some of which only those of pods have. */
const loadBalancerFields =
  (fields: Fields): Read<unknown> =>
  (path, value) => {
    const settings = record(fields)(path, value);
    const name = ['healthChecks', 'deregistrationDelayMs', 'readinessGate'].find((each) => settings[each] !== undefined);
    if (name !== undefined && settings['targets'] !== 'pods')
      throw new RangeError(`${path}.${name} is only for pods: give ${path}.targets: pods, too, or leave it out`);
    if (settings['readinessGate'] && !settings['healthChecks'])
      throw new RangeError(`${path}.readinessGate needs health checks: give ${path}.healthChecks: true, too, or leave it out`);
    return settings;
  };

/** Before, kube-proxy reads Endpoints by default, which the simulation does not have. */
const firstProxyMinor = 19;

const proxyRelease: Read<string> = (path, value) => {
  const release = text('a release such as 1.25')(path, value);
  try {
    parseRelease(release, firstProxyMinor);
  } catch (error) {
    throw new RangeError(`${path}: ${(error as Error).message}`, { cause: error });
  }
  return release;
};

const environmentFields: Readonly<Record<keyof Environment, Read<unknown>>> = {
  clients: optional(record({ requestMs: milliseconds, keepAlive: optional(boolean), retries: count, components: optional(names) })),
  ranges: optional(record(Object.fromEntries(Object.keys(delays).map((name) => [name, optional(range)])))),
  network: optional(
    record({
      kubeProxy: optional(record({ minSyncPeriodMs: milliseconds, version: optional(proxyRelease) })),
      loadBalancer: optional(
        loadBalancerFields({
          targets: optional(oneOf('nodes', 'pods')),
          healthCheckIntervalMs: milliseconds,
          unhealthyThreshold: count,
          healthyThreshold: count,
          windowMs: milliseconds,
          healthChecks: optional(boolean),
          deregistrationDelayMs: milliseconds,
          readinessGate: optional(boolean),
        }),
      ),
      ingresses: optional(list(record({ name: text('a name such as nginx'), services: names, minIntervalMs: milliseconds }), 1000)),
    }),
  ),
  application: optional(applicationFields),
};

/**
 * Checks the fields of an environment.
 * @param others the names of further fields, which are not checked
 * @throws RangeError naming the first wrong field and what it accepts
 */
export function checkEnvironment(environment: Environment, others: readonly string[] = []): void {
  record({ ...environmentFields, ...Object.fromEntries(others.map((name) => [name, () => undefined])) })('', environment);
}
