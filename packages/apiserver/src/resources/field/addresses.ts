import { canonicalIP, hasLeadingZeros, parseCIDRSloppy, quote, readCanonicalIP } from 'kube-endpoints/internal/apimachinery';
import type { Format } from '../../formats/names.ts';
import type { Causes } from './causes.ts';

/**
 * Validates an IP in a field that older releases parsed leniently. Mirrors IsValidIPForLegacyField
 * (apimachinery/pkg/util/validation/ip.go, 1.36) with its default strictness.
 * @param oldValues values of the old object, which are accepted without validation
 * @returns true if the value is accepted
 */
export function validateLegacyIP(value: string, field: string, causes: Causes, oldValues: readonly string[] = []): boolean {
  if (oldValues.includes(value)) return true;
  const problem = problemOfIP(value);
  if (problem !== undefined) causes.invalid(field, value, problem);
  return problem === undefined;
}

/** Requires a canonical IP. Mirrors IsValidIP. @returns true if the value is accepted */
export function validateStrictIP(value: string, field: string, causes: Causes): boolean {
  const [problem] = strictIP(value);
  if (problem !== undefined) causes.invalid(field, value, problem);
  return problem === undefined;
}

/** Mirrors IsValidIP. */
export const strictIP: Format = (value) => {
  const canonical = canonicalIP(value);
  const problem = problemOfIP(value) ?? (canonical === value ? undefined : `must be in canonical form ("${canonical}")`);
  return problem === undefined ? [] : [problem];
};

function problemOfIP(value: string): string | undefined {
  const canonical = canonicalIP(value);
  if (canonical === undefined) return 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  if (hasLeadingZeros(value)) return 'must not have leading 0s';
  return isIPv4Mapped(value, canonical) ? 'must not be an IPv4-mapped IPv6 address' : undefined;
}

const isIPv4Mapped = (value: string, canonical: string): boolean => value.includes(':') && !canonical.includes(':');

/** Refuses IPs that endpoints must not have. Mirrors ValidateEndpointIP (pkg/apis/core/validation, 1.36). */
export function validateEndpointIP(value: string, field: string, causes: Causes): void {
  const ip = canonicalIP(value);
  if (ip === undefined) {
    causes.invalid(field, value, 'must be a valid IP address');
    return;
  }
  if (ip === '0.0.0.0' || ip === '::') causes.invalid(field, value, `may not be unspecified (${value})`);
  for (const { pattern, message } of forbiddenRanges) if (pattern.test(ip)) causes.invalid(field, value, message);
}

const forbiddenRanges: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  { pattern: /^(?:127\.|::1$)/, message: 'may not be in the loopback range (127.0.0.0/8, ::1/128)' },
  { pattern: /^(?:169\.254\.|fe[89ab][0-9a-f]:)/, message: 'may not be in the link-local range (169.254.0.0/16, fe80::/10)' },
  { pattern: /^(?:224\.0\.0\.|ff[0-9a-f]2:)/, message: 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)' },
];

/** Mirrors IsValidCIDRForLegacyField. */
export function validateLegacyCIDR(value: string, field: string, causes: Causes, oldValues: readonly string[] = []): void {
  if (oldValues.includes(value)) return;
  const problem = problemOfCIDR(value);
  if (problem !== undefined) causes.invalid(field, value, problem);
}

/** Requires a canonical CIDR. Mirrors IsValidCIDR. */
export function validateStrictCIDR(value: string, field: string, causes: Causes): void {
  const [address = '', length = ''] = value.split('/');
  const canonical = `${canonicalIP(address)}/${Number(length)}`;
  const problem = problemOfCIDR(value) ?? (canonical === value ? undefined : `must be in canonical form ("${canonical}")`);
  if (problem !== undefined) causes.invalid(field, value, problem);
}

/** True if the text parses as a CIDR, leniently. */
export const isCIDR = (value: string): boolean => problemOfCIDR(value) !== notACIDRMessage;

const notACIDRMessage = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

function problemOfCIDR(value: string): string | undefined {
  const network = parseCIDRSloppy(value);
  if (!network) return notACIDRMessage;
  const [address = '', length = ''] = value.split('/');
  if (hasLeadingZeros(address) || /^0\d/.test(length)) return 'must not have leading 0s in IP or prefix length';
  const canonical = canonicalIP(address) as string;
  if (isIPv4Mapped(address, canonical)) return 'must not have an IPv4-mapped IPv6 address';
  return readCanonicalIP(canonical).value === network.base ? undefined : 'must not have bits set beyond the prefix length';
}

export const isIPv6CIDR = (value: string): boolean => value.includes(':');

/** Mirrors GetWarningsForIP (apimachinery/pkg/util/validation/ip.go, 1.36). */
export function warningsOfIP(field: string, value: string): string[] {
  const canonical = canonicalIP(value);
  if (canonical === undefined || canonical === value) return [];
  if (!value.includes(':') || !canonical.includes(':')) {
    return [`${field}: non-standard IP address ${quote(value)} is invalid: use ${quote(canonical)}`];
  }
  return [`${field}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}
