/** What a path of the API asks for, before anything is known of what is served. */
export interface RequestInfo {
  readonly group: string;
  readonly version: string;
  /** Undefined where the path does not name one. */
  readonly namespace: string | undefined;
  readonly plural: string;
  /** Empty where the path is that of a collection. */
  readonly name: string;
  readonly subresource: string;
  /** There is more behind the subresource, or nothing between two slashes. */
  readonly tooLong: boolean;
  /** The old form of a watch: /api/v1/watch/... */
  readonly watch: boolean;
}

/**
 * Reads the decoded path of a request for resources; undefined where it is none.
 *
 * Mirrors NewRequestInfo (1.36, apiserver/pkg/endpoints/request/requestinfo.go).
 */
export function requestInfoOf(path: string): RequestInfo | undefined {
  const parts = path.split('/');
  if (parts[0] !== '') return undefined;
  if (parts.length > 2 && parts.at(-1) === '') parts.pop();
  if (parts[1] === 'api') return parts.length > 2 ? infoOf('', parts, 2) : undefined;
  if (parts[1] === 'apis') return parts.length > 3 ? infoOf(parts[2] as string, parts, 3) : undefined;
  return undefined;
}

/** The path without what stands for other bytes in it; undefined where a per cent sign stands for none. */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  if (/%(?![0-9a-fA-F]{2})/.test(path)) return undefined;
  const bytes = path.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  return bytes;
}

/** @param at where the version stands */
function infoOf(group: string, parts: readonly string[], at: number): RequestInfo {
  const version = parts[at] as string;
  const watch = parts[at + 1] === 'watch' && parts.length > at + 2;
  const first = at + (watch ? 2 : 1);
  const inNamespace = isInNamespace(parts, first);
  const start = inNamespace ? first + 2 : first;
  return {
    group,
    version,
    namespace: (inNamespace && parts[first + 1]) || undefined,
    plural: parts[start] ?? '',
    name: parts[start + 1] ?? '',
    subresource: parts[start + 2] ?? '',
    tooLong: parts.length > start + 3 || parts.some((part, i) => part === '' && i > 0 && !(inNamespace && i === first + 1)),
    watch,
  };
}

/** Whether a path goes on to something in a namespace, not to the namespace or a part of it. */
const isInNamespace = (parts: readonly string[], first: number): boolean =>
  parts[first] === 'namespaces' && parts.length > first + 2 && !partsOfNamespaces.includes(parts[first + 2] as string);

const partsOfNamespaces: readonly string[] = ['status', 'finalize'];
