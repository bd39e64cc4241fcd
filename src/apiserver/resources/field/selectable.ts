import { child, type Fields, text } from './read.ts';

/** The fields that every object of a resource can be selected by. */
export const metadataFields = (object: Fields, namespaced: boolean): Record<string, string> => {
  const metadata = child(object, 'metadata');
  return {
    'metadata.name': text(metadata, 'name'),
    ...(namespaced && { 'metadata.namespace': text(metadata, 'namespace') }),
  };
};
