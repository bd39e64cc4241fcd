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
import { areDualStack, createSpareAddresses, familyOfPods, needsClusterIP, withDefaults } from './defaults.ts';
import type { InputDocument } from './documents.ts';
import { isNestedDeeper, maxNesting } from './nesting.ts';
import { type DocumentItem, findObjects, type ObjectItem, type ProblemItem } from './objects.ts';
import { formatLocation, type InputProblem } from './problem.ts';
import { isClusterScoped, type Kind } from './rules.ts';
import { validate } from './validate.ts';

/** `corev1.Event` about a Service. */
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
}

/** `networkingv1.ServiceCIDR`. */
export interface ServiceCIDR extends Namespace {
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
  /** The Namespaces of the input, and those that only its other objects name. */
  readonly namespaces: readonly Namespace[];
  readonly serviceCIDRs: readonly ServiceCIDR[];
  /** Events about Services. */
  readonly events: readonly ServiceEvent[];
  /** Keys such as "shop/web" of Services without a cluster IP in the input; they have a placeholder address. */
  readonly servicesWithPlaceholderIP: ReadonlySet<string>;
  /** The number of skipped objects of other kinds. */
  readonly ignored: number;
  /** The number of skipped EndpointSlices of an API version before v1. */
  readonly oldSlices: number;
  /** The kinds and names of invalid objects, such as "Service shop/web"; only objects with a name are included. */
  readonly invalidObjects: ReadonlySet<string>;
  readonly problems: readonly InputProblem[];
}

/** Collects and validates objects, document by document. */
export interface Collection {
  /** False if the rest of the source should be skipped. */
  add(source: string, document: InputDocument): boolean;
  /** Adds a problem with a source as a whole, for example that it cannot be read. */
  refuse(problem: InputProblem): void;
  inventory(): Inventory;
}

/** @param namespace the default namespace of objects */
export function createCollection(namespace: string, problems: InputProblem[]): Collection {
  const entries: ObjectItem[] = [];
  const locations = new Map<string, () => string>();
  const invalidObjects = new Set<string>();
  const skipped = { other: 0, old: 0 };

  /** Adds an object, or returns what is wrong with it. */
  const addObject = (item: ObjectItem, location: () => string): Omit<ProblemItem, 'kind'> | undefined => {
    const { kind, object, path } = item;
    const name = qualifiedName(kind, object, namespace);
    const problem = firstProblem(item);
    if (problem) {
      if (name !== undefined) invalidObjects.add(name);
      return { ...problem, object: name ?? describeUnnamed(kind, path) };
    }
    const firstLocation = locations.get(name as string);
    if (firstLocation) return { path, object: name, message: `already given in ${firstLocation()}: remove one of the two` };
    locations.set(name as string, location);
    entries.push(item);
    return undefined;
  };

  /** Adds an item of a document, or returns what is wrong with it. */
  const addItem = (item: DocumentItem, location: (path: Path) => Location): Omit<ProblemItem, 'kind'> | undefined => {
    if (item.kind === 'problem') return { ...item, object: describeUnnamed(item.object, item.path) };
    if (item.kind !== 'other' && item.kind !== 'old') return addObject(item, () => formatLocation(location(item.path)));
    skipped[item.kind]++;
    return undefined;
  };

  let consecutiveProblems = 0;
  const isLimitReached = (): boolean => {
    consecutiveProblems = (consecutiveProblems + 1) % maxConsecutiveProblems;
    return consecutiveProblems === 0;
  };

  return {
    add(source, { number, content, firstItem, lineOf }) {
      if (content.error !== undefined) {
        problems.push({ source, document: number, line: content.line, message: content.error });
        return !isLimitReached();
      }
      const location = (path: Path): Location => ({ source, document: number, line: lineOf(path) });
      for (const item of findObjects(content.value, firstItem)) {
        const problem = addItem(item, location);
        if (problem) problems.push({ ...location(problem.path), object: problem.object, message: problem.message });
        if (item.kind !== 'problem') consecutiveProblems = 0;
        else if (isLimitReached()) return false;
      }
      return true;
    },
    refuse: (problem) => problems.push(problem),
    inventory: () => ({ ...sortByKind(entries, namespace, invalidObjects), ignored: skipped.other, oldSlices: skipped.old, problems }),
  };
}

/** After this many consecutive items that are not Kubernetes objects, the rest of a source is skipped. */
export const maxConsecutiveProblems = 20;

type Location = Pick<InputProblem, 'source' | 'document' | 'line'>;
type Path = readonly (string | number)[];

function firstProblem({ kind, object, path }: ObjectItem): Omit<ProblemItem, 'kind'> | undefined {
  if (isNestedDeeper(object, maxNesting)) return { path, message: `nested more than ${maxNesting} levels deep: give a Kubernetes object` };
  const [first, ...others] = validate(kind, object);
  if (!first) return undefined;
  return { path: [...path, ...first.path], message: others.length > 0 ? `${first.message} (and ${others.length} more)` : first.message };
}

type ObjectsByKind = Omit<Inventory, 'ignored' | 'oldSlices' | 'problems'>;

/** Sorts the objects by kind and applies defaults that depend on the other objects. */
function sortByKind(entries: readonly ObjectItem[], namespace: string, invalidObjects: ReadonlySet<string>): ObjectsByKind {
  const objectsOf = (kind: Kind): Record<string, unknown>[] => entries.filter((entry) => entry.kind === kind).map(({ object }) => object);
  const cluster = {
    namespace,
    family: familyOfPods(objectsOf('Pod')),
    dualStack: areDualStack(objectsOf('Pod')),
    spareAddress: createSpareAddresses(objectsOf('Service')),
  };
  // The objects were validated when they were added, so they have these types.
  const completeObjects = <T>(kind: Kind): T[] => objectsOf(kind).map((object) => withDefaults(kind, object, cluster) as T);
  const nodes = completeObjects<Node>('Node');
  const areNodesKnown = nodes.length > 0 && ![...invalidObjects].some((name) => name.startsWith('Node '));
  const services = completeObjects<Service>('Service');
  const hasPlaceholder = objectsOf('Service').map(needsClusterIP);
  const namespaced = {
    services,
    pods: completeObjects<Pod>('Pod'),
    endpoints: completeObjects<Endpoints>('Endpoints'),
    slices: completeObjects<EndpointSliceInput>('EndpointSlice'),
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
    invalidObjects,
  };
}

/** A namespace exists if an object is in it. */
function namespacesOf(namespaces: readonly Namespace[], objects: readonly Namespace[]): readonly Namespace[] {
  const names = new Set(namespaces.map(({ metadata }) => metadata?.name ?? ''));
  const otherNames = new Set(objects.map(({ metadata }) => metadata?.namespace ?? '').filter((name) => name !== '' && !names.has(name)));
  return [...namespaces, ...[...otherNames].sort().map((name) => ({ metadata: { name } }))];
}

/** "Service shop/web", "Node n1"; undefined if the object has no name. */
function qualifiedName(kind: Kind, object: Record<string, unknown>, namespace: string): string | undefined {
  const { name, namespace: ownNamespace } = (object['metadata'] ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return undefined;
  return isClusterScoped(kind)
    ? `${kind} ${name}`
    : `${kind} ${typeof ownNamespace === 'string' && ownNamespace !== '' ? ownNamespace : namespace}/${name}`;
}

/** "Service in items[3]", for objects without a name. */
function describeUnnamed(kind: string | undefined, path: Path): string | undefined {
  const items = path.filter((step) => typeof step === 'number').map((index) => `items[${index}]`);
  return [kind, items.join('.')].filter(Boolean).join(' in ') || undefined;
}
