import { nameOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import { TraceError, type TraceObjects, type TracePod, type TraceQuestion } from './objects.ts';
import { enumerate } from './reasons.ts';

/** The client of a request. */
export interface Origin {
  readonly namespace: string;
  readonly pod?: TracePod;
  /** Undefined if unknown: all nodes are considered. */
  readonly node?: string;
}

/** @throws TraceError if the client pod or node does not exist */
export function originOf({ from, node, namespace = 'default' }: TraceQuestion, objects: TraceObjects): Origin {
  const pod = from === undefined ? undefined : podNamed(from, namespace, objects.pods);
  if (node !== undefined) checkNode(node, objects);
  const own = node ?? (pod?.spec?.nodeName || undefined);
  return { namespace: pod ? namespaceOf(pod) : namespace, ...(pod && { pod }), ...(own !== undefined && { node: own }) };
}

function podNamed(from: string, namespace: string, pods: readonly TracePod[]): TracePod {
  const asked = podPath(from, namespace);
  if (!asked) throw new TraceError(`from ${JSON.stringify(from)}: give "pod/NAME", or "NAMESPACE/pod/NAME"`);
  const { name, namespace: space } = asked;
  const pod = pods.find((each) => nameOf(each) === name && namespaceOf(each) === space);
  if (pod) return pod;
  const elsewhere = pods.filter((each) => nameOf(each) === name).map(objectKey);
  const hint = elsewhere.length > 0 ? `; there is ${enumerate(elsewhere)}` : '';
  throw new TraceError(
    `pod ${JSON.stringify(name)} that is asked from is not in namespace ${JSON.stringify(space)}${hint}: name one that is`,
  );
}

/** Parses "pod/web-1", "web-1" or "shop/pod/web-1"; undefined for any other text. */
export function podPath(text: string, namespace: string): { readonly namespace: string; readonly name: string } | undefined {
  const parts = text.split('/');
  const [name = '', kind = 'pod', space = namespace] = parts.toReversed();
  return parts.length > 3 || !kinds.includes(kind) || name === '' || space === '' ? undefined : { namespace: space, name };
}

const kinds: readonly string[] = ['pod', 'pods', 'po'];

function checkNode(node: string, { nodes }: TraceObjects): void {
  if (!nodes || nodes.length === 0 || nodes.some((each) => nameOf(each) === node)) return;
  throw new TraceError(`node ${JSON.stringify(node)} is not there: give one of ${enumerate(nodes.map(nameOf))}`);
}
