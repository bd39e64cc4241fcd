import { createRequirementsMatcher, type LabelOperator, type LabelRequirement, type Labels } from './selectors.ts';

type Optional<T> = T | null | undefined;

/** `metav1.LabelSelector`. An empty selector matches everything. */
export interface LabelSelector {
  readonly matchLabels?: Optional<Readonly<Record<string, string>>>;
  readonly matchExpressions?: Optional<readonly LabelSelectorRequirement[]>;
}

interface LabelSelectorRequirement {
  readonly key?: Optional<string>;
  /** "In", "NotIn", "Exists" or "DoesNotExist". */
  readonly operator?: Optional<string>;
  readonly values?: Optional<readonly string[]>;
}

/** The operators of label selectors in objects, and those of selectors as text. */
export const labelOperators: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/** The requirements of a label selector. Mirrors LabelSelectorAsSelector (1.37, apimachinery/pkg/apis/meta/v1/helpers.go). */
export const requirementsOf = ({ matchLabels, matchExpressions }: LabelSelector): LabelRequirement[] => [
  ...Object.entries(matchLabels ?? {}).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
  ...(matchExpressions ?? []).map(({ key, operator, values }) => ({
    key: key ?? '',
    operator: labelOperators[operator ?? ''] as LabelOperator,
    values: values ?? [],
  })),
];

/** Whether a label selector matches labels; an empty selector does. */
export const selectorMatches = (selector: LabelSelector, labels: Labels): boolean =>
  createRequirementsMatcher(requirementsOf(selector))(labels);
