import {
  isLabelOfAnyLength,
  isLongerThan,
  isSubdomainOfAnyLength,
  dns1123Label as labelPattern,
  problemsOfLabelKey,
  problemsOfLabelValue,
  dns1123Subdomain as subdomainPattern,
} from 'kube-endpoints/internal/apimachinery';

/** Validates a name or value; returns one message per problem, empty if it is valid. */
export type Format = (value: string) => string[];

/** Mirrors IsDNS1123Label. The checks in this file mirror functions of similar names in apimachinery/pkg/util/validation (1.36). */
export const dns1123Label: Format = (value) => [
  ...findLengthProblem(value, 63),
  ...(isLabelOfAnyLength(value)
    ? []
    : [isSubdomainOfAnyLength(value) ? 'must not contain dots' : regexMessage(labelMessage, labelPattern, 'my-name', '123-abc')]),
];

export const dns1123Subdomain: Format = (value) => [
  ...findLengthProblem(value, 253),
  ...(isSubdomainOfAnyLength(value) ? [] : [regexMessage(subdomainMessage, subdomainPattern, 'example.com')]),
];

export const dns1123SubdomainWithUnderscore: Format = (value) => [
  ...findLengthProblem(value, 253),
  ...findPatternProblem(value, underscoreSubdomain, underscoreSubdomainMessage, underscoreSubdomainPattern, 'example.com'),
];

export const dns1035Label: Format = (value) => [
  ...findLengthProblem(value, 63),
  ...findPatternProblem(value, dns1035Regex, dns1035Message, dns1035Pattern, 'my-name', 'abc-123'),
];

/** Mirrors IsQualifiedName. */
export const qualifiedName: Format = problemsOfLabelKey;
/** Mirrors IsValidLabelValue. */
export const labelValue: Format = problemsOfLabelValue;

export const configMapKey: Format = (value) => [
  ...findLengthProblem(value, 253),
  ...findPatternProblem(value, /^[-._a-zA-Z0-9]+$/, configKeyMessage, '[-._a-zA-Z0-9]+', 'key.name', 'KEY_NAME', 'key-name'),
  ...findLeadingDotProblems(value),
];

export const portName: Format = (value) => [
  ...findLengthProblem(value, 15),
  ...(/^[-a-z0-9]+$/.test(value) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(value) ? [] : ['must contain at least one letter (a-z)']),
  ...(value.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(/^-|-$/.test(value) ? ['must not begin or end with a hyphen'] : []),
];

export const httpHeaderName: Format = (value) =>
  findPatternProblem(value, /^[-A-Za-z0-9]+$/, headerMessage, '[-A-Za-z0-9]+', 'X-Header-Name');

/** Mirrors IsRelaxedEnvVarName. */
export const environmentName: Format = (value) => [
  ...(value === '' ? ['environment variable name must be non-empty'] : []),
  ...(/^[ -<>-~]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]),
];

/** Mirrors IsPathSegmentName: the name must be usable as a segment of a URL path. */
export const pathSegment: Format = (value) => (value === '.' || value === '..' ? [`may not be '${value}'`] : pathSegmentPrefix(value));

/** Mirrors IsPathSegmentPrefix. */
export const pathSegmentPrefix: Format = (value) =>
  value.includes('/') || value.includes('%')
    ? ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`)
    : [];

export const portNumber = (value: number): string[] => findRangeProblems(value, 1, 65_535);

export const findRangeProblems = (value: number, low: number, high: number): string[] =>
  value >= low && value <= high ? [] : [`must be between ${low} and ${high}, inclusive`];

/** Length in bytes, because Go's limits in "characters" count bytes. */
export const bytesOf = (text: string): number => Buffer.byteLength(text);

const findLengthProblem = (value: string, limit: number): string[] =>
  isLongerThan(value, limit) ? [`must be no more than ${limit} characters`] : [];

const findPatternProblem = (
  value: string,
  pattern: RegExp,
  message: string,
  printedPattern: string,
  ...examples: readonly string[]
): string[] => (pattern.test(value) ? [] : [regexMessage(message, printedPattern, ...examples)]);

/** Formats the message for a value that does not match a pattern. The stray comma before the pattern is upstream's. */
export const regexMessage = (message: string, pattern: string, ...examples: readonly string[]): string =>
  examples.length === 0
    ? `${message} (regex used for validation is '${pattern}')`
    : `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;

const findLeadingDotProblems = (value: string): string[] => {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
};

const underscoreLabelPattern = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoreSubdomainPattern = `${underscoreLabelPattern}(\\.${underscoreLabelPattern})*`;
const dns1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const underscoreSubdomain = new RegExp(`^${underscoreSubdomainPattern}$`);
const dns1035Regex = new RegExp(`^${dns1035Pattern}$`);

const endRule = 'and end with an alphanumeric character';
const startAndEndRule = 'and must start and end with an alphanumeric character';
const labelMessage = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${startAndEndRule}`;
const subdomainMessage = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${startAndEndRule}`;
const underscoreSubdomainMessage = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', ${startAndEndRule}`;
const dns1035Beginning = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character";
const dns1035Message = `${dns1035Beginning}, ${endRule}`;
const configKeyMessage = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
const headerMessage = "a valid HTTP header must consist of alphanumeric characters or '-'";
