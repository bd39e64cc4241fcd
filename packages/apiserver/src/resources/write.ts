import { pathSegment, segmentParts } from '../formats/names.ts';
import { type Decoded, decode } from './codec/decode.ts';
import { createFastPrinter, encode } from './codec/printer.ts';
import { createFastReader } from './codec/reader.ts';
import { createStoredReader } from './codec/stored.ts';
import type { Description, UpdateStrategy } from './description.ts';
import { collectCauses, type FieldCause } from './field/causes.ts';
import { child, copyOf, type Draft, draftOf, type Fields, has, number, text } from './field/read.ts';
import { dropDuplicateOwners } from './metadata/owners.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata/validate.ts';

/** What a write is to store, or why it is refused. */
export type Checked = { readonly object: Fields; readonly causes?: undefined } | { readonly causes: readonly FieldCause[] };

/** What comes of reading a body as an object of a resource. */
export interface ReadBody extends Decoded {
  /** What the API server warns of, but for unknown fields. */
  readonly warnings: readonly string[];
}

/** Reads a body as an object of a resource; what its version of the API knows of defaults is filled in. */
export const readObject = (description: Description, body: unknown): ReadBody => finished(description, decode(description.type, body));

/** Reads and prints objects of a resource. Many at a time are read and printed faster by one that is kept. */
export interface ObjectCodec {
  /** As `readObject`. What is read is the caller's own. */
  read(body: unknown): ReadBody;
  /** Reads what was printed before, all that is filled in included. It shares what it can with that. */
  readStored(stored: Fields): Fields;
  /** As `printObject`, but that it shares with the object what is printed as it stands. */
  print(object: Fields): Fields;
}

export function createObjectCodec(description: Description): ObjectCodec {
  const readFast = createFastReader(description.type);
  return {
    read(body) {
      const value = readFast(body);
      return finished(description, value ? { value, unknown: none } : decode(description.type, body));
    },
    readStored: createStoredReader(description.type),
    print: createFastPrinter(description.type),
  };
}

function finished({ strategy }: Description, { value, unknown, problem }: Decoded): ReadBody {
  if (problem !== undefined) return { value, unknown, problem, warnings: none };
  strategy.defaults?.(value);
  return { value, unknown, warnings: dropDuplicateOwners(value) };
}

const none: readonly string[] = [];

/** An object that was read or checked, as the API server prints it. */
export const printObject = ({ type }: Description, object: Fields): Fields => encode(type, object);

/** A copy with the defaults that the API server fills in. */
export function withDefaults({ strategy }: Description, object: Fields): Fields {
  const draft = copyOf(object) as Draft;
  strategy.defaults?.(draft);
  return draft;
}

/** What admission makes of an object, or why it is forbidden. */
export type Admitted = { readonly object: Fields; readonly forbidden?: undefined } | { readonly forbidden: string };

/** Whether an object is the callee's to write to, because nobody else has it any more. By default it is not. */
export interface Ownership {
  readonly owned?: boolean;
}

const draftFrom = (object: Fields, { owned = false }: Ownership): Draft => (owned ? object : copyOf(object)) as Draft;

/** An object as the built-in admission plugins leave it; they run between defaulting and the checks. */
export function admitObject({ strategy }: Description, object: Fields, old?: Fields, ownership: Ownership = {}): Admitted {
  if (!strategy.admit) return { object };
  const draft = draftFrom(object, ownership);
  const forbidden = strategy.admit(draft, old);
  return forbidden === undefined ? { object: draft } : { forbidden };
}

/** A new object, its name, namespace, uid and creation time set, as it is to be stored. Mirrors BeforeCreate (registry/rest, 1.36). */
export function checkCreate({ resource, strategy }: Description, object: Fields, ownership: Ownership = {}): Checked {
  const draft = draftFrom(object, ownership);
  strategy.prepareForCreate?.(draft);
  const causes = collectCauses();
  strategy.validate(draft, causes);
  if (causes.list.length === 0) {
    validateMetadata(draft, { namespaced: resource.namespaced, name: pathSegment, prefix: segmentParts }, causes);
  }
  if (causes.list.length > 0) return { causes: causes.list };
  strategy.canonicalize?.(draft);
  return { object: draft };
}

/** An object in the place of an old one, of the same resourceVersion, as it is to be stored. Mirrors BeforeUpdate (registry/rest, 1.36). */
export function checkUpdate(
  description: Description,
  object: Fields,
  old: Fields,
  subresource?: string,
  ownership: Ownership = {},
): Checked {
  const { resource, strategy, subresources } = description;
  const update: UpdateStrategy | undefined = subresource === undefined ? strategy : subresources[subresource];
  if (!update) throw new RangeError(`${resource.plural} have no subresource ${subresource}`);
  const draft = draftFrom(object, ownership);
  keepGeneration(draft, old);
  update.prepareForUpdate?.(draft, old);
  keepSystemFields(draft, old);
  const causes = collectCauses();
  validateMetadata(draft, { namespaced: resource.namespaced, name: pathSegment, prefix: segmentParts }, causes);
  validateMetadataUpdate(draft, old, {}, causes);
  update.validateUpdate(draft, old, causes);
  if (causes.list.length > 0) return { causes: causes.list };
  strategy.canonicalize?.(draft);
  return { object: draft };
}

function keepGeneration(draft: Draft, old: Fields): void {
  const metadata = draftOf(draft, 'metadata');
  const generation = number(child(old, 'metadata'), 'generation');
  if (generation === 0) delete metadata['generation'];
  else metadata['generation'] = generation;
}

/** What the system wrote stays, whether or not the update sent it along. */
function keepSystemFields(draft: Draft, old: Fields): void {
  const [after, before] = [draftOf(draft, 'metadata'), child(old, 'metadata')];
  if (text(after, 'uid') === '' && has(before, 'uid')) after['uid'] = before['uid'];
  for (const name of ['creationTimestamp', 'deletionTimestamp']) if (has(before, name)) after[name] = before[name];
  if (has(before, 'deletionGracePeriodSeconds') && !has(after, 'deletionGracePeriodSeconds')) {
    after['deletionGracePeriodSeconds'] = before['deletionGracePeriodSeconds'];
  }
}
