import { isDNS1123Subdomain } from 'kube-endpoints/internal/apimachinery';

/**
 * Validates options that may come from untyped JavaScript. Options with a range are validated where they are read.
 * @throws RangeError that names the invalid option and says what to give
 */
export function checkControllers(options: unknown): void {
  requireObject('options', options, [], 'an object with at least a port');
  const { port, namespace, ownership, workloads, clock, random, onEvent } = options as Fields;
  requirePort('port', port);
  if (namespace !== undefined) requireName('namespace', namespace);
  if (clock !== undefined) requireObject('clock', clock, ['now', 'elapsed', 'schedule'], 'a SteadyClock, such as systemClock');
  if (ownership !== undefined)
    requireObject('ownership', ownership, ['owns', 'onChange'], 'an object with the functions owns and onChange');
  for (const [name, value] of Object.entries({ random, onEvent })) {
    if (value !== undefined && typeof value !== 'function') throw invalidOption(name, value, 'a function');
  }
  if (workloads !== undefined) checkWorkloads(workloads);
}

/**
 * Validates the options of a host, with the same rules for untyped JavaScript.
 * @throws RangeError that names the invalid option and says what to give
 */
export function checkHost(options: unknown): void {
  checkControllers(options);
  const { leasePort, drainTimeout, leaderElection, shards, serviceLoadBalancer } = options as Fields;
  if (leasePort !== undefined) requirePort('leasePort', leasePort);
  if (drainTimeout !== undefined) requireMilliseconds('drainTimeout', drainTimeout, { allowZero: true });
  for (const [name, value] of Object.entries({ leaderElection, shards, serviceLoadBalancer })) {
    if (value !== undefined) requireObject(name, value, [], 'an object, {} for the defaults');
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Requires only the two functions that every controller calls. Which others are needed depends on the options. */
const requirePort = (name: string, value: unknown): void =>
  requireObject(name, value, ['list', 'watch'], 'a ClientPort, such as that of createClientNodePort or the client of createApiServer');

function checkWorkloads(workloads: unknown): void {
  const expected = 'an object with a resource and the function toPod';
  requireObject('workloads', workloads, ['toPod'], expected);
  const { resource } = workloads as Fields;
  const { group, version, plural, kind } = typeof resource === 'object' && resource !== null ? (resource as Fields) : {};
  if ([group, version, plural, kind].every((part) => typeof part === 'string') && plural !== '') return;
  throw invalidOption('workloads.resource', resource, 'a Resource: group, version, plural, kind and namespaced');
}

/** @throws RangeError unless the value is an object that has these functions */
function requireObject(name: string, value: unknown, functions: readonly string[], expected: string): void {
  if (typeof value !== 'object' || value === null) throw invalidOption(name, value, expected);
  const missingFunction = functions.find((member) => typeof (value as Fields)[member] !== 'function');
  if (missingFunction !== undefined) throw new RangeError(`${name} has no function ${missingFunction}: give ${expected}`);
}

const invalidOption = (name: string, value: unknown, expected: string): RangeError =>
  new RangeError(`${name} is ${describeValue(value)}: give ${expected}`);

/** @throws RangeError unless the value is a number of milliseconds greater than 0, or 0 if that is allowed, in the range of a timer */
export function requireMilliseconds(name: string, value: unknown, { allowZero = false }: { readonly allowZero?: boolean } = {}): void {
  const isInRange = typeof value === 'number' && (value > 0 || (allowZero && value === 0)) && value <= maxTimerMs;
  if (!isInRange) {
    const minimum = allowZero ? 'of 0 or more' : 'greater than 0';
    throw new RangeError(`${name} is ${describeValue(value)}: give a number of milliseconds ${minimum}, and no more than ${maxTimerMs}`);
  }
}

/** @throws RangeError unless the value is a string that is not empty */
export function requireText(name: string, value: unknown, purpose: string): void {
  if (typeof value === 'string' && value !== '') return;
  throw new RangeError(`${name} is ${describeValue(value)}: give a non-empty string, ${purpose}`);
}

/** @throws RangeError unless the value is a DNS-1123 subdomain, as names of objects are */
export function requireName(name: string, value: unknown): void {
  if (typeof value === 'string' && isDNS1123Subdomain(value)) return;
  throw new RangeError(
    `${name} is ${describeValue(value)}: give a DNS subdomain name: lower case letters, digits, "-" and ".", beginning and ending with a letter or digit`,
  );
}

/** Formats a value for a message, including NaN and functions. */
export const describeValue = (value: unknown): string =>
  typeof value === 'number' ? String(value) : typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
const maxTimerMs = 0x7fffffff;
