import type { IO } from '../io.ts';
import type { Endpoints, Pod, Service } from '../../types/index.ts';
import { decode } from './decode.ts';
import { familyOfPods, withDefaults } from './defaults.ts';
import { type InputDocument, readDocuments } from './documents.ts';
import { type Allowance, inputLimit, readWithin } from './limit.ts';
import { findObjects, type Found } from './objects.ts';
import { formatPlace, type InputProblem } from './problem.ts';
import type { Kind } from './rules.ts';
import { findSources, type Source, unreadable } from './sources.ts';
import { validate } from './validate.ts';

/** What the input holds. */
export interface Inventory {
  readonly services: readonly Service[];
  readonly pods: readonly Pod[];
  readonly endpoints: readonly Endpoints[];
  /** How many objects of other kinds were passed over. */
  readonly ignored: number;
  /** "Service shop/web" of the objects that could not be used, as far as they have a name: of these nothing is known. */
  readonly refused: ReadonlySet<string>;
  readonly problems: readonly InputProblem[];
}

export interface ReadOptions {
  readonly filenames: readonly string[];
  readonly recursive: boolean;
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /** Told the name of each source before it is read. */
  readonly onSource?: (name: string) => void;
}

/** After so many documents in a row that cannot be read, the rest of a source is not looked at. */
const patience = 100;

/** Reads all objects. What cannot be used is told of and left out; the rest is there. */
export async function readInput(options: ReadOptions, io: Pick<IO, 'stdin' | 'files'>): Promise<Inventory> {
  const { sources, problems } = await findSources(options.filenames, options.recursive, io);
  const collection = createCollection(options.namespace, [...problems]);
  const allowance: Allowance = { left: inputLimit };
  for (const source of sources) {
    options.onSource?.(source.name);
    await readSource(source, allowance, collection);
    if (allowance.left < 0) break;
  }
  return collection.inventory();
}

async function readSource(source: Source, allowance: Allowance, collection: Collection): Promise<void> {
  const refuse = (message: string, line?: number): void => collection.refuse({ source: source.name, line, message });
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readWithin(source.read(), allowance);
  } catch (error) {
    return refuse(unreadable(error));
  }
  if (!bytes) return refuse(`goes beyond the limit of ${inputLimit >> 20} MiB for all input: give less, for example one namespace at a time`);
  if (bytes.length === 0) return refuse('is empty: give YAML or JSON with Services and Pods');
  const decoded = decode(bytes);
  if (decoded.error !== undefined) return refuse(decoded.error, decoded.line);
  let documents = 0;
  let unreadableInARow = 0;
  for (const document of readDocuments(decoded.text)) {
    documents++;
    const usable = collection.add(source.name, document);
    unreadableInARow = usable ? 0 : unreadableInARow + 1;
    if (unreadableInARow === patience) return refuse(`${patience} documents in a row are no Kubernetes objects: the rest is not read`);
  }
  if (documents === 0) refuse('holds no document: give YAML or JSON with Services and Pods');
}

interface Entry {
  readonly kind: Kind;
  readonly object: Record<string, unknown>;
}

interface Collection {
  /** Takes what a document holds; false where it is nothing that could be an object. */
  add(source: string, document: InputDocument): boolean;
  refuse(problem: InputProblem): void;
  inventory(): Inventory;
}

function createCollection(namespace: string, problems: InputProblem[]): Collection {
  const entries: Entry[] = [];
  const places = new Map<string, string>();
  const refused = new Set<string>();
  let ignored = 0;

  const take = (found: Found, source: string, document: InputDocument): void => {
    if (found.kind === 'other') {
      ignored++;
      return;
    }
    const refuse = (path: readonly (string | number)[], message: string, object?: string): void => {
      problems.push({ source, document: document.number, line: document.lineOf(path), object: object ?? itemName(found.path), message });
    };
    if (found.kind === 'problem') return refuse(found.path, found.message, [found.object, itemName(found.path)].filter(Boolean).join(' in ') || undefined);
    const { kind, object, path } = found;
    const name = nameOf(kind, object, namespace);
    const [first, ...more] = validate(kind, object);
    if (first) {
      refused.add(name ?? '');
      return refuse([...path, ...first.path], more.length > 0 ? `${first.message} (and ${more.length} more)` : first.message, name ?? kindIn(kind, path));
    }
    const before = places.get(name as string);
    if (before !== undefined) return refuse(path, `is already given in ${before}: remove one of the two`, name);
    places.set(name as string, formatPlace({ source, document: document.number, line: document.lineOf(path) }));
    entries.push({ kind, object });
  };

  return {
    add(source, document) {
      const { content, number } = document;
      if (content.error !== undefined) {
        problems.push({ source, document: number, line: content.line, message: content.error });
        return false;
      }
      const found = findObjects(content.value);
      for (const one of found) take(one, source, document);
      return found.some(({ kind }) => kind !== 'problem') || found.length === 0;
    },
    refuse: (problem) => problems.push(problem),
    inventory: () => ({ ...sortOut(entries, namespace), ignored, refused, problems }),
  };
}

function sortOut(entries: readonly Entry[], namespace: string): Pick<Inventory, 'services' | 'pods' | 'endpoints'> {
  const all = (kind: Kind): Record<string, unknown>[] => entries.filter((entry) => entry.kind === kind).map(({ object }) => object);
  const pods = all('Pod');
  const cluster = { namespace, family: familyOfPods(pods) };
  // the rules have made sure that these are what they are called
  const complete = <T>(kind: Kind): T[] => all(kind).map((object) => withDefaults(kind, object, cluster) as T);
  return { services: complete<Service>('Service'), pods: complete<Pod>('Pod'), endpoints: complete<Endpoints>('Endpoints') };
}

/** "Service shop/web"; undefined where the object has no name that could be told. */
function nameOf(kind: Kind, object: Record<string, unknown>, namespace: string): string | undefined {
  const { name, namespace: own } = (object['metadata'] ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && name !== '' ? `${kind} ${typeof own === 'string' && own !== '' ? own : namespace}/${name}` : undefined;
}

const itemName = (path: readonly (string | number)[]): string | undefined => (path.length > 0 ? `items[${path.filter(Number.isInteger).join('].items[')}]` : undefined);

const kindIn = (kind: Kind, path: readonly (string | number)[]): string => [kind, itemName(path)].filter(Boolean).join(' in ');
