import type { BinaryWriter } from '@bufbuild/protobuf/wire';
import { writeJson } from '../store/json.ts';
import type { Document } from './document.ts';
import {
  type ContentWriter,
  createBoolField,
  createDoubleField,
  createEntryWriter,
  createIntegerField,
  createMapWriter,
  createMessageWriter,
  createRepeatedField,
  createSingleField,
  createWrappingWriter,
  encode,
  writeText,
} from './protobuf.ts';
import type { Schema } from './schema.ts';
import { createVersionTwo } from './version-2.ts';

/**
 * Encodes OpenAPI 2 in protobuf, the only encoding that kubectl reads. Until 1.28, kubectl requires it. The messages are those of
 * github.com/google/gnostic-models/openapiv2, limited to the fields that these documents use.
 *
 * Concatenated messages decode as one merged message. So a document can be assembled from parts, and each part is cached until its
 * resources change.
 */
export const encodeVersionTwo = (document: Schema): Uint8Array => encode(writeDocument, document);

/** The encoded part of the document for one group version. */
export interface DocumentPart {
  /** Paths and definitions of this group version only. */
  readonly ownBytes: Uint8Array;
  /** Definitions by name that several parts may contain; the document contains each once. */
  readonly sharedDefinitions: ReadonlyMap<string, Uint8Array>;
}

export function encodePart(document: Document): DocumentPart {
  const { paths, definitions } = createVersionTwo([document]);
  const entries = Object.entries(definitions as Readonly<Record<string, Schema>>);
  const isShared = ([name]: readonly [string, Schema]): boolean => name.startsWith('io.k8s.');
  return {
    ownBytes: encodeVersionTwo({ paths, definitions: Object.fromEntries(entries.filter((each) => !isShared(each))) }),
    sharedDefinitions: new Map(
      entries.filter(isShared).map(([name, schema]) => [name, encodeVersionTwo({ definitions: { [name]: schema } })]),
    ),
  };
}

export function joinParts(parts: readonly DocumentPart[]): Uint8Array {
  const { paths: _, definitions: __, ...head } = createVersionTwo([]);
  const sharedDefinitions = new Map(parts.flatMap((part) => [...part.sharedDefinitions]));
  return Buffer.concat([encodeVersionTwo(head), ...parts.map(({ ownBytes }) => ownBytes), ...sharedDefinitions.values()]);
}

/** Writes a value as a message of type Any, with the value as YAML. JSON is valid YAML. */
const writeAny: ContentWriter = createWrappingWriter(2, (writer, value) => writeText(writer, writeJson(value)));

/** Creates a writer for members that begin with "x-", which are vendor extensions; other members are ignored. */
function createExtensionWriter(number: number): (writer: BinaryWriter, name: string, value: unknown) => void {
  const write = createEntryWriter(number, writeAny);
  return (writer, name, value) => {
    if (name.startsWith('x-')) write(writer, name, value);
  };
}

const writeSchema: ContentWriter = (writer, value) => writeSchemaFields(writer, value);

const writeSchemaFields = createMessageWriter(
  {
    $ref: createSingleField(1, writeText),
    format: createSingleField(2, writeText),
    title: createSingleField(3, writeText),
    description: createSingleField(4, writeText),
    multipleOf: createDoubleField(6),
    maximum: createDoubleField(7),
    exclusiveMaximum: createBoolField(8),
    minimum: createDoubleField(9),
    exclusiveMinimum: createBoolField(10),
    maxLength: createIntegerField(11),
    minLength: createIntegerField(12),
    pattern: createSingleField(13, writeText),
    maxItems: createIntegerField(14),
    minItems: createIntegerField(15),
    uniqueItems: createBoolField(16),
    maxProperties: createIntegerField(17),
    minProperties: createIntegerField(18),
    required: createRepeatedField(19, writeText),
    enum: createRepeatedField(20, writeAny),
    additionalProperties: createSingleField(21, (writer, value) =>
      typeof value === 'boolean' ? createBoolField(2).write(writer, 2, value) : createWrappingWriter(1, writeSchema)(writer, value),
    ),
    type: createSingleField(22, createWrappingWriter(1, writeText)),
    items: createSingleField(23, createWrappingWriter(1, writeSchema)),
    properties: createSingleField(25, createMapWriter(1, writeSchema)),
  },
  createExtensionWriter(31),
);

const writeBodyParameter = createMessageWriter({
  description: createSingleField(1, writeText),
  name: createSingleField(2, writeText),
  in: createSingleField(3, writeText),
  required: createBoolField(4),
  schema: createSingleField(5, writeSchema),
});

const createParameterWriter = (typeField: number, uniqueItemsField: number): ContentWriter =>
  createMessageWriter({
    required: createBoolField(1),
    in: createSingleField(2, writeText),
    description: createSingleField(3, writeText),
    name: createSingleField(4, writeText),
    type: createSingleField(typeField, writeText),
    uniqueItems: createBoolField(uniqueItemsField),
  });

const writerByLocation: Readonly<Record<string, ContentWriter>> = {
  body: createWrappingWriter(1, writeBodyParameter),
  query: createWrappingWriter(2, createWrappingWriter(3, createParameterWriter(6, 20))),
  path: createWrappingWriter(2, createWrappingWriter(4, createParameterWriter(5, 19))),
};

const writeParameter: ContentWriter = (writer, value) =>
  createWrappingWriter(1, writerByLocation[(value as { readonly in: string }).in] as ContentWriter)(writer, value);

const writeResponse = createWrappingWriter(
  1,
  createMessageWriter({ description: createSingleField(1, writeText), schema: createSingleField(2, createWrappingWriter(1, writeSchema)) }),
);

const writeOperation = createMessageWriter(
  {
    tags: createRepeatedField(1, writeText),
    description: createSingleField(3, writeText),
    operationId: createSingleField(5, writeText),
    produces: createRepeatedField(6, writeText),
    consumes: createRepeatedField(7, writeText),
    parameters: createRepeatedField(8, writeParameter),
    responses: createSingleField(9, createMapWriter(1, writeResponse)),
    schemes: createRepeatedField(10, writeText),
  },
  createExtensionWriter(13),
);

const writePathItem = createMessageWriter({
  get: createSingleField(2, writeOperation),
  put: createSingleField(3, writeOperation),
  post: createSingleField(4, writeOperation),
  delete: createSingleField(5, writeOperation),
  patch: createSingleField(8, writeOperation),
  parameters: createRepeatedField(9, writeParameter),
});

const writeApiKey = createMessageWriter({
  type: createSingleField(1, writeText),
  name: createSingleField(2, writeText),
  in: createSingleField(3, writeText),
  description: createSingleField(4, writeText),
});

const writeDocument = createMessageWriter({
  swagger: createSingleField(1, writeText),
  info: createSingleField(2, createMessageWriter({ title: createSingleField(1, writeText), version: createSingleField(2, writeText) })),
  paths: createSingleField(8, createMapWriter(2, writePathItem)),
  definitions: createSingleField(9, createMapWriter(1, writeSchema)),
  security: createRepeatedField(12, createMapWriter(1, createMessageWriter({}))),
  securityDefinitions: createSingleField(13, createMapWriter(1, createWrappingWriter(2, writeApiKey))),
});
