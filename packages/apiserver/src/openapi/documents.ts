import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { groupVersionsOf, once, sameResources } from '../discovery/groups.ts';
import type { Catalog, ServedResource } from '../registry/catalog.ts';
import { createDefinitionMaker, type Definitions } from './definitions.ts';
import { documentOf, textOf } from './document.ts';
import { versionTwo } from './version-2.ts';
import type { Part } from './version-2-protobuf.ts';

/** A text and its hash. */
export interface Text {
  readonly text: string;
  readonly hash: string;
}

/** The OpenAPI documents for the current catalog. */
export interface Documents {
  /** The URLs of all documents, with their hashes. */
  index(): Text;
  /** A document by its path in the index, such as "apis/discovery.k8s.io/v1". */
  document(document: string): Text | undefined;
  hash(document: string): string | undefined;
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
  const make = createDefinitionMaker();
  const hashOf = createHashing(make);
  let documents: ReadonlyMap<string, GroupVersionDocument> = new Map();
  let generation: number | undefined;
  let index: Text | undefined;
  let second: VersionTwo | undefined;
  const current = (): ReadonlyMap<string, GroupVersionDocument> => {
    if (generation === catalog.generation) return documents;
    generation = catalog.generation;
    documents = createDocumentMap(catalog, documents);
    index = undefined;
    second = undefined;
    return documents;
  };
  const versionTwoOf = (all: readonly GroupVersionDocument[]): VersionTwo => {
    return {
      hash: digest(all.map(hashOf).join(' ')),
      json: once(() => JSON.stringify(versionTwo(all.map(({ resources }) => documentOf(resources, make()))))),
      protobuf: once(() => encodeProtobuf(all, make)),
    };
  };
  return {
    index() {
      const named = current();
      index ??= hashed(
        JSON.stringify({ paths: Object.fromEntries([...named].map(([name, document]) => [name, link(name, hashOf(document))])) }),
      );
      return index;
    },
    document(name) {
      const document = current().get(name);
      if (document) document.text ??= { text: textOf(documentOf(document.resources, make())), hash: hashOf(document) };
      return document?.text;
    },
    hash(name) {
      const document = current().get(name);
      return document && hashOf(document);
    },
    versionTwo() {
      const named = current();
      second ??= versionTwoOf([...named.values()]);
      return second;
    },
  };
}

/** The document of one group version; text and hash are created on first use. */
interface GroupVersionDocument {
  readonly resources: readonly ServedResource[];
  hash?: string;
  text?: Text;
  part?: Part;
}

/** Yields to the event loop before each part that must be created. */
async function encodeProtobuf(documents: readonly GroupVersionDocument[], make: () => Definitions): Promise<Uint8Array> {
  const { joined, partOf } = await import('./version-2-protobuf.ts');
  const parts: Part[] = [];
  for (const document of documents) {
    if (!document.part) await setImmediate();
    document.part ??= partOf(documentOf(document.resources, make()));
    parts.push(document.part);
  }
  return joined(parts);
}

function createDocumentMap(catalog: Catalog, before: ReadonlyMap<string, GroupVersionDocument>): ReadonlyMap<string, GroupVersionDocument> {
  const documents = groupVersionsOf(catalog.all()).map(({ group, version, resources }): [string, GroupVersionDocument] => {
    const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    const known = before.get(name);
    return [name, known && sameResources(known.resources, resources) ? known : { resources }];
  });
  return new Map(documents.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Hashes a document from the hashes of its resources. The index contains all hashes, so adding one resource must not cost as much as
 * hashing all the others again.
 */
function createHashing(make: () => Definitions): (document: GroupVersionDocument) => string {
  const hashes = new WeakMap<ServedResource, string>();
  const ofResource = (served: ServedResource): string => {
    const known = hashes.get(served);
    if (known !== undefined) return known;
    const hash = digest(textOf(documentOf([served], make())));
    hashes.set(served, hash);
    return hash;
  };
  return (document) => {
    document.hash ??= digest(document.resources.map(ofResource).join(' '));
    return document.hash;
  };
}

export const documentUrl = (document: string, hash: string): string => `/openapi/v3/${document}?hash=${hash}`;

const link = (document: string, hash: string): { readonly serverRelativeURL: string } => ({
  serverRelativeURL: documentUrl(document, hash),
});

const digest = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();

const hashed = (text: string): Text => ({ text, hash: digest(text) });
