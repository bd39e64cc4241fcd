/**
 * Patterns of RFC 1123 names in lower case. The names of most objects are subdomains, those of some are labels. The API server's messages
 * quote these patterns.
 *
 * Mirrors IsDNS1123Label, IsDNS1123Subdomain (1.36, apimachinery/pkg/api/validate/content/dns.go).
 */
export const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
export const dns1123Subdomain: string = `${dns1123Label}(\\.${dns1123Label})*`;

/** Whether the text is a valid label or subdomain, including its length. */
export const isDNS1123Label = (text: string): boolean => text.length <= maxLabel && isLabelOfAnyLength(text);
export const isDNS1123Subdomain = (text: string): boolean => text.length <= maxSubdomain && isSubdomainOfAnyLength(text);

/** Without the length limit, for callers that report the length separately. */
export const isLabelOfAnyLength = (text: string): boolean => label.test(text);
export const isSubdomainOfAnyLength = (text: string): boolean => subdomain.test(text);

const label = new RegExp(`^${dns1123Label}$`);
const subdomain = new RegExp(`^${dns1123Subdomain}$`);
const maxLabel = 63;
const maxSubdomain = 253;
