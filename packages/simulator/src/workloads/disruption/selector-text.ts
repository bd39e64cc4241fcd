import { compareText, type LabelSelector } from 'kube-endpoints/internal/apimachinery';

/** A label selector as Go prints it: LabelSelector.String (1.36, apimachinery/pkg/apis/meta/v1/generated.pb.go). */
export function printSelector(selector: LabelSelector | undefined): string {
  if (!selector) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => compareText(a, b));
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`,
  );
  const matchLabels = `map[string]string{${labels.map(([key, value]) => `${key}: ${value},`).join('')}}`;
  return `&LabelSelector{MatchLabels:${matchLabels},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
