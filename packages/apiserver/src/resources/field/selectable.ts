import { child, type Fields, flag, text } from './read.ts';

/** What an object has in a field that a selector may name. */
export type FieldReader = (object: Fields) => string;

/** By the name in the selector. */
export type FieldReaders = Readonly<Record<string, FieldReader>>;

/** The fields that every object of a resource can be selected by. */
export const metadataFields = (namespaced: boolean): FieldReaders => ({
  'metadata.name': textIn('metadata', 'name'),
  ...(namespaced && { 'metadata.namespace': textIn('metadata', 'namespace') }),
});

export const textIn =
  (parent: string, name: string): FieldReader =>
  (object) =>
    text(child(object, parent), name);

export const flagIn =
  (parent: string, name: string): FieldReader =>
  (object) =>
    String(flag(child(object, parent), name));
