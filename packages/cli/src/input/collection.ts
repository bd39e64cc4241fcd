import { serveSlice } from 'kube-endpoints/internal';
import type {
  EndpointSliceInput,
  Endpoints,
  Node,
  ObjectMeta,
  ObjectReference,
  Optional,
  Pod,
  Service,
  Timestamp,
} from 'kube-endpoints/types';
import { applyDefaults, areDualStack, createSpareAddressGenerator, familyOfPods, needsClusterIP } from './defaults.ts';
import type { InputDocument } from './documents.ts';
import { isNestedDeeper, maxNesting } from './nesting.ts';
import { type DocumentItem, findObjects, type ObjectItem, type ProblemItem, type SkippedKind } from './objects.ts';
import { formatLocation, type InputProblem } from './problem.ts';
import { type RelatedKind, relatedKindNames, workloadKinds } from './related-kinds.ts';
import { isClusterScoped, type Kind } from './rules.ts';
import { validate } from './validate.ts';

/** An object of a related kind. Its `metadata` is valid; other fields are, as far as `related-kinds.ts` has rules for them. */
export interface RelatedObject {
  readonly kind: RelatedKind;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta & { readonly name: string };
}

export type RelatedObjects = Readonly<Record<RelatedKind, readonly RelatedObject[]>>;

/** The workloads of an input. */
export const listWorkloads = ({ related }: { readonly related: RelatedObjects }): RelatedObject[] =>
  workloadKinds.flatMap((kind) => related[kind]);

/** `corev1.Event`. */
export interface ServiceEvent {
  readonly metadata?: Optional<ObjectMeta>;
  readonly involvedObject: ObjectReference;
  readonly type?: Optional<string>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
  readonly count?: Optional<number>;
  readonly firstTimestamp?: Optional<Timestamp>;
  readonly lastTimestamp?: Optional<Timestamp>;
  readonly eventTime?: Optional<Timestamp>;
}

/** `corev1.Namespace`. */
export interface Namespace {
  readonly metadata?: Optional<ObjectMeta>;
  readonly status?: Optional<{ readonly phase?: Optional<string> }>;
}

/** `networkingv1.ServiceCIDR`. */
export interface ServiceCIDR {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<{ readonly cidrs?: Optional<readonly string[]> }>;
}

/** All usable objects of the input. */
export interface Inventory {
  readonly services: readonly Service[];
  readonly pods: readonly Pod[];
  readonly endpoints: readonly Endpoints[];
  readonly slices: readonly EndpointSliceInput[];
  /** Undefined if nodes are unknown: the input holds none, or an invalid one. */
  readonly nodes: readonly Node[] | undefined;
  /** The Namespaces of the input, and the namespaces that only other objects of the input name. */
  readonly namespaces: readonly Namespace[];
  readonly serviceCIDRs: readonly ServiceCIDR[];
  /** Events about Services, and warnings about pods, nodes and workloads. */
  readonly events: readonly ServiceEvent[];
  /** Objects of the other kinds that are read. */
  readonly related: RelatedObjects;
  /** The kinds of `related` that a cluster does not let its user read. */
  readonly unreadKinds: ReadonlySet<RelatedKind>;
  /** Whether `slices` has all slices of the Services: true for a cluster that serves them, false for files. */
  readonly areSlicesComplete: boolean;
  /** Keys such as "shop/web" of the Services without a cluster IP in the input. These Services have a placeholder address here. */
  readonly servicesWithPlaceholderIP: ReadonlySet<string>;
  /** Keys such as "shop/web" of the pods that are not in the input, but stand for the pods of a workload: their addresses are placeholders. */
  readonly templatePods: ReadonlySet<string>;
  /** The number of skipped objects of other kinds. */
  readonly ignoredCount: number;
  /** The number of skipped EndpointSlices of discovery.k8s.io/v1alpha1. */
  readonly oldSliceCount: number;
  /** The kinds and names of invalid objects, such as "Service shop/web"; only objects with a name are included. */
  readonly invalidObjects: ReadonlySet<string>;
  readonly problems: readonly InputProblem[];
}

/** Collects and validates objects, document by document. */
export interface Collection {
  /** Adds the objects of a document. Returns false if the rest of the source should be skipped. */
  add(source: string, document: InputDocument): boolean;
  /** Adds a problem with a source as a whole, for example that it cannot be read. */
  addProblem(problem: InputProblem): void;
  toInventory(): Inventory;
}

/**
 * Creates a collection that appends to `problems`.
 * @param namespace the default namespace of objects
 */
export function createCollection(namespace: string, problems: InputProblem[]): Collection {
  const items: ObjectItem[] = [];
  const locationDescribers = new Map<string, () => string>();
  const invalidObjects = new Set<string>();
  const skips: Record<SkippedKind, number> = { old: 0, other: 0 };

  /** Adds an object, or returns what is wrong with it. */
  const addObject = (item: ObjectItem, describeLocation: () => string): Omit<ProblemItem, 'kind'> | undefined => {
    const { kind, object, path } = item;
    const name = qualifiedName(kind, object, namespace);
    const problem = findFirstProblem(item);
    if (problem) {
      if (name !== undefined) invalidObjects.add(name);
      return { ...problem, object: name ?? describeUnnamed(kind, path) };
    }
    const describeFirstLocation = locationDescribers.get(name as string);
    if (describeFirstLocation) return { path, object: name, message: `already given in ${describeFirstLocation()}: remove one of the two` };
    locationDescribers.set(name as string, describeLocation);
    items.push(item);
    return undefined;
  };

  /** Adds an item of a document, or returns what is wrong with it. */
  const addItem = (item: DocumentItem, locate: (path: Path) => Location): Omit<ProblemItem, 'kind'> | undefined => {
    if (item.kind === 'problem') return { ...item, object: describeUnnamed(item.object, item.path) };
    if ('object' in item) return addObject(item, () => formatLocation(locate(item.path)));
    skips[item.kind]++;
    return undefined;
  };

  let consecutiveProblems = 0;
  /** Counts a consecutive problem. If the limit is reached, restarts the count and returns true. */
  const countProblem = (): boolean => {
    consecutiveProblems = (consecutiveProblems + 1) % maxConsecutiveProblems;
    return consecutiveProblems === 0;
  };

  return {
    add(source, { number, content, firstItemIndex, lineOf }) {
      if (content.error !== undefined) {
        problems.push({ source, document: number, line: content.line, message: content.error });
        return !countProblem();
      }
      const locate = (path: Path): Location => ({ source, document: number, line: lineOf(path) });
      for (const item of findObjects(content.value, firstItemIndex)) {
        const problem = addItem(item, locate);
        if (problem) problems.push({ ...locate(problem.path), object: problem.object, message: problem.message });
        if (item.kind !== 'problem') consecutiveProblems = 0;
        else if (countProblem()) return false;
      }
      return true;
    },
    addProblem: (problem) => problems.push(problem),
    toInventory: () => ({ ...groupItems(items, namespace, invalidObjects), ...countsOf(skips), problems }),
  };
}

const countsOf = ({ old, other }: Readonly<Record<SkippedKind, number>>): SkippedCounts => ({ oldSliceCount: old, ignoredCount: other });

/** After this many consecutive items that are not Kubernetes objects, the rest of a source is skipped. */
export const maxConsecutiveProblems = 20;

type Location = Pick<InputProblem, 'source' | 'document' | 'line'>;
type Path = readonly (string | number)[];

function findFirstProblem({ kind, object, path }: ObjectItem): Omit<ProblemItem, 'kind'> | undefined {
  if (isNestedDeeper(object, maxNesting)) return { path, message: `nested more than ${maxNesting} levels deep: give a Kubernetes object` };
  const [first, ...others] = validate(kind, object);
  if (!first) return undefined;
  return { path: [...path, ...first.path], message: others.length > 0 ? `${first.message} (and ${others.length} more)` : first.message };
}

type SkippedCounts = Pick<Inventory, 'ignoredCount' | 'oldSliceCount'>;
type ObjectsByKind = Omit<Inventory, keyof SkippedCounts | 'problems'>;

/** Groups the objects by kind, and applies defaults that depend on the other objects. */
function groupItems(items: readonly ObjectItem[], namespace: string, invalidObjects: ReadonlySet<string>): ObjectsByKind {
  const objectsOf = (kind: Kind): Record<string, unknown>[] => items.filter((item) => item.kind === kind).map(({ object }) => object);
  const cluster = {
    namespace,
    family: familyOfPods(objectsOf('Pod')),
    dualStack: areDualStack(objectsOf('Pod')),
    nextSpareAddress: createSpareAddressGenerator(objectsOf('Service')),
  };
  // The objects were validated when they were added, so they have these types.
  const completeObjects = <T>(kind: Kind): T[] => objectsOf(kind).map((object) => applyDefaults(kind, object, cluster) as T);
  const nodes = completeObjects<Node>('Node');
  const areNodesKnown = nodes.length > 0 && ![...invalidObjects].some((name) => name.startsWith('Node '));
  const services = completeObjects<Service>('Service');
  const hasPlaceholder = objectsOf('Service').map(needsClusterIP);
  const namespaced = {
    services,
    pods: completeObjects<Pod>('Pod'),
    endpoints: completeObjects<Endpoints>('Endpoints'),
    slices: completeObjects<EndpointSliceInput>('EndpointSlice').map((slice) => serveSlice(slice, { slicesAreV1: true })),
  };
  return {
    ...namespaced,
    nodes: areNodesKnown ? nodes : undefined,
    namespaces: namespacesOf(completeObjects<Namespace>('Namespace'), Object.values(namespaced).flat()),
    serviceCIDRs: completeObjects<ServiceCIDR>('ServiceCIDR'),
    servicesWithPlaceholderIP: new Set(
      services.filter((_, index) => hasPlaceholder[index]).map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`),
    ),
    events: completeObjects<ServiceEvent>('Event'),
    related: Object.fromEntries(relatedKindNames.map((kind) => [kind, completeObjects<RelatedObject>(kind)])) as unknown as RelatedObjects,
    unreadKinds: new Set(),
    areSlicesComplete: false,
    templatePods: new Set(),
    invalidObjects,
  };
}

/** Adds the objects' namespaces to the Namespaces, because a namespace exists if it contains an object. */
function namespacesOf(namespaces: readonly Namespace[], objects: readonly Namespace[]): readonly Namespace[] {
  const names = new Set(namespaces.map(({ metadata }) => metadata?.name ?? ''));
  const otherNames = new Set(objects.map(({ metadata }) => metadata?.namespace ?? '').filter((name) => name !== '' && !names.has(name)));
  return [...namespaces, ...[...otherNames].sort().map((name) => ({ metadata: { name } }))];
}

/** Returns text such as "Service shop/web" or "Node n1"; undefined if the object has no name. */
function qualifiedName(kind: Kind, object: Record<string, unknown>, namespace: string): string | undefined {
  const { name, namespace: ownNamespace } = (object['metadata'] ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return undefined;
  return isClusterScoped(kind)
    ? `${kind} ${name}`
    : `${kind} ${typeof ownNamespace === 'string' && ownNamespace !== '' ? ownNamespace : namespace}/${name}`;
}

/** Describes an object without a name, such as "Service in items[3]". Returns undefined if kind and position are unknown. */
function describeUnnamed(kind: string | undefined, path: Path): string | undefined {
  const items = path.filter((step) => typeof step === 'number').map((index) => `items[${index}]`);
  return [kind, items.join('.')].filter(Boolean).join(' in ') || undefined;
}
