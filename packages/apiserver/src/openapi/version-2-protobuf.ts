import type { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { Document } from './document.ts';
import { double, encode, entry, flag, integer, many, mapped, message, one, text, type Write, wrapped } from './protobuf.ts';
import type { Schema } from './schema.ts';
import { versionTwo } from './version-2.ts';

/**
 * Encodes OpenAPI 2 in protobuf, the only form in which kubectl reads it; until 1.28 kubectl did not work without it. The messages are
 * those of github.com/google/gnostic-models/openapiv2, limited to the fields that these documents use.
 *
 * Concatenated messages decode as one merged message, so that a document can be assembled from parts, and each part cached until its
 * resources change.
 */
export const versionTwoProtobuf = (document: Schema): Uint8Array => encode(documentMessage, document);

/** The part of a group version in the document. */
export interface Part {
  readonly own: Uint8Array;
  /** Definitions that other parts may contain too; the document has each once. */
  readonly shared: ReadonlyMap<string, Uint8Array>;
}

export function partOf(document: Document): Part {
  const { paths, definitions } = versionTwo([document]);
  const entries = Object.entries(definitions as Readonly<Record<string, Schema>>);
  const isShared = ([name]: readonly [string, Schema]): boolean => name.startsWith('io.k8s.');
  return {
    own: versionTwoProtobuf({ paths, definitions: Object.fromEntries(entries.filter((each) => !isShared(each))) }),
    shared: new Map(entries.filter(isShared).map(([name, schema]) => [name, versionTwoProtobuf({ definitions: { [name]: schema } })])),
  };
}

/** Joins all parts into a document. */
export function joined(parts: readonly Part[]): Uint8Array {
  const { paths: _, definitions: __, ...head } = versionTwo([]);
  const shared = new Map(parts.flatMap((part) => [...part.shared]));
  return Buffer.concat([versionTwoProtobuf(head), ...parts.map(({ own }) => own), ...shared.values()]);
}

/** A message of type Any with its content as YAML. */
const any: Write = wrapped(2, (writer, value) => text(writer, JSON.stringify(value)));

/** Writes members that begin with "x-" as vendor extensions; ignores others. */
function extensions(number: number): (writer: BinaryWriter, name: string, value: unknown) => void {
  const write = entry(number, any);
  return (writer, name, value) => {
    if (name.startsWith('x-')) write(writer, name, value);
  };
}

const schema: Write = (writer, value) => schemaMessage(writer, value);

const schemaMessage = message(
  {
    $ref: one(1, text),
    format: one(2, text),
    title: one(3, text),
    description: one(4, text),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: flag(8),
    minimum: double(9),
    exclusiveMinimum: flag(10),
    maxLength: integer(11),
    minLength: integer(12),
    pattern: one(13, text),
    maxItems: integer(14),
    minItems: integer(15),
    uniqueItems: flag(16),
    maxProperties: integer(17),
    minProperties: integer(18),
    required: many(19, text),
    enum: many(20, any),
    additionalProperties: one(21, (writer, value) =>
      typeof value === 'boolean' ? flag(2).write(writer, 2, value) : wrapped(1, schema)(writer, value),
    ),
    type: one(22, wrapped(1, text)),
    items: one(23, wrapped(1, schema)),
    properties: one(25, mapped(1, schema)),
  },
  extensions(31),
);

const bodyParameter = message({
  description: one(1, text),
  name: one(2, text),
  in: one(3, text),
  required: flag(4),
  schema: one(5, schema),
});

const queryParameter = message({
  required: flag(1),
  in: one(2, text),
  description: one(3, text),
  name: one(4, text),
  type: one(6, text),
  uniqueItems: flag(20),
});

const pathParameter = message({
  required: flag(1),
  in: one(2, text),
  description: one(3, text),
  name: one(4, text),
  type: one(5, text),
  uniqueItems: flag(19),
});

const writerByLocation: Readonly<Record<string, Write>> = {
  body: wrapped(1, bodyParameter),
  query: wrapped(2, wrapped(3, queryParameter)),
  path: wrapped(2, wrapped(4, pathParameter)),
};

const parameter: Write = (writer, value) => wrapped(1, writerByLocation[(value as { readonly in: string }).in] as Write)(writer, value);

const response = wrapped(1, message({ description: one(1, text), schema: one(2, wrapped(1, schema)) }));

const operation = message(
  {
    tags: many(1, text),
    description: one(3, text),
    operationId: one(5, text),
    produces: many(6, text),
    consumes: many(7, text),
    parameters: many(8, parameter),
    responses: one(9, mapped(1, response)),
    schemes: many(10, text),
  },
  extensions(13),
);

const pathItem = message({
  get: one(2, operation),
  put: one(3, operation),
  post: one(4, operation),
  delete: one(5, operation),
  patch: one(8, operation),
  parameters: many(9, parameter),
});

const apiKey = message({ type: one(1, text), name: one(2, text), in: one(3, text), description: one(4, text) });

const documentMessage = message({
  swagger: one(1, text),
  info: one(2, message({ title: one(1, text), version: one(2, text) })),
  paths: one(8, mapped(2, pathItem)),
  definitions: one(9, mapped(1, schema)),
  security: many(12, mapped(1, message({}))),
  securityDefinitions: one(13, mapped(1, wrapped(2, apiKey))),
});
