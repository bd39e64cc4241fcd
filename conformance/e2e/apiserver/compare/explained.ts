import type { Compared } from './compare.ts';
import type { Difference } from './differences.ts';

/** A known difference from the real server: intended, or caused by a missing feature. */
export interface Explanation {
  /** The title in the documents. */
  readonly title: string;
  /** What users should know, in one or two sentences. */
  readonly why: string;
  /** Matches method and path of the requests that show it. */
  readonly request: RegExp;
  /** Matches the fields that differ. */
  readonly field: RegExp;
  /** Accepts a difference; by default any. */
  readonly such?: (difference: Difference) => boolean;
}

export const explanations: readonly Explanation[] = [
  {
    title: 'The build in `/version`',
    why: 'The release is that of the real server, with a suffix that tells whose build it is; commit, compiler and Go are not told.',
    request: /^GET \/version/,
    field: /^body\.(?:gitVersion|gitCommit|goVersion|compiler|buildDate|platform|gitTreeState)$/,
  },
  {
    title: 'The descriptions of table columns',
    why: 'Those of built-in resources are empty: nothing but documentation is in them, and `kubectl` does not print it.',
    request: /./,
    field: /columnDefinitions\[\d+\]\.description$/,
  },
  {
    title: 'Protobuf',
    why:
      'Answers are JSON or YAML. Protobuf is read, in what is sent for built-in resources, and not written; CBOR is neither. A client that ' +
      'accepts nothing else is told so in JSON, with 406; the real server tells it in protobuf.',
    request: /^GET \/apis\/script\.example\.com\/v1\/namespaces\/c-cr\/widgets\/one$/,
    field: /^(?:header\.content-type|body)$/,
  },
  {
    title: 'What changed in a pod that may not change',
    why:
      "Where a pod's spec may not be updated, the real server ends its message with the difference of two structures of Go. The sentence before " +
      'it is the same.',
    request: /^(?:PUT|PATCH) \/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+$/,
    field: /^body\.(?:message|details\.causes\[0\]\.message)$/,
    such: ({ real, ours }) => String(real).split('@@ ')[0] === ours,
  },
  {
    title: 'Proxies, logs, exec, attach, port-forward',
    why: 'There is no kubelet and no network behind this server: these subresources of pods, services and nodes are 404.',
    request: /\/(?:proxy|log|exec|attach|portforward)$/,
    field: /^body\./,
  },
  {
    title: 'Groups that are not served',
    why:
      'A path in a group that only the real server has, such as `apps`, is 404 in both; the real one answers a Status there, this one the text ' +
      'that both have for paths of no group. So is a question about oneself (`kubectl auth whoami`, `can-i`): who has a token may do everything.',
    request: /^(?:GET \/apis\/apps\/|POST \/apis\/auth(?:entication|orization)\.k8s\.io\/)/,
    field: /^(?:code|header\.content-type|body)$/,
  },
  {
    title: 'Depth of bodies',
    why: 'A body may nest 1,000 levels deep, and 10,000 in the real server. Nothing in the API comes near either.',
    request: /^(?:POST|DELETE) \/api\/v1\/namespaces\/c-bad\/configmaps(?:\/deep|\?fieldManager=deep)$/,
    field: /./,
  },
  {
    title: 'Words for YAML that cannot be read',
    why: 'The parser is another one. The most common complaints read the same, rare ones do not; code and reason do.',
    request: /^POST .*\/configmaps$/,
    field: /^body\.message$/,
    such: ({ real }) => String(real).includes(': yaml: '),
  },
  {
    title: 'Empty lists in messages',
    why: 'A list that is required and empty is shown as `[]` by the real server, here as `null`, as where it is missing.',
    request: /\/customresourcedefinitions/,
    field: /^body\.(?:message|details\.causes\[\d+\]\.message)$/,
    such: ({ real, ours }) => String(real).replaceAll('Invalid value: []', 'Invalid value: null') === ours,
  },
  {
    title: 'Managers of replicas',
    why:
      'What is written through `scale` is managed by an entry with that subresource, as in the real server after a patch; after a Scale that ' +
      'was put without a resourceVersion, the real server has no such entry.',
    request: /^GET \/apis\/script\.example\.com\/v1\/namespaces\/c-cr\/widgets\/one$/,
    field: /^body\.(?:rows\[0\]\.object\.)?metadata\.managedFields\[\d\]/,
  },
  {
    title: 'Warnings before an apiVersion is refused',
    why: 'Of a custom resource in another version than that of the path, the real server first says which fields it does not know.',
    request: /^POST \/apis\/script\.example\.com\/v1\/namespaces\/c-cr\/widgets$/,
    field: /^header\.warning$/,
  },
];

/** The maximum number of explanations. */
export const MAX_EXPLANATIONS = 25;

export interface Judged extends Compared {
  /** Differences that no explanation matches. */
  readonly unexplained: readonly Difference[];
}

export interface Verdict {
  readonly judged: readonly Judged[];
  /** Explanations that match no difference. */
  readonly unused: readonly Explanation[];
}

export function judge(compared: readonly Compared[], known: readonly Explanation[] = explanations): Verdict {
  const used = new Set<Explanation>();
  const judged = compared.map((one) => ({
    ...one,
    unexplained: one.differences.filter((difference) => {
      const explained = known.filter(
        ({ request, field, such }) => request.test(one.request) && field.test(difference.field) && (such?.(difference) ?? true),
      );
      for (const explanation of explained) used.add(explanation);
      return explained.length === 0;
    }),
  }));
  return { judged, unused: known.filter((explanation) => !used.has(explanation)) };
}
