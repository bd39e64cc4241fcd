import { isLongerThan } from './go-text.ts';
import { dns1123Subdomain, isSubdomainOfAnyLength } from './names.ts';

/**
 * The pattern of the name part of a label key, and of a label value that is not empty.
 *
 * Mirrors IsLabelKey, IsLabelValue (1.36, apimachinery/pkg/api/validate/content/kube.go).
 */
const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const patterns = {
  name: new RegExp(`^${namePattern}$`),
  value: new RegExp(`^(${namePattern})?$`),
};

const alphanumericRule = "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const nameRule = formatRule(`must ${alphanumericRule}`, ['MyName', 'my.name', '123-abc'], namePattern);
const valueRule = formatRule(
  `a valid label must be an empty string or ${alphanumericRule}`,
  ['MyValue', 'my_value', '12345'],
  `(${namePattern})?`,
);
const prefixRule = formatRule(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  ['example.com'],
  dns1123Subdomain,
);

/** The problems of a label key; empty if it is valid. */
export function problemsOfLabelKey(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const namePart = parts.at(-1) as string;
  const problems = parts.length === 2 ? problemsOfPrefix(parts[0] as string) : [];
  if (namePart === '') problems.push('name part must be non-empty');
  else if (isLongerThan(namePart, 63)) problems.push('name part must be no more than 63 bytes');
  if (!patterns.name.test(namePart)) problems.push(`name part ${nameRule}`);
  return problems;
}

/** The problems of a label value; empty if it is valid. */
export function problemsOfLabelValue(value: string): string[] {
  const problems = isLongerThan(value, 63) ? ['must be no more than 63 bytes'] : [];
  if (!patterns.value.test(value)) problems.push(valueRule);
  return problems;
}

function problemsOfPrefix(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const problems = isLongerThan(prefix, 253) ? ['prefix part must be no more than 253 bytes'] : [];
  if (!isSubdomainOfAnyLength(prefix)) problems.push(`prefix part ${prefixRule}`);
  return problems;
}

function formatRule(text: string, examples: readonly string[], pattern: string): string {
  return `${text} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}
