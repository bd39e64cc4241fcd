import type { Decision, OverrideResult } from '../overrides.ts';

/** Kubernetes asks for warnings of no more than so many characters. */
export const maxWarning = 120;
/** And a client shows them all, so that there are few. */
const maxWarnings = 8;
/** Audit logs are kept: what is said there is bounded, too. */
const maxAnnotation = 1000;

/** What a writer is warned of: for each rule and code that did something, or failed, the first decision and how many more there are. */
export function warningsOf({ decisions }: OverrideResult): string[] {
  const groups = new Map<string, { readonly first: Decision; count: number }>();
  for (const decision of decisions) {
    if (decision.audit) continue;
    const key = `${decision.rule} ${decision.code}`;
    const group = groups.get(key);
    if (group) group.count++;
    else groups.set(key, { first: decision, count: 1 });
  }
  return [...groups.values()].slice(0, maxWarnings).map(({ first, count }) => {
    const more = count > 1 ? ` (and ${count - 1} more)` : '';
    return `${shortened(`rule ${first.rule}: ${first.message}`, maxWarning - more.length)}${more}`;
  });
}

/** What stands in the audit log beside the request; each key is a name that the API server puts the webhook's before. */
export function auditAnnotationsOf({ decisions, due }: OverrideResult): Record<string, string> {
  const [enforced, audited] = [false, true].map((audit) => countsOf(decisions.filter((decision) => decision.audit === audit)));
  return {
    ...(enforced && { decisions: shortened(enforced, maxAnnotation) }),
    ...(audited && { audited: shortened(audited, maxAnnotation) }),
    ...(due !== undefined && { due }),
  };
}

/** "keep-in:KeptIn=3,damp:HeldReady=1". */
function countsOf(decisions: readonly Decision[]): string {
  const counts = new Map<string, number>();
  for (const { rule, code } of decisions) counts.set(`${rule}:${code}`, (counts.get(`${rule}:${code}`) ?? 0) + 1);
  return [...counts].map(([key, count]) => `${key}=${count}`).join(',');
}

/** A text of so many characters at most. */
export const shortened = (text: string, length: number): string => {
  const points = [...text];
  return points.length > length ? `${points.slice(0, length - 3).join('')}...` : text;
};

/** Why a write is refused, for the one who wrote. */
export const refusalMessage = ({ rule, message }: Decision): string => `refused by the rule ${JSON.stringify(rule)}: ${message}`;
