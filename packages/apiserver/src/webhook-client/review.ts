import { parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import { decode } from '../api-types/codec/decode.ts';
import { structType } from '../api-types/index.ts';
import { readFirstDocument } from '../formats/yaml.ts';
import { formatTypeMetaError, jsonTypeOf } from '../patch/errors.ts';
import { formatGvk } from '../patch/index.ts';
import { formatNotRegistered } from '../registry/index.ts';
import { jsonSyntaxProblem } from '../resources/index.ts';
import { parseJson } from '../store/json.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

/** Chooses the first supported version in a webhook's list; undefined if the list has only others. */
export const chooseReviewVersion = (reviewVersions: readonly string[]): ReviewVersion | undefined =>
  reviewVersions.find((version) => version === 'v1' || version === 'v1beta1') as ReviewVersion | undefined;

/** The review that a webhook has to answer. */
export interface ExpectedReview {
  readonly group: string;
  readonly kind: 'AdmissionReview' | 'ConversionReview';
  readonly version: ReviewVersion;
}

/** The answer cannot be decoded. */
export class UnreadableResponse extends Error {}

/** A decoded answer. */
export interface AnsweredReview {
  readonly response?: Readonly<Record<string, unknown>>;
  /** As Go prints it. */
  readonly gvk: string;
}

/**
 * Decodes an answer in JSON or YAML. As upstream, an answer without apiVersion and kind is accepted.
 *
 * Mirrors the decoder of the webhooks' client (1.36, apiserver/pkg/util/webhook/client.go).
 * @throws UnreadableResponse
 */
export async function parseReview(text: string, expected: ExpectedReview): Promise<AnsweredReview> {
  const json = await parseBody(text);
  if (jsonTypeOf(json) !== 'object') throw new UnreadableResponse(formatTypeMetaError(json));
  const { apiVersion = '', kind = '' } = (json ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  const goType = goTypeOf(String(apiVersion) || `${expected.group}/${expected.version}`, String(kind) || expected.kind, expected);
  if (!goType) throw new UnreadableResponse(formatNotRegistered(String(kind), String(apiVersion) || 'v1'));
  const { value, problem } = decode(reviewTypes[expected.kind], goType === 'v1.Status' ? {} : json);
  if (problem !== undefined) throw new UnreadableResponse(problem);
  const expectedGoType = `${expected.version}.${expected.kind}`;
  if (goType !== expectedGoType) throw new UnreadableResponse(`converting (${goType}) to (${expectedGoType}): unknown conversion`);
  const { response } = value as Pick<AnsweredReview, 'response'>;
  return { gvk: formatGvk({ apiVersion, kind }), ...(response && { response }) };
}

const reviewTypes = {
  AdmissionReview: structType('admission.AdmissionReview'),
  ConversionReview: structType('apiextensions.ConversionReview'),
};

async function parseBody(text: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) {
    const problem = jsonSyntaxProblem(text);
    if (problem !== undefined) throw new UnreadableResponse(`couldn't get version/kind; json parse error: ${problem}`);
    return parseJson(text);
  }
  try {
    return (await readFirstDocument(text)).value;
  } catch (error) {
    throw new UnreadableResponse(`yaml: ${(error as Error).message}`);
  }
}

/** Returns the Go type in the scheme of upstream's webhook client; undefined if no such type is registered. */
function goTypeOf(apiVersion: string, kind: string, expected: ExpectedReview): string | undefined {
  if (apiVersion === 'v1' && kind === 'Status') return 'v1.Status';
  const { group, version } = parseApiVersion(apiVersion);
  if (kind !== expected.kind || group !== expected.group || !['v1', 'v1beta1'].includes(version)) return undefined;
  return `${version}.${kind}`;
}
