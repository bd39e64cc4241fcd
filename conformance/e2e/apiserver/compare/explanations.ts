import type { StepComparison } from './compare.ts';
import type { Difference } from './differences.ts';

/** A known difference from the real server: intended, or caused by a missing feature. */
export interface Explanation {
  readonly title: string;
  /** What users should know, in one or two sentences. */
  readonly reason: string;
  /** Matches "METHOD PATH" of the requests whose answers may show the difference. */
  readonly request: RegExp;
  /** Matches the fields that differ. */
  readonly field: RegExp;
  /** Returns true for a difference that this explanation covers. By default, an explanation covers every difference in a matching field. */
  readonly accepts?: (difference: Difference) => boolean;
}

export const explanations: readonly Explanation[] = [
  {
    title: 'The build in `/version`',
    reason: 'The version is that of the real server with a suffix that identifies this server; commit, compiler and Go version are empty.',
    request: /^GET \/version/,
    field: /^body\.(?:gitVersion|gitCommit|goVersion|compiler|buildDate|platform|gitTreeState)$/,
  },
  {
    title: 'The descriptions of table columns',
    reason: 'The descriptions for built-in resources are empty. They contain only documentation, which `kubectl` does not print.',
    request: /./,
    field: /columnDefinitions\[\d+\]\.description$/,
  },
  {
    title: 'The message for a forbidden pod update',
    reason:
      "If an update changes immutable fields of a pod's spec, the real server appends a diff of Go structures to its message. The sentence before " +
      'the diff is the same.',
    request: /^(?:PUT|PATCH) \/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+$/,
    field: /^body\.(?:message|details\.causes\[0\]\.message)$/,
    accepts: ({ real, ours }) => String(real).split('@@ ')[0] === ours,
  },
  {
    title: 'Proxies, logs, exec, attach, port-forward',
    reason:
      'This server has no kubelets and no pod network: these subresources of pods, services and nodes return 405 with a message that kubectl ' +
      'prints, or 404 if the object does not exist.',
    request: /\/(?:proxy|log|exec|attach|portforward)$/,
    field: /^(?:code|body)/,
  },
  {
    title: 'Nesting depth of request bodies',
    reason: 'The maximum depth is 1,000 levels; in the real server, it is 10,000. Objects of the API need far fewer.',
    request: /^(?:POST|DELETE) \/api\/v1\/namespaces\/c-bad\/configmaps(?:\/deep|\?fieldManager=deep)$/,
    field: /./,
  },
  {
    title: 'Empty lists in messages',
    reason: 'If a required list is empty, the real server prints it as `[]`, this server as `null`, like a missing list.',
    request: /\/customresourcedefinitions/,
    field: /^body\.(?:message|details\.causes\[\d+\]\.message)$/,
    accepts: ({ real, ours }) => String(real).replaceAll('Invalid value: []', 'Invalid value: null') === ours,
  },
  {
    title: 'Managed fields after a write to `scale`',
    reason:
      'A write through `scale` adds a managedFields entry for that subresource, as in the real server after a patch. After a PUT of a Scale ' +
      'without a resourceVersion, the real server adds no entry.',
    request: /^GET \/apis\/script\.example\.com\/v1\/namespaces\/c-cr\/widgets\/one$/,
    field: /^body\.(?:rows\[0\]\.object\.)?metadata\.managedFields\[\d\]/,
  },
  {
    title: 'Warnings before an apiVersion is refused',
    reason:
      "If a custom resource's apiVersion differs from that of the path, the real server warns about unknown fields before it refuses the request.",
    request: /^POST \/apis\/script\.example\.com\/v1\/namespaces\/c-cr\/widgets$/,
    field: /^header\.warning$/,
  },
];

export const MAX_EXPLANATIONS = 25;

export interface ExplainedComparison extends StepComparison {
  /** Differences that no explanation matches. */
  readonly unexplained: readonly Difference[];
}

export interface ExplainedResult {
  readonly comparisons: readonly ExplainedComparison[];
  /** Explanations that match no difference. */
  readonly unusedExplanations: readonly Explanation[];
}

export function explainComparisons(results: readonly StepComparison[], candidates: readonly Explanation[] = explanations): ExplainedResult {
  const usedExplanations = new Set<Explanation>();
  const comparisons = results.map((comparison) => ({
    ...comparison,
    unexplained: comparison.differences.filter((difference) => {
      const matchingExplanations = candidates.filter(
        ({ request, field, accepts }) =>
          request.test(comparison.request) && field.test(difference.field) && (accepts?.(difference) ?? true),
      );
      for (const explanation of matchingExplanations) usedExplanations.add(explanation);
      return matchingExplanations.length === 0;
    }),
  }));
  return { comparisons, unusedExplanations: candidates.filter((explanation) => !usedExplanations.has(explanation)) };
}
