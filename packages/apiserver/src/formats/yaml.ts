import { readYamlInSteps, type YamlDocument } from 'kube-endpoints/internal/apimachinery';

/** Maximum nesting depth of a body. No API object comes near it, and many functions recurse into bodies. */
export const maxBodyDepth = 1000;

/** Reads the first document; an empty text is null. Other work can run every millisecond. @throws YamlError */
export async function readFirstDocument(text: string): Promise<YamlDocument> {
  for (const document of readYamlInSteps(text, { maxDepth: maxBodyDepth, yaml11: true })) {
    if (document) return document;
    await new Promise(setImmediate);
  }
  return { value: null, duplicateKeys: [] };
}
