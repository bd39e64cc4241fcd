import { nameOf, namespaceOf, objectKey } from '../apimachinery/index.ts';
import { TraceError, type TraceObjects, type TracePod, type TraceQuestion } from './objects.ts';
import { enumerate } from './reasons.ts';

/** The client of a request. */
export interface Origin {
  readonly namespace: string;
  readonly pod?: TracePod;
  /** Undefined if unknown; then all nodes are considered. */
  readonly node?: string;
  /** True if the proxy of an Ingress or Gateway is the client: no flag can name its pods. */
  readonly isProxy?: boolean;
}

/** @throws TraceError if the client pod or node does not exist */
export function resolveOrigin({ from, node, namespace = 'default' }: TraceQuestion, objects: TraceObjects): Origin {
  const pod = from === undefined ? undefined : findPod(from, namespace, objects.pods);
  if (node !== undefined) checkNode(node, objects);
  const clientNode = node ?? (pod?.spec?.nodeName || undefined);
  return { namespace: pod ? namespaceOf(pod) : namespace, ...(pod && { pod }), ...(clientNode !== undefined && { node: clientNode }) };
}

function findPod(from: string, namespace: string, pods: readonly TracePod[]): TracePod {
  const requested = parsePodPath(from, namespace);
  if (!requested) throw new TraceError(`from ${JSON.stringify(from)}: give "pod/NAME", or "NAMESPACE/pod/NAME"`);
  const { name, namespace: podNamespace } = requested;
  const pod = pods.find((each) => nameOf(each) === name && namespaceOf(each) === podNamespace);
  if (pod) return pod;
  const sameNamePods = pods.filter((each) => nameOf(each) === name).map(objectKey);
  const hint = sameNamePods.length > 0 ? `, but there is ${enumerate(sameNamePods)}` : '';
  throw new TraceError(
    `from ${JSON.stringify(from)}: namespace ${JSON.stringify(podNamespace)} has no pod ${JSON.stringify(name)}${hint}: give "NAMESPACE/pod/NAME" of an existing pod`,
  );
}

/** Parses "pod/web-1", "web-1" or "shop/pod/web-1"; undefined for any other text. */
export function parsePodPath(text: string, namespace: string): { readonly namespace: string; readonly name: string } | undefined {
  const parts = text.split('/');
  const [name = '', kind = 'pod', podNamespace = namespace] = parts.toReversed();
  return parts.length > 3 || !podKinds.includes(kind) || name === '' || podNamespace === '' ? undefined : { namespace: podNamespace, name };
}

const podKinds: readonly string[] = ['pod', 'pods', 'po'];

function checkNode(node: string, { nodes }: TraceObjects): void {
  if (!nodes || nodes.length === 0 || nodes.some((each) => nameOf(each) === node)) return;
  throw new TraceError(`node ${JSON.stringify(node)} does not exist: give one of ${enumerate(nodes.map(nameOf))}`);
}
