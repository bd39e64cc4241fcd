import { canonicalIP, quote } from 'kube-endpoints/internal';

/** Mirrors GetWarningsForIP (apimachinery/pkg/util/validation/ip.go, 1.36). */
export function warningsOfIP(field: string, value: string): string[] {
  const canonical = canonicalIP(value);
  if (canonical === undefined || canonical === value) return [];
  if (!value.includes(':') || !canonical.includes(':')) {
    return [`${field}: non-standard IP address ${quote(value)} is invalid: use ${quote(canonical)}`];
  }
  return [`${field}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}
