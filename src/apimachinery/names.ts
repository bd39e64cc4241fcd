/**
 * Patterns of RFC 1123 names in lower case. The names of most objects are subdomains; the names of some are labels. The API server's
 * messages quote these patterns.
 *
 * Mirrors IsDNS1123Label, IsDNS1123Subdomain (1.36, apimachinery/pkg/api/validate/content/dns.go).
 */
export const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
export const dns1123Subdomain: string = `${dns1123Label}(\\.${dns1123Label})*`;

/** Whether the text is a valid label or subdomain, including its length. */
export const isDNS1123Label = (text: string): boolean => text.length <= maxLabelLength && isLabelOfAnyLength(text);
export const isDNS1123Subdomain = (text: string): boolean => text.length <= maxSubdomainLength && isSubdomainOfAnyLength(text);

/** Both checks without the length limit, for callers that report the length separately. */
export const isLabelOfAnyLength = (text: string): boolean => labelPattern.test(text);
export const isSubdomainOfAnyLength = (text: string): boolean => subdomainPattern.test(text);

const labelPattern = new RegExp(`^${dns1123Label}$`);
const subdomainPattern = new RegExp(`^${dns1123Subdomain}$`);
const maxLabelLength = 63;
const maxSubdomainLength = 253;
