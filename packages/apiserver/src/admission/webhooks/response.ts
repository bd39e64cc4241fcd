import { decode } from '../../api-types/codec/decode.ts';
import { structType } from '../../api-types/index.ts';
import { readFirstDocument } from '../../formats/yaml.ts';
import { formatTypeMetaError, jsonTypeOf } from '../../patch/errors.ts';
import { formatNotRegistered } from '../../registry/index.ts';
import { jsonSyntaxProblem } from '../../resources/index.ts';
import type { DenialStatus } from '../denial.ts';
import type { ReviewVersion } from './review.ts';

/** The content of a webhook's answer. */
export interface Verdict {
  readonly allowed: boolean;
  readonly status?: DenialStatus;
  readonly warnings: readonly string[];
  /** The text of a patch and its type; absent if the answer has no patch. */
  readonly patch?: { readonly type: string; readonly text: string };
}

/** The answer cannot be decoded. */
export class UnreadableResponse extends Error {}

/** The answer can be decoded but does not match the request. */
export class InvalidResponse extends Error {}

interface AdmissionResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: DenialStatus;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

const reviewType = structType('admission.AdmissionReview');

/**
 * Decodes an answer in JSON or YAML and checks that it matches the request.
 *
 * Mirrors the decoder of the webhooks' client and VerifyAdmissionResponse (1.36, apiserver/pkg/admission/plugin/webhook/request).
 * @throws UnreadableResponse if the answer cannot be decoded; InvalidResponse if it does not match the request
 */
export async function parseVerdict(
  text: string,
  expectedReview: { readonly uid: string; readonly version: ReviewVersion },
  mutates: boolean,
): Promise<Verdict> {
  const { response, gvk } = decodeReview(await parseBody(text), expectedReview.version);
  if (!response) throw new InvalidResponse('webhook response was absent');
  const verdict = {
    allowed: response.allowed === true,
    warnings: response.warnings ?? [],
    ...(response.status && { status: response.status }),
  };
  if (expectedReview.version === 'v1beta1') {
    // Upstream does not verify answers of v1beta1 any further.
    return mutates && response.patch ? { ...verdict, patch: { type: 'JSONPatch', text: decodeBase64(response.patch) } } : verdict;
  }
  const { uid = '' } = response;
  if (uid !== expectedReview.uid)
    throw new InvalidResponse(`expected response.uid=${JSON.stringify(expectedReview.uid)}, got ${JSON.stringify(uid)}`);
  const expectedGvk = 'admission.k8s.io/v1, Kind=AdmissionReview';
  if (gvk !== expectedGvk) throw new InvalidResponse(`expected webhook response of ${expectedGvk}, got ${gvk}`);
  const patch = (mutates ? parsePatch : requireNoPatch)(response);
  return patch ? { ...verdict, patch } : verdict;
}

function parsePatch({ patch = '', patchType }: AdmissionResponse): Verdict['patch'] {
  if (patch !== '' && patchType === undefined) throw new InvalidResponse('webhook returned response.patch but not response.patchType');
  if (patch === '' && patchType !== undefined) throw new InvalidResponse('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new InvalidResponse('webhook returned invalid response.patchType of ""');
  return patchType === undefined ? undefined : { type: patchType, text: decodeBase64(patch) };
}

function requireNoPatch({ patch = '', patchType }: AdmissionResponse): undefined {
  if (patch !== '') throw new InvalidResponse('validating webhook may not return response.patch');
  if (patchType !== undefined) throw new InvalidResponse('validating webhook may not return response.patchType');
}

const decodeBase64 = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');

async function parseBody(text: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) {
    const problem = jsonSyntaxProblem(text);
    if (problem !== undefined) throw new UnreadableResponse(`couldn't get version/kind; json parse error: ${problem}`);
    return JSON.parse(text);
  }
  try {
    return (await readFirstDocument(text)).value;
  } catch (error) {
    throw new UnreadableResponse(`yaml: ${(error as Error).message}`);
  }
}

/** Decodes an AdmissionReview of the requested version. As upstream, an answer without apiVersion and kind is accepted. */
function decodeReview(json: unknown, version: ReviewVersion): { readonly response?: AdmissionResponse; readonly gvk: string } {
  if (jsonTypeOf(json) !== 'object') throw new UnreadableResponse(formatTypeMetaError(json));
  const { apiVersion = '', kind = '' } = (json ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  const goType = goTypeOf(String(apiVersion) || `admission.k8s.io/${version}`, String(kind) || 'AdmissionReview');
  if (!goType) throw new UnreadableResponse(formatNotRegistered(String(kind), String(apiVersion) || 'v1'));
  const { value, problem } = decode(reviewType, goType === 'v1.Status' ? {} : json);
  if (problem !== undefined) throw new UnreadableResponse(problem);
  if (goType !== `${version}.AdmissionReview`)
    throw new UnreadableResponse(`converting (${goType}) to (${version}.AdmissionReview): unknown conversion`);
  const { response } = value as { readonly response?: AdmissionResponse };
  const [group, answerVersion] = String(apiVersion).includes('/') ? String(apiVersion).split('/') : ['', apiVersion];
  return { gvk: `${group}/${answerVersion}, Kind=${kind}`, ...(response && { response }) };
}

/** Returns the Go type in the scheme of upstream's webhook client; undefined if no such type is registered. */
function goTypeOf(apiVersion: string, kind: string): string | undefined {
  if (apiVersion === 'v1' && kind === 'Status') return 'v1.Status';
  if (kind !== 'AdmissionReview' || !/^admission\.k8s\.io\/(v1|v1beta1)$/.test(apiVersion)) return undefined;
  return `${apiVersion.slice('admission.k8s.io/'.length)}.AdmissionReview`;
}
