import { type Decoded, decode } from '../api-types/codec/decode.ts';
import { createFastPrinter, encode } from '../api-types/codec/printer.ts';
import { createFastReader } from '../api-types/codec/reader.ts';
import { createStoredReader } from '../api-types/codec/stored.ts';
import { pathSegment, pathSegmentPrefix } from '../formats/names.ts';
import type { Description, ListObjects, UpdateStrategy } from './description.ts';
import { collectCauses, type FieldCause } from './field/causes.ts';
import { child, copyOf, type Draft, ensureChild, type Fields, has, number, text } from './field/read.ts';
import { dropDuplicateOwners } from './metadata/owners.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata/validate.ts';

/** The object to store, or the validation errors. */
export type CheckResult = { readonly object: Fields; readonly causes?: undefined } | { readonly causes: readonly FieldCause[] };

export interface ParsedBody extends Decoded {
  /** Warnings other than those about unknown fields. */
  readonly warnings: readonly string[];
}

/** Decodes a body and sets the defaults of the API version. */
export const readObject = (description: Description, body: unknown): ParsedBody =>
  applyDefaults(description, decode(description.type, body));

/** Decodes and encodes objects of a resource. Reuse it: it is faster than `readObject` and `printObject`. */
export interface ObjectCodec {
  /** Like `readObject`. The caller owns the result. */
  read(body: unknown): ParsedBody;
  /** Decodes an object that was encoded with all its defaults. The result shares unchanged parts with it. */
  readStored(stored: Fields): Fields;
  /** Like `printObject`, but the result shares unchanged parts with the object. */
  print(object: Fields): Fields;
}

export function createObjectCodec(description: Description): ObjectCodec {
  const readFast = createFastReader(description.type);
  return {
    read(body) {
      const value = readFast(body);
      return applyDefaults(description, value ? { value, unknown: emptyList } : decode(description.type, body));
    },
    readStored: createStoredReader(description.type),
    print: createFastPrinter(description.type),
  };
}

function applyDefaults({ strategy }: Description, { value, unknown, problem }: Decoded): ParsedBody {
  if (problem !== undefined) return { value, unknown, problem, warnings: emptyList };
  strategy.defaults?.(value);
  return { value, unknown, warnings: dropDuplicateOwners(value) };
}

const emptyList: readonly string[] = [];

/** Encodes a decoded object as the API server does. */
export const printObject = ({ type }: Description, object: Fields): Fields => encode(type, object);

export function withDefaults({ strategy }: Description, object: Fields): Fields {
  const draft = copyOf(object) as Draft;
  strategy.defaults?.(draft);
  return draft;
}

/** The object after admission, or the message of a Forbidden error. */
export type AdmissionResult = { readonly object: Fields; readonly forbidden?: undefined } | { readonly forbidden: string };

/** `owned` lets the callee modify the object. Default false. */
export interface Ownership {
  readonly owned?: boolean;
}

const createDraft = (object: Fields, { owned = false }: Ownership): Draft => (owned ? object : copyOf(object)) as Draft;

/** Runs the built-in admission plugins, which run between defaulting and validation. */
export function admitObject(
  { strategy }: Description,
  object: Fields,
  old?: Fields,
  { listObjects = listNothing, ...ownership }: Ownership & { readonly listObjects?: ListObjects } = {},
): AdmissionResult {
  if (!strategy.admit) return { object };
  const draft = createDraft(object, ownership);
  const forbidden = strategy.admit(draft, old, listObjects);
  return forbidden === undefined ? { object: draft } : { forbidden };
}

const listNothing: ListObjects = () => [];

/** Prepares and validates a new object whose name, namespace, uid and creation time are set. Mirrors BeforeCreate (registry/rest, 1.36). */
export function checkCreate({ resource, strategy }: Description, object: Fields, ownership: Ownership = {}): CheckResult {
  const draft = createDraft(object, ownership);
  strategy.prepareForCreate?.(draft);
  const causes = collectCauses();
  strategy.validate(draft, causes);
  if (causes.list.length === 0) {
    validateMetadata(draft, { namespaced: resource.namespaced, name: pathSegment, prefix: pathSegmentPrefix }, causes);
  }
  if (causes.list.length > 0) return { causes: causes.list };
  strategy.canonicalize?.(draft);
  return { object: draft };
}

/**
 * Prepares and validates an update; both objects must have the same resourceVersion. Mirrors BeforeUpdate (registry/rest, 1.36).
 * @throws RangeError if the subresource does not exist
 */
export function checkUpdate(
  description: Description,
  object: Fields,
  old: Fields,
  subresource?: string,
  ownership: Ownership = {},
): CheckResult {
  const { resource, strategy, subresources = {} } = description;
  const update: UpdateStrategy | undefined = subresource === undefined ? strategy : subresources[subresource];
  if (!update) throw new RangeError(`${resource.plural} have no subresource ${subresource}`);
  const draft = createDraft(object, ownership);
  keepGeneration(draft, old);
  update.prepareForUpdate?.(draft, old);
  keepSystemFields(draft, old);
  const causes = collectCauses();
  validateMetadata(draft, { namespaced: resource.namespaced, name: pathSegment, prefix: pathSegmentPrefix }, causes);
  validateMetadataUpdate(draft, old, {}, causes);
  update.validateUpdate(draft, old, causes);
  if (causes.list.length > 0) return { causes: causes.list };
  strategy.canonicalize?.(draft);
  return { object: draft };
}

function keepGeneration(draft: Draft, old: Fields): void {
  const metadata = ensureChild(draft, 'metadata');
  const generation = number(child(old, 'metadata'), 'generation');
  if (generation === 0) delete metadata['generation'];
  else metadata['generation'] = generation;
}

/** Restores system-managed metadata, which updates cannot change. */
function keepSystemFields(draft: Draft, old: Fields): void {
  const [metadata, oldMetadata] = [ensureChild(draft, 'metadata'), child(old, 'metadata')];
  if (text(metadata, 'uid') === '' && has(oldMetadata, 'uid')) metadata['uid'] = oldMetadata['uid'];
  for (const name of ['creationTimestamp', 'deletionTimestamp']) if (has(oldMetadata, name)) metadata[name] = oldMetadata[name];
  if (has(oldMetadata, 'deletionGracePeriodSeconds') && !has(metadata, 'deletionGracePeriodSeconds')) {
    metadata['deletionGracePeriodSeconds'] = oldMetadata['deletionGracePeriodSeconds'];
  }
}
