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

/** Who takes what is read. */
export type Sink = Pick<Collection, 'add' | 'refuse'>;

/** Reads all objects. What cannot be used is told of and left out; the rest is there. */
export async function readInput(options: ReadOptions, io: Pick<IO, 'stdin' | 'files'>): Promise<Inventory> {
  const collection = createCollection(options.namespace, []);
  await readSources(options, io, { sink: collection, wanted: 'YAML or JSON with Services and Pods' });
  return collection.inventory();
}

/** Reads all documents there are, one after the other, into a sink. `wanted` ends the message about a source that holds nothing. */
export async function readSources(
  { filenames, recursive, onSource }: Omit<ReadOptions, 'namespace'>,
  io: Pick<IO, 'stdin' | 'files'>,
  { sink, wanted }: { readonly sink: Sink; readonly wanted: string },
): Promise<void> {
  const { sources, problems } = await findSources(filenames, recursive, io);
  for (const problem of problems) sink.refuse(problem);
  const allowance: Allowance = { left: inputLimit };
  for (const source of sources) {
    onSource?.(source.name);
    await readSource(source, allowance, sink, wanted);
    if (allowance.left < 0) break;
  }
}

async function readSource(source: Source, allowance: Allowance, sink: Sink, wanted: string): Promise<void> {
  const refuse = (message: string, line?: number): void => sink.refuse({ source: source.name, line, message });
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readWithin(source.read(), allowance);
  } catch (error) {
    return refuse(unreadable(error));
  }
  if (!bytes) return refuse(`beyond the limit of ${inputLimit >> 20} MiB for all input: give less, for example one namespace at a time`);
  if (bytes.length === 0) return refuse(`the file is empty: give ${wanted}`);
  const decoded = decode(bytes);
  if (decoded.error !== undefined) return refuse(decoded.error, decoded.line);
  let documents = 0;
  for (const document of readDocuments(decoded.text)) {
    documents++;
    if (!sink.add(source.name, document)) return refuse(`${patience} things in a row are no Kubernetes objects: the rest is not read`);
  }
  if (documents === 0) refuse(`no document in it: give ${wanted}`);
}
