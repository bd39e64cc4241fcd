import type { ApiObject } from 'kube-endpoints/port';
import { formatGvk } from '../../patch/index.ts';
import { type Converter, type Randomness, systemRandomness } from '../../registry/index.ts';
import { status500 } from '../../store/index.ts';
import { writeJson } from '../../store/json.ts';
import { type CallContext, callWebhook, chooseReviewVersion, parseReview, readClientConfig } from '../../webhook-client/index.ts';
import { type Definition, versionsOf } from '../definition/definition.ts';
import { checkConverted } from './check.ts';

/** Calls of conversion webhooks. */
export interface WebhookCalls {
  readonly context: CallContext;
  readonly randomness?: Pick<Randomness, 'uuid'>;
}

/** Timeout of a call. */
export const conversionTimeoutMs = 30_000;

/** Creates the converter of a definition with a conversion webhook. Mirrors webhookConverter (apiextensions-apiserver/pkg/apiserver/conversion, 1.36). */
export function createWebhookConverter(definition: Definition, { context, randomness = systemRandomness }: WebhookCalls): Converter {
  const { group = '', names = {}, conversion } = definition.spec ?? {};
  const { clientConfig = {}, conversionReviewVersions = [] } = conversion?.webhook ?? {};
  const config = readClientConfig(clientConfig);
  const versions = new Set(versionsOf(definition).map(({ name = '' }) => `${group}/${name}`));
  const requireVersion = (apiVersion: string, preposition: string): void => {
    if (!versions.has(apiVersion)) throw status500(`request to convert CR ${preposition} an invalid group/version: ${apiVersion}`);
  };
  const call = async (objects: readonly ApiObject[], apiVersion: string): Promise<readonly unknown[]> => {
    const version = chooseReviewVersion(conversionReviewVersions);
    if (!version) throw new Error('no supported conversion review versions');
    const uid = randomness.uuid();
    const review = {
      kind: 'ConversionReview',
      apiVersion: `apiextensions.k8s.io/${version}`,
      request: { uid, desiredAPIVersion: apiVersion, objects },
    };
    const answer = await callWebhook(context, config, writeJson(review), conversionTimeoutMs);
    return readConvertedObjects(answer, { uid, version });
  };
  return {
    async convert(objects, apiVersion) {
      requireVersion(apiVersion, 'to');
      for (const each of objects) requireVersion(each.apiVersion ?? '', 'from');
      const [first] = objects as [ApiObject];
      const isList = objects.length > 1;
      const gvk = isList ? formatGvk({ apiVersion, kind: names.listKind }) : formatGvk(first);
      const converted = await call(objects, apiVersion).catch((error: Error) => {
        throw status500(`conversion webhook for ${gvk} failed: ${error.message}`);
      });
      if (converted.length !== objects.length) {
        throw status500(`conversion webhook for ${gvk} returned ${converted.length} objects, expected ${objects.length}`);
      }
      return objects.map((original, index) => checkConverted(original, converted[index], { apiVersion, gvk, index, isList }));
    },
  };
}

interface ConversionResponse {
  readonly uid?: string;
  readonly result?: { readonly status?: string; readonly message?: string };
  readonly convertedObjects?: readonly unknown[];
}

/** Mirrors getConvertedObjectsFromResponse. @throws Error */
async function readConvertedObjects(
  text: string,
  { uid, version }: { readonly uid: string; readonly version: 'v1' | 'v1beta1' },
): Promise<readonly unknown[]> {
  const review = await parseReview(text, { group: 'apiextensions.k8s.io', kind: 'ConversionReview', version });
  const expectedGvk = formatGvk({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' });
  const isVerified = version === 'v1';
  if (isVerified && review.gvk !== expectedGvk) throw new Error(`expected webhook response of ${expectedGvk}, got ${review.gvk}`);
  if (!review.response) throw new Error('no response provided');
  const { uid: answeredUid = '', result = {}, convertedObjects = [] } = review.response as ConversionResponse;
  if (isVerified && answeredUid !== uid) {
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answeredUid)}`);
  }
  const { status = '', message = '' } = result;
  if (status !== 'Success') throw new Error(message || `response.result.status was '${status}', not 'Success'`);
  return convertedObjects;
}
