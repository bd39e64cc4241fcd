import type { IO } from '../io.ts';
import { type Collection, createCollection, type Inventory, patience } from './collection.ts';
import { decode } from './decode.ts';
import { readDocuments } from './documents.ts';
import { type Allowance, inputLimit, readWithin } from './limit.ts';
import { findSources, type Source, unreadable } from './sources.ts';

export interface ReadOptions {
  readonly filenames: readonly string[];
  readonly recursive: boolean;
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /** Told the name of each source before it is read. */
  readonly onSource?: (name: string) => void;
}

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
  if (!bytes) return refuse(`beyond the limit of ${inputLimit >> 20} MiB for all input: give less, for example one namespace at a time`);
  if (bytes.length === 0) return refuse('the file is empty: give YAML or JSON with Services and Pods');
  const decoded = decode(bytes);
  if (decoded.error !== undefined) return refuse(decoded.error, decoded.line);
  let documents = 0;
  for (const document of readDocuments(decoded.text)) {
    documents++;
    if (!collection.add(source.name, document))
      return refuse(`${patience} things in a row are no Kubernetes objects: the rest is not read`);
  }
  if (documents === 0) refuse('no document in it: give YAML or JSON with Services and Pods');
}
