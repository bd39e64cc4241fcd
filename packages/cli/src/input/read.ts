import type { IO } from '../base/io.ts';
import { type Collection, createCollection, type Inventory, maxConsecutiveProblems } from './collection.ts';
import type { InputDocument } from './documents.ts';
import { findJSONList, type JSONList, readJSONItems } from './json-list.ts';
import { createItemFilter, type InputScope } from './selection.ts';
import { describeFileError, findSources, maxInputBytes, type Source } from './sources.ts';

export interface ReadOptions {
  readonly filenames: readonly string[];
  readonly recursive: boolean;
  /** The namespace of objects without one. */
  readonly namespace: string;
  /** The objects that are needed; by default all. Of a long list in JSON, the others are not read. */
  readonly scope?: InputScope | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** How far the reading of a source is: reported at its start, after each chunk of bytes, and after each object of a long list. */
export interface ReadProgress {
  readonly source: string;
  readonly readBytes?: number;
  /** Set once the list is parsed. */
  readonly objects?: { readonly readCount: number; readonly count: number };
}

/** Receives documents and problems. */
export type Sink = Pick<Collection, 'add' | 'addProblem'>;

/** Reads all objects. Skips invalid objects and reports them in `problems`. */
export async function readInput(options: ReadOptions, io: Pick<IO, 'stdin' | 'files'>): Promise<Inventory> {
  const collection = createCollection(options.namespace, []);
  await readSources(options, io, { sink: collection, expectedContent: 'YAML or JSON with Services and Pods' });
  return collection.toInventory();
}

/** Reads all documents into a sink, one at a time. `expectedContent` ends the message about an empty source. */
export async function readSources(
  { filenames, recursive, scope, onProgress = () => undefined }: Omit<ReadOptions, 'namespace'>,
  io: Pick<IO, 'stdin' | 'files'>,
  { sink, expectedContent }: { readonly sink: Sink; readonly expectedContent: string },
): Promise<void> {
  const { sources, problems } = await findSources(filenames, recursive, io);
  for (const problem of problems) sink.addProblem(problem);
  const allowance: Allowance = { remainingBytes: maxInputBytes };
  for (const source of sources) {
    onProgress({ source: source.name });
    await readSource(source, { allowance, sink, expectedContent, scope, onProgress });
    if (allowance.remainingBytes < 0) break;
  }
}

interface ReadContext extends Pick<ReadOptions, 'scope'> {
  readonly allowance: Allowance;
  readonly sink: Sink;
  readonly expectedContent: string;
  readonly onProgress: (progress: ReadProgress) => void;
}

async function readSource(source: Source, context: ReadContext): Promise<void> {
  const { allowance, sink, expectedContent, onProgress } = context;
  const addProblem = (message: string, line?: number): void => sink.addProblem({ source: source.name, line, message });
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readWithinAllowance(source.read(), allowance, (readBytes) => onProgress({ source: source.name, readBytes }));
  } catch (error) {
    return addProblem(describeFileError(error));
  }
  if (!bytes)
    return addProblem(`beyond the limit of ${maxInputBytes >> 20} MiB for all input: give less, for example one namespace at a time`);
  if (bytes.length === 0) return addProblem(`the file is empty: give ${expectedContent}`);
  const list = findJSONList(bytes);
  if (list) return void addDocuments(readList(source.name, list, context), source.name, sink);
  const decoded = decode(bytes);
  if (decoded.error !== undefined) return addProblem(decoded.error, decoded.line);
  // Loads the YAML parser only if it is needed.
  const { readDocuments } = await import('./documents.ts');
  if (addDocuments(readDocuments(decoded.text), source.name, sink) === 0) addProblem(`no document in it: give ${expectedContent}`);
}

/** Adds documents until the sink refuses one. Returns their number. */
function addDocuments(documents: Iterable<InputDocument>, source: string, sink: Sink): number {
  let count = 0;
  for (const document of documents) {
    count++;
    if (sink.add(source, document)) continue;
    sink.addProblem({ source, message: `${maxConsecutiveProblems} consecutive items are not Kubernetes objects: the rest is not read` });
    break;
  }
  return count;
}

function readList(source: string, list: JSONList, { scope, onProgress }: ReadContext): Iterable<InputDocument> {
  const { items } = list;
  const isNeeded = scope ? createItemFilter(scope, list) : () => true;
  let readCount = 0;
  return readJSONItems(list, (item) => {
    onProgress({ source, objects: { readCount: readCount++, count: items.length } });
    return isNeeded(item);
  });
}

/** The text of a source, or an error with the line of the first invalid bytes. */
export type DecodeResult =
  | { readonly text: string; readonly error?: undefined }
  | { readonly error: string; readonly line?: number | undefined };

/** Decodes UTF-8, with or without a byte order mark. Rejects binary data before a parser sees it. */
export function decode(bytes: Uint8Array): DecodeResult {
  if (isUTF16(bytes)) return { error: 'this is UTF-16: give UTF-8' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { error: 'not UTF-8: give YAML or JSON in UTF-8', line: findInvalidLine(bytes) };
  }
  const control = controlCharacter.exec(text);
  if (!control) return { text };
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return { error: `not text (the control character U+${code}): give YAML or JSON`, line: lineNumberAt(text, control.index) };
}

const isUTF16 = ([a, b]: Uint8Array): boolean => (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);

// biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const newline = 0x0a;
const blockLength = 64 * 1024;

/**
 * Finds the 1-based number of the first line that is not UTF-8. Checks blocks of whole lines, then the lines of the first invalid block,
 * because no UTF-8 character spans a line break.
 */
function findInvalidLine(bytes: Uint8Array): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const isValid = (part: Uint8Array): boolean => {
    try {
      decoder.decode(part);
      return true;
    } catch {
      return false;
    }
  };
  let line = 1;
  for (let offset = 0; offset < bytes.length; ) {
    const end = findLineEnd(bytes, Math.min(offset + blockLength, bytes.length));
    const part = bytes.subarray(offset, end);
    const isBlockValid = isValid(part);
    for (let from = 0; from < part.length; from = findLineEnd(part, from)) {
      if (!isBlockValid && !isValid(part.subarray(from, findLineEnd(part, from)))) return line;
      line++;
    }
    offset = end;
  }
  return undefined;
}

function findLineEnd(bytes: Uint8Array, from: number): number {
  const offset = bytes.indexOf(newline, from);
  return offset === -1 ? bytes.length : offset + 1;
}

function lineNumberAt(text: string, end: number): number {
  let line = 1;
  for (let offset = text.indexOf('\n'); offset !== -1 && offset < end; offset = text.indexOf('\n', offset + 1)) line++;
  return line;
}

/** The bytes still allowed, shared by all sources. */
export interface Allowance {
  remainingBytes: number;
}

/** Reads all bytes of a source, and subtracts them from the allowance. Returns undefined as soon as the bytes exceed the allowance. */
export async function readWithinAllowance(
  chunks: AsyncIterable<Uint8Array>,
  allowance: Allowance,
  onProgress: (readBytes: number) => void = () => undefined,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    allowance.remainingBytes -= chunk.length;
    if (allowance.remainingBytes < 0) return undefined;
    parts.push(chunk);
    length += chunk.length;
    onProgress(length);
  }
  if (parts.length === 1) return parts[0] as Uint8Array;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
