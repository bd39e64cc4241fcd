import { compareText } from '../compare.ts';
import { quote } from '../go-text.ts';
import { type Anchor, type Anchors, closeAnchor, createAnchors, openAnchor, resolveAlias } from './anchors.ts';
import { YamlError } from './cursor.ts';
import type { YamlEvent } from './parse-node.ts';
import { resolvePlain, resolveTagged, type ScalarOptions } from './resolve.ts';

export interface ComposeOptions extends ScalarOptions {
  /** Maximum nesting of collections. */
  readonly maxDepth: number;
  /** A key is its text, even if it looks like a number or a boolean. */
  readonly textKeys?: boolean;
  /** Whether documents have positions. */
  readonly positions?: boolean;
}

/** A document as JSON values, except that aliases share their objects. */
export interface YamlDocument {
  readonly value: unknown;
  /** At most 1000. */
  readonly duplicateKeys: readonly DuplicateYamlKey[];
  readonly positions?: YamlPositions | undefined;
}

/** The offsets of a node and of the nodes in it, without those of aliases and merge keys. */
export interface YamlPositions {
  /** Undefined for an empty value. */
  readonly start: number | undefined;
  /** Undefined if the node is not a field, or if its key is empty. */
  readonly keyStart?: number | undefined;
  readonly fields?: Map<string, YamlPositions>;
  readonly items?: YamlPositions[];
}

export interface DuplicateYamlKey {
  readonly key: unknown;
  readonly keyOffset: number;
  readonly valueOffset: number;
  /** Whether one of both keys comes from a merge key. */
  readonly isMerged: boolean;
}

/** A document of which nodes are missing. */
export interface Composition {
  readonly options: ComposeOptions;
  readonly anchors: Anchors;
  readonly duplicateKeys: DuplicateYamlKey[];
  /** Collections that have not ended, outermost first. */
  readonly frames: Frame[];
  root: Node;
  mergedCount: number;
  error?: YamlError;
  /** Why the document has no form in JSON. Other errors have precedence. */
  jsonError?: YamlError;
}

interface Node {
  readonly value: unknown;
  /** The event that begins it. */
  readonly event: YamlEvent | undefined;
  readonly positions?: YamlPositions | undefined;
}

interface Frame extends Node {
  readonly value: unknown[] | Record<string, unknown>;
  readonly anchor: Anchor | undefined;
  /** The key whose value comes next. */
  key: Key | undefined;
  /** The names of fields that come from merge keys. */
  mergedNames?: Set<string>;
}

interface Key {
  readonly value: unknown;
  readonly isMerge: boolean;
  readonly start: number | undefined;
}

const maxDuplicateKeys = 1000;

/** Of all merge keys together. Upstream has no such limit. */
const maxMergedFields = 10_000;

export const createComposition = (options: ComposeOptions): Composition => ({
  options,
  anchors: createAnchors(),
  duplicateKeys: [],
  frames: [],
  root: { value: null, event: undefined },
  mergedCount: 0,
});

/** Adds the node that an event begins, or ends a collection. @throws YamlError for nodes that cannot be composed */
export function addEvent(composition: Composition, event: YamlEvent): void {
  if (composition.error) return;
  try {
    addNodeOf(composition, event);
  } catch (error) {
    // As upstream, errors of syntax, which follow, have precedence.
    if (!(error instanceof YamlError) || error.code === 'depth' || error.code === 'anchor') throw error;
    composition.error = error;
  }
}

/** @throws the first error of the document */
export function completeDocument({ root: { value, positions }, duplicateKeys, error, jsonError }: Composition): YamlDocument {
  if (error ?? jsonError) throw error ?? jsonError;
  return { value, duplicateKeys, ...(positions && { positions }) };
}

function addNodeOf(composition: Composition, event: YamlEvent): void {
  if (event.type === 'scalar') addScalar(composition, event);
  else if (event.type === 'alias') addAlias(composition, event);
  else if (event.type === 'end') closeCollection(composition);
  else openCollection(composition, event);
}

function openCollection(composition: Composition, event: YamlEvent): void {
  const { frames, anchors, options } = composition;
  const { type, start } = event;
  if (frames.length >= options.maxDepth) throw new YamlError('depth', `nested more than ${options.maxDepth} levels deep`, start);
  const isSequence = type === 'sequence';
  const children = isSequence ? { items: [] } : { fields: new Map() };
  const positions = options.positions ? { start, ...children } : undefined;
  frames.push({ value: isSequence ? [] : {}, event, positions, anchor: openAnchor(anchors, event), key: undefined });
}

function closeCollection(composition: Composition): void {
  const frame = composition.frames.pop() as Frame;
  if (frame.anchor) closeAnchor(composition.anchors, frame.anchor, frame.value);
  addNode(composition, frame);
}

function addScalar(composition: Composition, event: YamlEvent): void {
  const anchor = openAnchor(composition.anchors, event);
  const value = resolve(composition, event);
  if (anchor) closeAnchor(composition.anchors, anchor, value);
  addNode(composition, { value, event, positions: positionsOf(composition, event) });
}

const positionsOf = ({ options }: Composition, { start }: YamlEvent): YamlPositions | undefined =>
  options.positions ? { start } : undefined;

function resolve(composition: Composition, { value: text, tag, isPlain, start }: YamlEvent): unknown {
  const { options } = composition;
  if (tag === undefined && !isPlain) return text;
  const isCoreTag = tag?.startsWith(coreTagPrefix);
  const value =
    tag === undefined ? resolvePlain(text, options) : isCoreTag ? resolveTagged(tag.slice(coreTagPrefix.length), text, options) : text;
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  const number = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  composition.jsonError ??= new YamlError('json', `json: unsupported value: ${number}`, start);
  return null;
}

const coreTagPrefix = 'tag:yaml.org,2002:';

function addAlias(composition: Composition, event: YamlEvent): void {
  const value = resolveAlias(composition.anchors, event);
  addNode(composition, { value, event, positions: positionsOf(composition, event) });
}

/** Adds a complete node to the innermost collection. */
function addNode(composition: Composition, node: Node): void {
  const frame = composition.frames.at(-1);
  if (!frame) composition.root = node;
  else if (Array.isArray(frame.value)) {
    frame.value.push(node.value);
    if (node.positions) frame.positions?.items?.push(node.positions);
  } else if (!frame.key) frame.key = createKey(composition.options, node);
  else {
    const { key } = frame;
    frame.key = undefined;
    if (key.isMerge) mergeFields(composition, frame, key, node);
    else setField(composition, frame, key, node);
  }
}

function createKey({ yaml11, textKeys }: ComposeOptions, { value, event }: Node): Key {
  const { type, value: text = '', isPlain, tag, start } = event ?? {};
  if (typeof value === 'object' && value !== null) throw new YamlError('key', `invalid map key: ${formatGo(value)}`, start);
  const isMerge = yaml11 === true && type === 'scalar' && text === '<<' && ((isPlain && tag === undefined) || tag === mergeTag);
  return { value: textKeys && type === 'scalar' ? text : value, isMerge, start };
}

const mergeTag = 'tag:yaml.org,2002:merge';

/** Sets a field. If the key is a duplicate, the last value wins. */
function setField(composition: Composition, frame: Frame, key: Key, { value, event, positions }: Node, isMerged = false): void {
  const fields = frame.value as Record<string, unknown>;
  const { duplicateKeys } = composition;
  const name = String(key.value);
  if (key.value === null || isUint64(key.value)) composition.jsonError ??= createKeyError(key, value);
  const { start = 0 } = key;
  if (Object.hasOwn(fields, name) && duplicateKeys.length < maxDuplicateKeys) {
    const involvesMerge = isMerged || frame.mergedNames?.has(name) === true;
    duplicateKeys.push({ key: key.value, keyOffset: start, valueOffset: event?.start ?? start, isMerged: involvesMerge });
  }
  if (positions) frame.positions?.fields?.set(name, { ...positions, keyStart: key.start });
  if (name === '__proto__') Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
  else fields[name] = value;
}

/** Sets the fields of a map, or of a list of maps, the first of which has precedence. As upstream, they replace existing fields. */
function mergeFields(composition: Composition, frame: Frame, key: Key, { value, event }: Node): void {
  const sources = event?.type === 'sequence' ? (value as unknown[]).toReversed() : [value];
  if (event?.type === 'scalar' || !sources.every(isFields))
    throw new YamlError('alias', 'map merge requires map or sequence of maps as the value', key.start);
  frame.mergedNames ??= new Set();
  for (const fields of sources) {
    const names = Object.keys(fields);
    composition.mergedCount += names.length;
    if (composition.mergedCount > maxMergedFields) throw new YamlError('alias', 'document contains excessive aliasing', key.start);
    for (const name of names) {
      setField(composition, frame, { ...key, value: name }, { value: fields[name], event }, true);
      frame.mergedNames.add(name);
    }
  }
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const isUint64 = (value: unknown): value is bigint => typeof value === 'bigint' && value >= 2n ** 63n;

/** Mirrors convertToJSONableObject (sigs.k8s.io/yaml 1.6, yaml.go). */
function createKeyError({ value: key, start }: Key, value: unknown): YamlError {
  const type = isUint64(key) ? 'uint64' : '%!s(<nil>)';
  const message = `unsupported map key of type: ${type}, key: ${formatOuter(key)}, value: ${formatOuter(value)}`;
  return new YamlError('json', message, start);
}

const formatOuter = (value: unknown): string => (value === null ? '<nil>' : formatGo(value));

/** Formats a value like Go's %#v. */
function formatGo(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGo).join(', ')}}`;
  if (value === null) return 'interface {}(nil)';
  if (isUint64(value)) return `0x${value.toString(16)}`;
  if (typeof value !== 'object') return typeof value === 'string' ? quote(value) : String(value);
  const fields = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return `map[interface {}]interface {}{${fields.map(([name, field]) => `${quote(name)}:${formatGo(field)}`).join(', ')}}`;
}
