import { parseInstant } from 'kube-endpoints/internal';
import { canonicalIP } from 'kube-endpoints/internal/apimachinery';

/** A constraint on a field: a predicate, and a description of valid values that follows "give" in the error message. */
export interface Check {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
}

/** Whether a value is a plain object, as JSON and YAML parsers create it. Arrays, dates and binary data are not. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isText = (value: unknown): value is string => typeof value === 'string';

export const map: Check = { accepts: isMap, expected: 'a map' };
export const list: Check = { accepts: Array.isArray, expected: 'a list' };
export const text: Check = { accepts: isText, expected: 'text, quoted in YAML' };
export const bool: Check = { accepts: (value) => typeof value === 'boolean', expected: 'true or false' };

export const wholeNumber = (from: number, to: number): Check => ({
  accepts: (value) => isWithin(value, from, to),
  expected: `a whole number from ${from} to ${to}`,
});

/** Also accepts empty text, which counts as absent. */
export const oneOf = (...names: readonly string[]): Check => ({
  accepts: (value) => value === '' || (isText(value) && names.includes(value)),
  expected: names.length === 2 ? names.join(' or ') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
});

/** Accepts every object name that the API server accepts for some kind. */
export const objectName: Check = {
  accepts: (value) => isText(value) && value.length <= 253 && dnsNamePattern.test(value),
  expected: 'a name of lower-case letters, digits, "-" and "."',
};
/** Accepts the same values as `objectName`, and empty text, which counts as absent. */
export const namespaceName: Check = { accepts: (value) => value === '' || objectName.accepts(value), expected: objectName.expected };

/** Also accepts empty text, which counts as absent. */
export const address: Check = {
  accepts: (value) => value === '' || isAddress(value),
  expected: 'an IPv4 or IPv6 address',
};
export const requiredAddress: Check = { accepts: isAddress, expected: address.expected };
export const clusterAddress: Check = {
  accepts: (value) => value === 'None' || address.accepts(value),
  expected: 'an IPv4 or IPv6 address, or None',
};

/** Accepts all text and numbers. The consumers parse the quantity. */
export const quantity: Check = {
  accepts: (value) => isText(value) || typeof value === 'number',
  expected: 'a quantity such as "500m"',
};

export const targetPort: Check = {
  accepts: (value) => isText(value) || isWithin(value, 0, 65535),
  expected: "a whole number from 0 to 65535, or the name of a container's port",
};

export const timestamp: Check = {
  accepts: (value) => isText(value) && isTime(value),
  expected: 'a time such as "2026-01-31T12:00:00Z"',
};

const dnsNamePattern = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;

function isAddress(value: unknown): boolean {
  return isText(value) && canonicalIP(value) !== undefined;
}

function isTime(value: string): boolean {
  try {
    parseInstant(value, '');
    return true;
  } catch {
    return false;
  }
}

function isWithin(value: unknown, from: number, to: number): boolean {
  return Number.isInteger(value) && (value as number) >= from && (value as number) <= to;
}
