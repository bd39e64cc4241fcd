import { readYamlInSteps, type YamlDocument } from 'kube-endpoints/internal/apimachinery';

/** Maximum nesting depth of a body. No API object comes near it, and many functions recurse into bodies. */
export const maxBodyDepth = 1000;

/** A document with the digits, by path, of integers that had to be rounded. */
interface JsonDocument extends YamlDocument {
  readonly numbers?: ReadonlyMap<string, string>;
}

/** Reads the first document; an empty text is null. Other work can run every millisecond. @throws YamlError */
export async function readFirstDocument(text: string): Promise<JsonDocument> {
  for (const document of readYamlInSteps(text, { maxDepth: maxBodyDepth, yaml11: true, bigIntegers: true })) {
    if (document) return longInteger.test(text) ? withRoundedIntegers(document) : document;
    await new Promise(setImmediate);
  }
  return { value: null, duplicateKeys: [] };
}

function withRoundedIntegers(document: YamlDocument): JsonDocument {
  const numbers = new Map<string, string>();
  const value = roundUnsigned(document.value, '', numbers);
  return { ...document, value, ...(numbers.size > 0 && { numbers }) };
}

/** Texts without such a run of digits have no integer of more than 63 bits. */
const longInteger = /[\da-fA-F_]{16}/;

/**
 * Rounds integers that fit into 64 bits only without a sign, as Kubernetes' decoder of JSON does. Changes the value, and adds the digits of
 * such integers to `numbers`.
 */
function roundUnsigned(value: unknown, path: string, numbers: Map<string, string>): unknown {
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) return value;
    numbers.set(path, String(value));
    return Number(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, each] of Object.entries(value)) {
    const keyPath = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const rounded = roundUnsigned(each, keyPath, numbers);
    if (rounded !== each) Object.defineProperty(value, key, { value: rounded, writable: true, enumerable: true, configurable: true });
  }
  return value;
}
