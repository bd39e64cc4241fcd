import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { groupByVersion, once, sameResources } from '../discovery/groups.ts';
import type { Catalog, ServedResource } from '../registry/catalog.ts';
import { createDefinitionsFactory, type Definitions } from './definitions.ts';
import { createDocument, encodeDocument } from './document.ts';
import { createVersionTwo } from './version-2.ts';
import type { DocumentPart } from './version-2-protobuf.ts';

export interface HashedText {
  readonly text: string;
  readonly hash: string;
}

/** The OpenAPI documents for the current catalog. */
export interface Documents {
  /** The URLs of all documents, with their hashes. */
  index(): HashedText;
  /** A document by its path in the index, such as "apis/discovery.k8s.io/v1". */
  document(document: string): HashedText | undefined;
  /** The hash of a document by its path; undefined if there is no such document. */
  hash(document: string): string | undefined;
  /** The OpenAPI 2 document. */
  versionTwo(): VersionTwo;
}

/** The OpenAPI 2 document of all resources, in JSON and protobuf. */
interface VersionTwo {
  readonly hash: string;
  readonly json: () => string;
  readonly protobuf: () => Promise<Uint8Array>;
}

/** Documents are created on first use and cached until their resources change. */
export function createDocuments(catalog: Catalog): Documents {
  const createDefinitions = createDefinitionsFactory();
  const hashDocument = createDocumentHasher(createDefinitions);
  let documents: ReadonlyMap<string, GroupVersionDocument> = new Map();
  let generation: number | undefined;
  let index: HashedText | undefined;
  let cachedVersionTwo: VersionTwo | undefined;
  const currentDocuments = (): ReadonlyMap<string, GroupVersionDocument> => {
    if (generation === catalog.generation) return documents;
    generation = catalog.generation;
    documents = createDocumentMap(catalog, documents);
    index = undefined;
    cachedVersionTwo = undefined;
    return documents;
  };
  const createVersionTwoEntry = (documents: readonly GroupVersionDocument[]): VersionTwo => {
    return {
      hash: digest(documents.map(hashDocument).join(' ')),
      json: once(() => JSON.stringify(createVersionTwo(documents.map(({ resources }) => createDocument(resources, createDefinitions()))))),
      protobuf: once(() => encodeProtobuf(documents, createDefinitions)),
    };
  };
  return {
    index() {
      const documentsByName = currentDocuments();
      index ??= withHash(
        JSON.stringify({
          paths: Object.fromEntries([...documentsByName].map(([name, document]) => [name, toIndexEntry(name, hashDocument(document))])),
        }),
      );
      return index;
    },
    document(name) {
      const document = currentDocuments().get(name);
      if (document)
        document.text ??= { text: encodeDocument(createDocument(document.resources, createDefinitions())), hash: hashDocument(document) };
      return document?.text;
    },
    hash(name) {
      const document = currentDocuments().get(name);
      return document && hashDocument(document);
    },
    versionTwo() {
      const documentsByName = currentDocuments();
      cachedVersionTwo ??= createVersionTwoEntry([...documentsByName.values()]);
      return cachedVersionTwo;
    },
  };
}

/** The document of one group version; its encodings and its hash are created on first use. */
interface GroupVersionDocument {
  readonly resources: readonly ServedResource[];
  hash?: string;
  text?: HashedText;
  /** The document in the encoding of OpenAPI 2 in protobuf. */
  part?: DocumentPart;
}

/** Encodes the document from cached parts. Yields to the event loop before it creates a part. */
async function encodeProtobuf(documents: readonly GroupVersionDocument[], createDefinitions: () => Definitions): Promise<Uint8Array> {
  const { joinParts, encodePart } = await import('./version-2-protobuf.ts');
  const parts: DocumentPart[] = [];
  for (const document of documents) {
    if (!document.part) await setImmediate();
    document.part ??= encodePart(createDocument(document.resources, createDefinitions()));
    parts.push(document.part);
  }
  return joinParts(parts);
}

function createDocumentMap(
  catalog: Catalog,
  previous: ReadonlyMap<string, GroupVersionDocument>,
): ReadonlyMap<string, GroupVersionDocument> {
  const documents = groupByVersion(catalog.all()).map(({ group, version, resources }): [string, GroupVersionDocument] => {
    const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    const existing = previous.get(name);
    return [name, existing && sameResources(existing.resources, resources) ? existing : { resources }];
  });
  return new Map(documents.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Hashes a document from the hashes of its resources, which are cached: after one resource is added, the index does not hash all others
 * again.
 */
function createDocumentHasher(createDefinitions: () => Definitions): (document: GroupVersionDocument) => string {
  const hashes = new WeakMap<ServedResource, string>();
  const hashResource = (served: ServedResource): string => {
    const cached = hashes.get(served);
    if (cached !== undefined) return cached;
    const hash = digest(encodeDocument(createDocument([served], createDefinitions())));
    hashes.set(served, hash);
    return hash;
  };
  return (document) => {
    document.hash ??= digest(document.resources.map(hashResource).join(' '));
    return document.hash;
  };
}

export const documentUrl = (document: string, hash: string): string => `/openapi/v3/${document}?hash=${hash}`;

const toIndexEntry = (document: string, hash: string): { readonly serverRelativeURL: string } => ({
  serverRelativeURL: documentUrl(document, hash),
});

const digest = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();

const withHash = (text: string): HashedText => ({ text, hash: digest(text) });
