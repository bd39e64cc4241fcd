import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { encodeJson } from '../patch/index.ts';
import { internalError } from './errors.ts';
import type { ResourceStrategy } from './strategy.ts';

/** Converts objects by calling another server. */
export interface Converter {
  /** @throws ApiError if an object cannot be converted */
  convert(objects: readonly ApiObject[], apiVersion: string): Promise<readonly ApiObject[]>;
}

/**
 * Makes conversions that call another server available to synchronous steps: if the steps need a conversion, they are interrupted, and run
 * again from the start once the conversion is there. So steps must not have changed anything before they need a conversion.
 */
export interface Conversions {
  /** Runs the steps. The conversions of one run are not remembered after it. */
  run<T>(steps: () => T): T | Promise<T>;
  /** Returns the objects in an API version, all of which are converted by one call. @throws ConversionNeeded, which `run` handles */
  convert(converter: Converter, objects: readonly ApiObject[], apiVersion: string): readonly ApiObject[];
}

/** Interrupts the steps of `Conversions.run`. */
class ConversionNeeded extends Error {
  readonly converter: Converter;
  readonly objects: readonly ApiObject[];
  readonly apiVersion: string;

  constructor(converter: Converter, objects: readonly ApiObject[], apiVersion: string) {
    super(`a conversion to ${apiVersion} is needed outside Conversions.run`);
    this.converter = converter;
    this.objects = objects;
    this.apiVersion = apiVersion;
  }
}

/** Converted objects by converter, API version and content, in one run. */
type Answers = ReadonlyMap<Converter, Map<string, ApiObject>>;

/** Most runs need no conversion. */
const noAnswers: Answers = new Map();

/** A run needs a few conversions; this many are a fault, for example steps that compute something else each time. */
const maxRounds = 1000;

export function createConversions(): Conversions {
  let currentAnswers: Answers = noAnswers;
  const runOnce = <T>(answers: Answers, steps: () => T): { readonly result: T } | ConversionNeeded => {
    const outerAnswers = currentAnswers;
    currentAnswers = answers;
    try {
      return { result: steps() };
    } catch (error) {
      if (error instanceof ConversionNeeded) return error;
      throw error;
    } finally {
      currentAnswers = outerAnswers;
    }
  };
  const runAgain = async <T>(firstNeed: ConversionNeeded, steps: () => T): Promise<T> => {
    const answers = new Map<Converter, Map<string, ApiObject>>();
    let need = firstNeed;
    for (let round = 0; round < maxRounds; round++) {
      await answer(answers, need);
      const outcome = runOnce(answers, steps);
      if (!(outcome instanceof ConversionNeeded)) return outcome.result;
      need = outcome;
    }
    throw internalError(`conversions to ${need.apiVersion} do not end`);
  };
  return {
    run(steps) {
      const outcome = runOnce(noAnswers, steps);
      return outcome instanceof ConversionNeeded ? runAgain(outcome, steps) : outcome.result;
    },
    convert(converter, objects, apiVersion) {
      const known = currentAnswers.get(converter);
      const find = (object: ApiObject): ApiObject | undefined =>
        needsNoCall(object, apiVersion) ? object : known?.get(keyOf(object, apiVersion));
      const missing = objects.filter((object) => find(object) === undefined);
      if (missing.length > 0) throw new ConversionNeeded(converter, missing.map(withoutVersion), apiVersion);
      return objects.map((object) => restoreVersion({ ...(find(object) as ApiObject), apiVersion }, object));
    },
  };
}

async function answer(
  answers: Map<Converter, Map<string, ApiObject>>,
  { converter, objects, apiVersion }: ConversionNeeded,
): Promise<void> {
  const known = answers.get(converter) ?? new Map<string, ApiObject>();
  answers.set(converter, known);
  const converted = await converter.convert(objects, apiVersion);
  for (const [i, object] of objects.entries()) known.set(keyOf(object, apiVersion), converted[i] as ApiObject);
}

/** As upstream, an object with nothing but apiVersion and kind is converted without a call. */
const needsNoCall = (object: ApiObject, apiVersion: string): boolean =>
  object.apiVersion === apiVersion ||
  Object.keys(object).every((name) => name === 'apiVersion' || name === 'kind' || isEmptyMetadata(name, object));

const isEmptyMetadata = (name: string, { metadata }: ApiObject): boolean => name === 'metadata' && Object.keys(metadata).length === 0;

const keyOf = (object: ApiObject, apiVersion: string): string => `${apiVersion} ${encodeJson(withoutVersion(object))}`;

/** As upstream, the converter never sees resourceVersion, which is no part of the stored content. */
function withoutVersion(object: ApiObject): ApiObject {
  const { resourceVersion, ...metadata } = object.metadata;
  return resourceVersion === undefined ? object : { ...object, metadata };
}

const restoreVersion = (converted: ApiObject, { metadata: { resourceVersion } }: ApiObject): ApiObject =>
  resourceVersion === undefined ? converted : { ...converted, metadata: { ...converted.metadata, resourceVersion } };

/** Converts an object to the version of another strategy of the same resource; without a target, to its stored form. */
export function convertBetween(source: ResourceStrategy, target: ResourceStrategy | undefined, object: ApiObject): ApiObject {
  const form = source.storedAs ?? target?.storedAs;
  if (form?.convert && target) return form.convert(object, apiVersionOf(target.resource));
  const stored = source.storedAs?.toStored(object) ?? object;
  return target?.storedAs?.fromStored(stored) ?? stored;
}
