import type { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { Document } from './document.ts';
import { double, encode, flag, integer, message, repeated, single, type Write, wrap, writeEntry, writeMap, writeText } from './protobuf.ts';
import type { Schema } from './schema.ts';
import { createVersionTwo } from './version-2.ts';

/**
 * Encodes OpenAPI 2 in protobuf, the only encoding that kubectl reads. Until 1.28, kubectl requires it. The messages are those of
 * github.com/google/gnostic-models/openapiv2, limited to the fields that these documents use.
 *
 * Concatenated messages decode as one merged message. So a document can be assembled from parts, and each part is cached until its
 * resources change.
 */
export const encodeVersionTwo = (document: Schema): Uint8Array => encode(documentMessage, document);

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

/** A message of type Any with its content as YAML. */
const writeAny: Write = wrap(2, (writer, value) => writeText(writer, JSON.stringify(value)));

/** Writes members that begin with "x-" as vendor extensions; ignores others. */
function writeExtensions(number: number): (writer: BinaryWriter, name: string, value: unknown) => void {
  const write = writeEntry(number, writeAny);
  return (writer, name, value) => {
    if (name.startsWith('x-')) write(writer, name, value);
  };
}

const schema: Write = (writer, value) => schemaMessage(writer, value);

const schemaMessage = message(
  {
    $ref: single(1, writeText),
    format: single(2, writeText),
    title: single(3, writeText),
    description: single(4, writeText),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: flag(8),
    minimum: double(9),
    exclusiveMinimum: flag(10),
    maxLength: integer(11),
    minLength: integer(12),
    pattern: single(13, writeText),
    maxItems: integer(14),
    minItems: integer(15),
    uniqueItems: flag(16),
    maxProperties: integer(17),
    minProperties: integer(18),
    required: repeated(19, writeText),
    enum: repeated(20, writeAny),
    additionalProperties: single(21, (writer, value) =>
      typeof value === 'boolean' ? flag(2).write(writer, 2, value) : wrap(1, schema)(writer, value),
    ),
    type: single(22, wrap(1, writeText)),
    items: single(23, wrap(1, schema)),
    properties: single(25, writeMap(1, schema)),
  },
  writeExtensions(31),
);

const bodyParameter = message({
  description: single(1, writeText),
  name: single(2, writeText),
  in: single(3, writeText),
  required: flag(4),
  schema: single(5, schema),
});

const createParameterWriter = (typeField: number, uniqueItemsField: number): Write =>
  message({
    required: flag(1),
    in: single(2, writeText),
    description: single(3, writeText),
    name: single(4, writeText),
    type: single(typeField, writeText),
    uniqueItems: flag(uniqueItemsField),
  });

const writerByLocation: Readonly<Record<string, Write>> = {
  body: wrap(1, bodyParameter),
  query: wrap(2, wrap(3, createParameterWriter(6, 20))),
  path: wrap(2, wrap(4, createParameterWriter(5, 19))),
};

const parameter: Write = (writer, value) => wrap(1, writerByLocation[(value as { readonly in: string }).in] as Write)(writer, value);

const response = wrap(1, message({ description: single(1, writeText), schema: single(2, wrap(1, schema)) }));

const operation = message(
  {
    tags: repeated(1, writeText),
    description: single(3, writeText),
    operationId: single(5, writeText),
    produces: repeated(6, writeText),
    consumes: repeated(7, writeText),
    parameters: repeated(8, parameter),
    responses: single(9, writeMap(1, response)),
    schemes: repeated(10, writeText),
  },
  writeExtensions(13),
);

const pathItem = message({
  get: single(2, operation),
  put: single(3, operation),
  post: single(4, operation),
  delete: single(5, operation),
  patch: single(8, operation),
  parameters: repeated(9, parameter),
});

const apiKey = message({
  type: single(1, writeText),
  name: single(2, writeText),
  in: single(3, writeText),
  description: single(4, writeText),
});

const documentMessage = message({
  swagger: single(1, writeText),
  info: single(2, message({ title: single(1, writeText), version: single(2, writeText) })),
  paths: single(8, writeMap(2, pathItem)),
  definitions: single(9, writeMap(1, schema)),
  security: repeated(12, writeMap(1, message({}))),
  securityDefinitions: single(13, writeMap(1, wrap(2, apiKey))),
});
