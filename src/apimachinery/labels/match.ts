import { type LabelRequirement, parseInteger } from './parse.ts';

export type Labels = Readonly<Record<string, string>>;

/** Whether labels meet all requirements: `Requirement.Matches` (1.36, apimachinery/pkg/labels/selector.go). */
export function matcherOfLabels(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const tests = requirements.map(testOf);
  return (labels) => tests.every((test) => test(labels));
}

function testOf({ key, operator, values }: LabelRequirement): (labels: Labels) => boolean {
  const [first = ''] = values;
  const wanted = new Set(values);
  const has = (labels: Labels): boolean => Object.hasOwn(labels, key) && labels[key] !== undefined;
  const among = (labels: Labels): boolean => has(labels) && wanted.has(labels[key] as string);
  switch (operator) {
    case '=':
    case '==':
      return (labels) => has(labels) && labels[key] === first;
    case 'in':
      return among;
    case '!=':
    case 'notin':
      return (labels) => !among(labels);
    case 'exists':
      return has;
    case '!':
      return (labels) => !has(labels);
    default:
      return (labels) => has(labels) && compares(labels[key] as string, operator, first);
  }
}

function compares(text: string, operator: 'gt' | 'lt', bound: string): boolean {
  const value = parseInteger(text);
  const limit = parseInteger(bound);
  if (value === undefined || limit === undefined) return false;
  return operator === 'gt' ? value > limit : value < limit;
}
