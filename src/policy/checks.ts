import {
  isLongerThan,
  type LabelSelector,
  labelOperators,
  parseCIDR,
  parseIP,
  problemsOfLabelKey,
  problemsOfLabelValue,
} from '../apimachinery/index.ts';

/** Reports the problem of a path. */
export type Report = (path: string, message: string) => void;

export const maxPort = 65_535;

export const formatProblem = (value: unknown, expected: string): string =>
  `is ${value === undefined ? 'absent' : JSON.stringify(value)}, but has to be ${expected}`;

export function checkOneOf(value: unknown, allowed: readonly string[], path: string, report: Report): void {
  if (!allowed.some((each) => each === value)) report(path, formatProblem(value, `one of ${allowed.join(', ')}`));
}

export function checkNumber(value: unknown, min: number, max: number, path: string, report: Report): void {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
    report(path, formatProblem(value, `a number from ${min} to ${max}`));
}

/** Mirrors IsValidPortName (1.37, apimachinery/pkg/util/validation). */
export function checkPortName(name: string, path: string, report: Report): void {
  const isValid = !isLongerThan(name, 15) && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && /[a-z]/.test(name);
  if (!isValid)
    report(path, formatProblem(name, 'a number, or at most 15 lower case letters, digits and single "-" with at least one letter'));
}

/** An address range without leading zeros. @param isMasked whether bits after the prefix are an error */
export function checkNetwork(text: string, isMasked: boolean, path: string, report: Report): void {
  const base = readNetworkBase(text);
  const isExact = base !== undefined && parseIP(text.split('/')[0] ?? '')?.value === base;
  if (base === undefined || (isMasked && !isExact))
    report(path, formatProblem(text, isMasked ? 'a CIDR without bits after the prefix' : 'a CIDR'));
}

function readNetworkBase(text: string): bigint | undefined {
  try {
    return parseCIDR(text).base;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Mirrors ValidateLabelSelector (1.37, apimachinery/pkg/apis/meta/v1/validation). */
export function checkSelector(selector: LabelSelector | null | undefined, path: string, report: Report): void {
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    checkLabelKey(key, `${path}.matchLabels`, report);
    checkLabelValue(value, `${path}.matchLabels[${JSON.stringify(key)}]`, report);
  }
  for (const [i, { key, operator, values }] of (selector?.matchExpressions ?? []).entries()) {
    const itemPath = `${path}.matchExpressions[${i}]`;
    const needsValues = operator === 'In' || operator === 'NotIn';
    checkLabelKey(key ?? '', `${itemPath}.key`, report);
    checkOneOf(operator, Object.keys(labelOperators), `${itemPath}.operator`, report);
    if (needsValues === ((values ?? []).length === 0))
      report(`${itemPath}.values`, needsValues ? 'has to have a value for the operators In and NotIn' : `must be empty for ${operator}`);
    for (const [j, value] of (values ?? []).entries()) checkLabelValue(value, `${itemPath}.values[${j}]`, report);
  }
}

function checkLabelKey(key: string, path: string, report: Report): void {
  const [problem] = problemsOfLabelKey(key);
  if (problem !== undefined) report(path, `has the key ${JSON.stringify(key)}: ${problem}`);
}

function checkLabelValue(value: unknown, path: string, report: Report): void {
  const [problem] = typeof value === 'string' ? problemsOfLabelValue(value) : ['has to be a text'];
  if (problem !== undefined) report(path, `is ${JSON.stringify(value)}: ${problem}`);
}
