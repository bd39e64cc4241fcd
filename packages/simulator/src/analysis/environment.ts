import { type DelayRanges, delays } from '../engine/delays.ts';
import type { ApplicationSettings } from '../network/application.ts';
import type { NetworkSettings } from '../network/network.ts';
import type { ClientSettings } from './drop.ts';

/** What surrounds a change. All fields have documented defaults. */
export interface Environment {
  readonly clients?: Partial<ClientSettings>;
  /** Replaces ranges of delays, in milliseconds. */
  readonly ranges?: DelayRanges;
  readonly network?: NetworkSettings;
  /** How all processes behave. */
  readonly application?: Partial<ApplicationSettings>;
}

/**
 * Checks the names of an environment's fields and its ranges.
 * @param others the names of fields that the error for an unknown one lists, too
 * @throws RangeError naming the first wrong field and what it accepts
 */
export function checkEnvironment(environment: Environment, others: readonly string[] = []): void {
  for (const [name, fields] of Object.entries(environmentFields)) {
    const section: unknown = environment[name as keyof Environment];
    if (section === undefined) continue;
    if (typeof section !== 'object' || section === null) throw new RangeError(`${name}: give an object`);
    for (const field of Object.keys(section)) checkName(`${name}.${field}`, field, fields);
  }
  for (const name of Object.keys(environment)) checkName(name, name, [...Object.keys(environmentFields), ...others]);
  for (const [name, range] of Object.entries(environment.ranges ?? {})) checkRange(`ranges.${name}`, range);
}

const environmentFields: Readonly<Record<keyof Environment, readonly string[]>> = {
  clients: ['requestMs', 'keepAlive', 'retries', 'components'],
  ranges: Object.keys(delays),
  network: ['kubeProxy', 'loadBalancer', 'ingresses'],
  application: ['onTerminate', 'drainSeconds', 'isReadyWhileDraining', 'start', 'exit'],
};

function checkName(path: string, name: string, names: readonly string[]): void {
  if (!names.includes(name)) throw new RangeError(`${path} is unknown: give ${names.join(', ')}`);
}

function checkRange(path: string, range: unknown): void {
  const { min, max } = (typeof range === 'object' && range ? range : {}) as { readonly min?: unknown; readonly max?: unknown };
  if (isTime(min) && isTime(max) && min <= max) return;
  throw new RangeError(`${path}: give min and max in milliseconds, such as {"min": 0, "max": 500}`);
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
