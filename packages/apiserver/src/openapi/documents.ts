import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { groupByVersion, hasSameResources, memoize } from '../discovery/groups.ts';
import type { Catalog, ServedResource } from '../registry/catalog.ts';
import { writeJson } from '../store/json.ts';
import { createDefinitions, type Definitions } from './definitions.ts';
import { createDocument, encodeDocument } from './document.ts';
import { createVersionTwo } from './version-2.ts';
import type { DocumentPart } from './version-2-protobuf.ts';

export interface HashedText {
  readonly text: string;
  readonly hash: string;
}

/** The OpenAPI documents for the current catalog. */
export interface Documents {
  /** Returns the URLs of all documents, with their hashes. */
  index(): HashedText;
  /** Returns a document by its path in the index, such as "apis/discovery.k8s.io/v1"; undefined if there is no such document. */
  document(documentPath: string): HashedText | undefined;
  /** Returns the hash of a document by its path; undefined if there is no such document. */
  hash(documentPath: string): string | undefined;
  /** Returns the OpenAPI 2 document. */
  versionTwo(): VersionTwo;
}

/** The OpenAPI 2 document of all resources, in JSON and protobuf. */
interface VersionTwo {
  readonly hash: string;
  readonly json: () => string;
  readonly protobuf: () => Promise<Uint8Array>;
}

/** Creates each document on first use and caches it until its resources change. */
export function createDocuments(catalog: Catalog): Documents {
  const hashDocument = createDocumentHasher(createDefinitions);
  let documents: ReadonlyMap<string, GroupVersionDocument> = new Map();
  let generation: number | undefined;
  let index: HashedText | undefined;
  let cachedVersionTwo: VersionTwo | undefined;
  const getCurrentDocuments = (): ReadonlyMap<string, GroupVersionDocument> => {
    if (generation === catalog.generation) return documents;
    generation = catalog.generation;
    documents = createDocumentMap(catalog, documents);
    index = undefined;
    cachedVersionTwo = undefined;
    return documents;
  };
  const createLazyVersionTwo = (documents: readonly GroupVersionDocument[]): VersionTwo => {
    return {
      hash: computeHash(documents.map(hashDocument).join(' ')),
      json: memoize(() => writeJson(createVersionTwo(documents.map(({ resources }) => createDocument(resources, createDefinitions()))))),
      protobuf: memoize(() => encodeProtobuf(documents, createDefinitions)),
    };
  };
  return {
    index() {
      const documentsByPath = getCurrentDocuments();
      index ??= toHashedText(
        writeJson({
          paths: Object.fromEntries([...documentsByPath].map(([path, document]) => [path, toIndexEntry(path, hashDocument(document))])),
        }),
      );
      return index;
    },
    document(documentPath) {
      const document = getCurrentDocuments().get(documentPath);
      if (document)
        document.text ??= { text: encodeDocument(createDocument(document.resources, createDefinitions())), hash: hashDocument(document) };
      return document?.text;
    },
    hash(documentPath) {
      const document = getCurrentDocuments().get(documentPath);
      return document && hashDocument(document);
    },
    versionTwo() {
      const documentsByPath = getCurrentDocuments();
      cachedVersionTwo ??= createLazyVersionTwo([...documentsByPath.values()]);
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
  previousDocuments: ReadonlyMap<string, GroupVersionDocument>,
): ReadonlyMap<string, GroupVersionDocument> {
  const documents = groupByVersion(catalog.all()).map(({ group, version, resources }): [string, GroupVersionDocument] => {
    const documentPath = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    const previousDocument = previousDocuments.get(documentPath);
    return [documentPath, previousDocument && hasSameResources(previousDocument.resources, resources) ? previousDocument : { resources }];
  });
  return new Map(documents.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Hashes a document from the hashes of its resources, which are cached: after one resource is added, the index does not hash the other
 * resources again.
 */
function createDocumentHasher(createDefinitions: () => Definitions): (document: GroupVersionDocument) => string {
  const hashes = new WeakMap<ServedResource, string>();
  const hashResource = (servedResource: ServedResource): string => {
    const cachedHash = hashes.get(servedResource);
    if (cachedHash !== undefined) return cachedHash;
    const hash = computeHash(encodeDocument(createDocument([servedResource], createDefinitions())));
    hashes.set(servedResource, hash);
    return hash;
  };
  return (document) => {
    document.hash ??= computeHash(document.resources.map(hashResource).join(' '));
    return document.hash;
  };
}

export const toDocumentUrl = (documentPath: string, hash: string): string => `/openapi/v3/${documentPath}?hash=${hash}`;

const toIndexEntry = (documentPath: string, hash: string): { readonly serverRelativeURL: string } => ({
  serverRelativeURL: toDocumentUrl(documentPath, hash),
});

const computeHash = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();

const toHashedText = (text: string): HashedText => ({ text, hash: computeHash(text) });
